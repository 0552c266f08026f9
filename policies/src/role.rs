//! agent, viewer, operator, admin.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a token may be used for; with the workspace it is bound to, all that decides what its bearer may do.
///
/// Source: product.md, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Acts as one workspace, nothing else.
    Agent,
    /// Reads everything in a workspace's subtree; writes nothing.
    Viewer,
    /// Reads and acts in a workspace's subtree.
    Operator,
    /// Everything on the server; bound to no workspace.
    Admin,
}

/// A text that names no role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown role; use `agent`, `viewer`, `operator` or `admin`")]
pub struct UnknownRole;

impl Role {
    /// Every role, the least powerful first.
    pub const ALL: [Self; 4] = [Self::Agent, Self::Viewer, Self::Operator, Self::Admin];

    /// The word in tokens, on the wire and in logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// Whether people have this role: they get the text itself where agents get it quoted.
    #[must_use]
    pub const fn is_person(self) -> bool {
        !matches!(self, Self::Agent)
    }

    /// Whether a token of this role is bound to a workspace.
    #[must_use]
    pub const fn is_bound(self) -> bool {
        !matches!(self, Self::Admin)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(UnknownRole)
    }
}

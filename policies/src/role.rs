//! The roles source, agent, viewer, operator and admin.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Role of a token. Together with the bound workspace it determines all permissions.
///
/// Source: `docs/spec/callers.md`, "Roles".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Writes the records of one tree, and nothing else.
    Source,
    /// Acts as one workspace.
    Agent,
    /// Reads the subtree of a workspace.
    Viewer,
    /// Reads and acts in the subtree of a workspace.
    Operator,
    /// Everything on the server; not bound to a workspace.
    Admin,
}

/// Invalid name of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown role; use `source`, `agent`, `viewer`, `operator` or `admin`")]
pub struct UnknownRole;

impl Role {
    /// All roles, least powerful first.
    pub const ALL: [Self; 5] = [Self::Source, Self::Agent, Self::Viewer, Self::Operator, Self::Admin];

    /// The name in tokens, JSON and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Agent => "agent",
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// Whether people have this role. People receive the plain text of memories, agents the quoted one,
    /// sources none.
    #[must_use]
    pub const fn is_person(self) -> bool {
        !matches!(self, Self::Source | Self::Agent)
    }

    /// Whether tokens of this role are bound to a workspace.
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

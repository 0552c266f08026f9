//! The scopes LOCAL, TEAM and GLOBAL.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Audience of a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Scope {
    /// Only the author.
    #[default]
    Local,
    /// The author, its parent, its children and its siblings; or one bound team.
    Team,
    /// The whole tree; only its root may write it.
    Global,
}

/// Invalid name of a scope. Scopes are upper case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope; use `LOCAL`, `TEAM` or `GLOBAL`")]
pub struct UnknownScope;

impl Scope {
    /// All scopes, narrowest first.
    pub const ALL: [Self; 3] = [Self::Local, Self::Team, Self::Global];

    /// The name in JSON, storage and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "LOCAL",
            Self::Team => "TEAM",
            Self::Global => "GLOBAL",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or(UnknownScope)
    }
}

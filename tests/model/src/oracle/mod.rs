//! A naive model of `docs/spec/tree.md`, one literal rule at a time.
//!
//! It is written for comparison with the page, not for speed, and is independent of the crates under test.

mod queries;
mod reading;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

pub use reading::Via;
pub use steps::{Children, Objection, Step};
use uuid::Uuid;

/// All orgs and all committed memories in their current state.
///
/// Clone it to keep the state before a step.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Maximum number of levels, the root included.
    pub max_levels: usize,
    /// Maximum number of live workspaces in a tree.
    pub max_workspaces: usize,
    workspaces: BTreeMap<Uuid, Workspace>,
    memories: Vec<Memory>,
}

/// State of a workspace, live or removed.
#[derive(Clone, Copy, Debug)]
struct Workspace {
    parent: Option<Uuid>,
    live: bool,
}

impl Default for Oracle {
    fn default() -> Self {
        Self { max_levels: 64, max_workspaces: 1_000_000, workspaces: BTreeMap::new(), memories: Vec::new() }
    }
}

/// Audience of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Only the author.
    Local,
    /// The near workspaces, or one team.
    Team,
    /// The whole tree.
    Global,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 3] = [Self::Local, Self::Team, Self::Global];

    /// The name in JSON.
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

/// A committed memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Id of the memory.
    pub id: Uuid,
    /// The workspace that wrote it.
    pub author: Uuid,
    /// Scope of the memory.
    pub scope: Scope,
    /// Leader of the bound team; only with [`Scope::Team`].
    pub team: Option<Uuid>,
    /// Text of the memory.
    pub content: String,
}

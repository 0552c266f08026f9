//! A naïve model of product.md, section 2: what is true of orgs and memories, one literal rule at a time.
//!
//! It is meant to be compared with the text line by line, not to be fast. It knows nothing of the crates it judges.

mod reading;
mod standing;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

pub use reading::Via;
pub use steps::{Children, Objection, Step};
use uuid::Uuid;

/// Every org there is, every memory ever committed, as they are now.
///
/// A clone is the world as it was: keep one to ask about the moment before a move.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Levels a tree may have, the root being the first.
    pub max_levels: usize,
    /// Live workspaces a tree may have.
    pub max_workspaces: usize,
    workspaces: BTreeMap<Uuid, Workspace>,
    memories: Vec<Memory>,
}

/// What there is to know of a workspace, live or removed.
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

/// How far a memory is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// By nobody but its author.
    Local,
    /// With those near the author, or with one team.
    Team,
    /// With the whole tree.
    Global,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Local, Self::Team, Self::Global];

    /// The word on the wire.
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

/// A memory that was committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Its id.
    pub id: Uuid,
    /// The workspace that wrote it.
    pub author: Uuid,
    /// How far it is shared.
    pub scope: Scope,
    /// The team it is bound to, if any; goes with [`Scope::Team`] alone.
    pub team: Option<Uuid>,
    /// Its text.
    pub content: String,
}

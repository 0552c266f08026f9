//! What the rows of a tree say, and what can be wrong with them.

use std::fmt;

use crate::{OrgId, WorkspaceId};

/// Where one workspace stands now, as a row of the store says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its parent; none for the root.
    pub parent: Option<WorkspaceId>,
    /// False once it was removed.
    pub live: bool,
}

impl Placement {
    /// A live root.
    #[must_use]
    pub const fn root(id: WorkspaceId) -> Self {
        Self { id, parent: None, live: true }
    }

    /// A live workspace below `parent`.
    #[must_use]
    pub const fn under(id: WorkspaceId, parent: WorkspaceId) -> Self {
        Self { id, parent: Some(parent), live: true }
    }

    /// A removed workspace.
    #[must_use]
    pub const fn removed(id: WorkspaceId) -> Self {
        Self { id, parent: None, live: false }
    }
}

/// One thing that is wrong with the rows of a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeFault {
    /// A workspace other than the org's root has no parent.
    #[error("workspace {0} has no parent and is not the root")]
    SecondRoot(WorkspaceId),
    /// The root hangs below another workspace.
    #[error("the root {0} has a parent")]
    RootBelow(WorkspaceId),
    /// The parent is not a live workspace of this org.
    #[error("the parent {parent} of workspace {id} is not live in this org")]
    NoParent {
        /// The workspace.
        id: WorkspaceId,
        /// The parent that its row names.
        parent: WorkspaceId,
    },
    /// Going up from this workspace comes back to it.
    #[error("workspace {0} is above itself")]
    Cycle(WorkspaceId),
    /// One more row of a workspace; its first row counts for the other faults.
    #[error("workspace {0} is there twice")]
    Twice(WorkspaceId),
}

/// Everything that is wrong with the rows of one tree; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFaults {
    /// The org the rows are of.
    pub org: OrgId,
    /// Each fault once: first the rows that are there twice, then the wrong parents, then the cycles.
    pub faults: Vec<TreeFault>,
}

impl fmt::Display for TreeFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rows of {:?} are not a tree", self.org)?;
        for fault in self.faults.iter().take(10) {
            write!(f, "; {fault}")?;
        }
        match self.faults.len().saturating_sub(10) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for TreeFaults {}

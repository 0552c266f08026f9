//! Rows of a tree and their faults.

use std::fmt;

use crate::{OrgId, WorkspaceId};

/// Position of one workspace, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The placed workspace.
    pub id: WorkspaceId,
    /// `None` for the root.
    pub parent: Option<WorkspaceId>,
    /// False after removal.
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

/// A fault in the rows of a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeFault {
    /// A workspace other than the org's root has no parent.
    #[error("workspace {0} has no parent and is not the root")]
    SecondRoot(WorkspaceId),
    /// The root has a parent.
    #[error("the root {0} has a parent")]
    RootHasParent(WorkspaceId),
    /// The parent is not a live workspace of this org.
    #[error("the parent {parent} of workspace {id} is not live in this org")]
    NoParent {
        /// The placed workspace.
        id: WorkspaceId,
        /// The parent named by its row.
        parent: WorkspaceId,
    },
    /// The workspace is on a cycle.
    #[error("workspace {0} is on a cycle")]
    Cycle(WorkspaceId),
    /// A duplicate row; the first row of the workspace counts for other faults.
    #[error("duplicate workspace id {0}")]
    DuplicateId(WorkspaceId),
}

/// The faults in the rows of one tree; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFaults {
    /// The org of the rows.
    pub org: OrgId,
    /// Each fault once: duplicate rows, then wrong parents, then cycles.
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

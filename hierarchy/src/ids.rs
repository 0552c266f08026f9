//! Typed ids, so that a workspace and an org cannot be confused.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A workspace: a node of the tree that belongs to one agent. Unique across the server.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkspaceId(Uuid);

/// An org: a root workspace and its descendants, the unit of tenancy. Equal to the id of the root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OrgId(Uuid);

impl WorkspaceId {
    /// An id that no workspace has.
    pub const NIL: Self = Self(Uuid::nil());

    /// The UUID, for storage and JSON.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl OrgId {
    /// The org whose root is `root`.
    #[must_use]
    pub const fn of_root(root: WorkspaceId) -> Self {
        Self(root.0)
    }

    /// The root workspace of this org.
    #[must_use]
    pub const fn root(self) -> WorkspaceId {
        WorkspaceId(self.0)
    }

    /// The UUID, for storage and JSON.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl From<Uuid> for WorkspaceId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl From<Uuid> for OrgId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl fmt::Display for WorkspaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for WorkspaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "workspace {}", self.0)
    }
}

impl fmt::Display for OrgId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for OrgId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "org {}", self.0)
    }
}

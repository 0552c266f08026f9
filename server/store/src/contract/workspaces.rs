//! Workspaces: rows of the tree.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};

/// A workspace as it is stored; where it stands among others is told by the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    /// Its org.
    pub org: OrgId,
    /// Its id.
    pub id: WorkspaceId,
    /// Its parent, or its last one once it was removed; none for a root.
    pub parent: Option<WorkspaceId>,
    /// What people call it.
    pub name: String,
    /// What it does in the organisation, in a word or two.
    pub role: Option<String>,
    /// A JSON object of the platform's own.
    pub metadata: Option<String>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When its row last changed.
    pub updated_at: DateTime<Utc>,
    /// When it was last moved or promoted.
    pub moved_at: Option<DateTime<Utc>>,
    /// When it was removed; none while it is live.
    pub removed_at: Option<DateTime<Utc>>,
}

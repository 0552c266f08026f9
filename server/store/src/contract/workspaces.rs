//! Workspaces: rows of the tree.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};

/// A stored workspace. Its position is in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    /// The org of the workspace.
    pub org: OrgId,
    /// Unique across the server.
    pub id: WorkspaceId,
    /// The parent, or the last one of a removed workspace; none for a root.
    pub parent: Option<WorkspaceId>,
    /// A name for people.
    pub name: String,
    /// Function in the organisation, in a word or two.
    pub role: Option<String>,
    /// A JSON object as text, defined by the platform.
    pub metadata: Option<String>,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time of the last change of the row.
    pub updated_at: DateTime<Utc>,
    /// Time of the last move or promotion.
    pub moved_at: Option<DateTime<Utc>>,
    /// Time of removal; none while the workspace is live.
    pub removed_at: Option<DateTime<Utc>>,
}

//! Lists of workspaces, and orgs in numbers.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use super::MemoryCounts;

/// Which workspaces a list shows. The default shows all live ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceFilter {
    /// The children of this workspace.
    pub parent: Option<WorkspaceId>,
    /// Removed ones instead of live ones.
    pub removed: bool,
    /// Whose name contains this, in any case.
    pub name_contains: Option<String>,
}

/// Where a list of workspaces goes on: the last one's creation, org and id.
pub type WorkspacePlace = (DateTime<Utc>, Uuid, Uuid);

/// One org in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct OrgSummary {
    /// The org.
    pub org: OrgId,
    /// Its root's name.
    pub name: String,
    /// Live workspaces.
    pub workspaces: i64,
    /// Live memories of live workspaces.
    pub memories: MemoryCounts,
    /// When its root was created.
    pub created_at: DateTime<Utc>,
}

/// The server in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Orgs with a live root.
    pub orgs: i64,
    /// Live workspaces.
    pub workspaces: i64,
    /// Live memories of live workspaces.
    pub memories: MemoryCounts,
    /// Live entries.
    pub entries: i64,
    /// Episodes.
    pub episodes: i64,
    /// Bytes that the database takes.
    pub size_bytes: i64,
}

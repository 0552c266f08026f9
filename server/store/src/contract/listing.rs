//! Filters of workspace lists, and statistics of orgs and the server.

use chrono::{DateTime, NaiveDate, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use super::MemoryCounts;

/// Conditions on workspaces; all of them must hold. The default passes every live workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceFilter {
    /// Children of this workspace.
    pub parent: Option<WorkspaceId>,
    /// Removed workspaces instead of live ones.
    pub removed: bool,
    /// A part of the name, regardless of case.
    pub name_contains: Option<String>,
}

/// A position in a list of workspaces: time of creation, org and id.
pub type WorkspaceCursor = (DateTime<Utc>, Uuid, Uuid);

/// Statistics of an org.
#[derive(Clone, Debug, PartialEq)]
pub struct OrgSummary {
    /// The org.
    pub org: OrgId,
    /// Name of the root.
    pub name: String,
    /// Live workspaces.
    pub workspaces: i64,
    /// Live memories of live workspaces.
    pub memories: MemoryCounts,
    /// Time of the creation of the root.
    pub created_at: DateTime<Utc>,
}

/// Operations of an org on one day in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgDay {
    /// The day.
    pub day: NaiveDate,
    /// Memories committed; a replaced one counts again.
    pub memories: i64,
    /// Changes of any kind, commits included.
    pub writes: i64,
    /// Reads of memories by agents: searches, single reads, histories and context blocks.
    pub agent_reads: i64,
    /// The same by people.
    pub people_reads: i64,
}

/// Statistics of the server.
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
    /// Episodes of all workspaces.
    pub episodes: i64,
    /// Size of the database in bytes.
    pub size_bytes: i64,
}

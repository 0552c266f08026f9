//! Gated runs: memories committed in an open run are pending until the run completes.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::drafts::StagedFields;
use orgmem_policies::{Role, RunStatus};
use uuid::Uuid;

/// A gated run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The id of the run.
    pub id: Uuid,
    /// The workspace of the run.
    pub workspace: WorkspaceId,
    /// The current status. An open run past `times_out_at` has timed out.
    pub status: RunStatus,
    /// The session of the run.
    pub session_id: Option<String>,
    /// A name for people.
    pub label: Option<String>,
    /// The subject of the caller that started the run.
    pub started_by: String,
    /// Time of the start.
    pub started_at: DateTime<Utc>,
    /// Inclusive instant of the time-out, unless the run ends before.
    pub times_out_at: DateTime<Utc>,
    /// Time of the end; none while the run is open.
    pub finished_at: Option<DateTime<Utc>>,
    /// Number of pending memories or, after completion, of committed ones.
    pub written: i64,
    /// Number of dropped memories: the expired ones of a completed run, all of a run that ended otherwise.
    pub dropped: i64,
}

/// Conditions on runs; all of them must hold.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// Runs with this status.
    pub status: Option<RunStatus>,
    /// Runs of this session.
    pub session_id: Option<String>,
    /// Runs that started before this one.
    pub before: Option<Uuid>,
}

/// A pending memory of a run.
#[derive(Clone, Debug)]
pub struct PendingMemory {
    /// Number in the run, in the order of writes.
    pub number: i64,
    /// Id of the future memory.
    pub id: Uuid,
    /// Scope of the future memory.
    pub scope: Scope,
    /// Lead of the team of the future memory; none if it is not bound to one team.
    pub team: Option<WorkspaceId>,
    /// Role of the writer.
    pub role: Role,
    /// The fields, checked and scrubbed.
    pub staged: StagedFields,
    /// Time of the write.
    pub held_at: DateTime<Utc>,
}

/// The run and author of a pending memory, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingMemoryRef {
    /// The open run of the memory.
    pub run: Uuid,
    /// The workspace that wrote the memory.
    pub author: WorkspaceId,
}

//! Gated runs: what is committed in one is held back until it ends well.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::drafts::MemoryInput;
use orgmem_policies::{Role, RunStatus};
use uuid::Uuid;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: Uuid,
    /// The workspace that it runs in.
    pub workspace: WorkspaceId,
    /// What it is now: one past its end has timed out.
    pub status: RunStatus,
    /// The session that it is part of.
    pub session_id: Option<String>,
    /// What people call it.
    pub label: Option<String>,
    /// Who started it, by the name for the log.
    pub started_by: String,
    /// When.
    pub started_at: DateTime<Utc>,
    /// From this instant on it has timed out, unless it ended before.
    pub times_out_at: DateTime<Utc>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// How many memories are pending in it or, once it has completed, were committed.
    pub written: i64,
    /// How many were dropped: all, where it did not end well; those that had expired, where it did.
    pub dropped: i64,
}

/// Which runs are listed.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// With this status alone.
    pub status: Option<RunStatus>,
    /// Of this session alone.
    pub session_id: Option<String>,
    /// Older than this one.
    pub before: Option<Uuid>,
}

/// A memory that is held back.
#[derive(Clone, Debug)]
pub struct PendingMemory {
    /// Its place in the run.
    pub number: i64,
    /// The id that it will have.
    pub id: Uuid,
    /// How far it will be shared.
    pub scope: Scope,
    /// The team that it will be bound to.
    pub team: Option<WorkspaceId>,
    /// The role that wrote it.
    pub role: Role,
    /// What it says, as it was checked and scrubbed.
    pub said: MemoryInput,
    /// When it was held back.
    pub held_at: DateTime<Utc>,
}

/// Where a memory that is held back stands, and nothing of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingMemoryRef {
    /// The run that holds it back.
    pub run: Uuid,
    /// The workspace that wrote it.
    pub author: WorkspaceId,
}

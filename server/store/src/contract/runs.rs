//! Gated runs: what is committed in one is held back until it ends well.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::{MemoryInput, RunDraft};
use orgmem_policies::{ActPass, Role, RunEnding, RunStatus, ViewPass, WritePass};
use uuid::Uuid;

use super::{Committed, ReadyMemory};
use crate::StoreError;

/// Memories that one run may hold back.
pub const MAX_PENDING_PER_RUN: i64 = 1000;

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

/// Reading runs. What they hold back is in no other call's answer.
pub trait ReadRuns {
    /// A run of this workspace; none where there never was one.
    fn run(&mut self, org: OrgId, workspace: WorkspaceId, id: Uuid) -> Result<Option<Run>, StoreError>;

    /// The runs of the pass's workspace, newest first.
    fn runs(&mut self, pass: &ViewPass, filter: &RunFilter, most: usize) -> Result<Vec<Run>, StoreError>;

    /// What a run of the pass's workspace holds back, in the order in which it was written, after this number; nothing
    /// once the run is over.
    fn pending_memories(
        &mut self,
        pass: &ViewPass,
        run: Uuid,
        after: i64,
        most: usize,
    ) -> Result<Vec<PendingMemory>, StoreError>;

    /// Orgs that have runs which ended before `before`.
    fn orgs_with_old_runs(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;

    /// Where a memory is held back, by an open run; none where it is not.
    fn held_place(&mut self, org: OrgId, memory: Uuid) -> Result<Option<PendingMemoryRef>, StoreError>;
}

/// Writing runs.
pub trait WriteRuns {
    /// Starts a run of the pass's workspace.
    fn start_run(
        &mut self,
        pass: &ActPass,
        draft: &RunDraft,
        started_by: &str,
        times_out_at: DateTime<Utc>,
    ) -> Result<Run, StoreError>;

    /// Holds a memory back for the end of an open run of its author. The same id again replaces what was held back.
    ///
    /// # Returns
    /// The id that it will have, with version 0: it is not there yet.
    ///
    /// # Errors
    /// What a commit would be refused for now: [`StoreError::MemoryTaken`], [`StoreError::NothingToSupersede`],
    /// [`StoreError::SupersededItself`], [`StoreError::TooManyPins`]; and [`StoreError::RunFull`]. Then nothing was
    /// written, and the transaction may go on.
    fn hold_memory(&mut self, pass: &WritePass, run: Uuid, memory: &ReadyMemory) -> Result<Committed, StoreError>;

    /// Commits what was held back, as [`commit_memory`](super::WriteMemories::commit_memory) does, but for the event:
    /// the end of the run announces all at once.
    ///
    /// # Errors
    /// As for a commit.
    fn commit_held(&mut self, pass: &WritePass, memory: &ReadyMemory) -> Result<Committed, StoreError>;

    /// Ends an open run of the pass's workspace. What it still holds back goes for good; `committed` are the shelves of
    /// what was committed of it, one for each memory.
    fn finish_run(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        ending: RunEnding,
        committed: &[(Scope, Option<WorkspaceId>)],
    ) -> Result<(), StoreError>;

    /// Takes away some rows of this job's org of runs that ended before `before`; says how many.
    fn drop_old_runs(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError>;
}

//! Processors: definitions that distil rows into facts, their groups and their runs.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::{GroupDraft, ProcessorDraft, ReasonDraft};
use orgmem_policies::rules::ProcessorPlan;
use orgmem_policies::{ActPass, EditPass, ViewPass};
use uuid::Uuid;

use crate::StoreError;

/// A processor of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProcessor {
    /// Unique in the workspace.
    pub name: String,
    /// The collection whose rows it reads.
    pub collection: String,
    /// The definition, a JSON object as text.
    pub definition: String,
    /// 1 for a new processor; incremented by each change of the definition.
    pub revision: i64,
    /// The last change of a row that it has read.
    pub read_seq: i64,
    /// The next scheduled run; in the past if it was missed.
    pub due_at: DateTime<Utc>,
    /// The run that works on it, and the time until which no other run may begin.
    pub claim: Option<(Uuid, DateTime<Utc>)>,
    /// The start of the last run.
    pub last_run_at: Option<DateTime<Utc>>,
    /// Time of the creation.
    pub created_at: DateTime<Utc>,
    /// Time of the last change of the definition.
    pub updated_at: DateTime<Utc>,
}

/// What a processor makes of a row that it has read.
#[derive(Clone, Debug)]
pub struct RowAssignment {
    /// The key of the row.
    pub key: String,
    /// The change of the row that was read.
    pub seq: i64,
    /// The id and the values of its group; none if it belongs to no group.
    pub group: Option<(String, GroupDraft)>,
    /// In millionths.
    pub severity: i64,
    /// The time of the row.
    pub time: Option<DateTime<Utc>>,
}

/// A group of rows with its fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGroup {
    /// Unique in the processor.
    pub id: String,
    /// The values of the dimensions.
    pub values: Vec<String>,
    /// The number of the last change that the fact does not show yet, or 0.
    pub touched: i64,
    /// The memory with the fact.
    pub memory: Option<Uuid>,
    /// The digest of the fact.
    pub fingerprint: Option<String>,
}

/// A row of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// The key of the row.
    pub key: String,
    /// The time of the row.
    pub time: Option<DateTime<Utc>>,
    /// In millionths.
    pub severity: i64,
}

/// What became of a group in a run.
#[derive(Clone, Debug)]
pub struct SettledGroup {
    /// The group as it was read.
    pub group: StoredGroup,
    /// The memory with the fact, and its digest; none if it has no fact any more.
    pub fact: Option<(Uuid, String)>,
}

/// A run of a processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessorRun {
    /// Ids sort in the order of the starts.
    pub id: Uuid,
    /// `schedule` or `request`.
    pub cause: String,
    /// The time of its first transaction.
    pub started_at: DateTime<Utc>,
    /// The time of its last transaction.
    pub ended_at: DateTime<Utc>,
    /// Rows that were read.
    pub read: i64,
    /// Rows of them that belong to a group.
    pub grouped: i64,
    /// New facts.
    pub inserted: i64,
    /// New versions of facts.
    pub updated: i64,
    /// Facts that were superseded because too few rows remain.
    pub rolled_back: i64,
    /// Touched groups whose fact remained as it was.
    pub untouched: i64,
    /// Facts whose text was cut to the maximum length.
    pub cut_texts: i64,
    /// The limit that ended the run before all touched groups were settled.
    pub capped: Option<String>,
    /// Why the run ended early.
    pub error: Option<String>,
}

transaction! {
    forward_processor_reads

    /// The part of a snapshot that reads processors.
    pub trait ProcessorReads {
        /// All processors of the pass's workspace, by name.
        fn processors(&mut self, pass: &ViewPass) -> Result<Vec<StoredProcessor>, StoreError>;

        /// One processor.
        fn processor(&mut self, pass: &ViewPass, name: &str) -> Result<Option<StoredProcessor>, StoreError>;

        /// The orgs with a processor that is due at `now` and that no run works on.
        fn orgs_with_due_processors(&mut self, now: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;

        /// These processors of an org: workspace and name.
        fn due_processors(
            &mut self,
            org: OrgId,
            now: DateTime<Utc>,
        ) -> Result<Vec<(WorkspaceId, String)>, StoreError>;

        /// The ids of the groups of rows as they were read, by key. Rows without a group are absent.
        fn groups_of_rows(
            &mut self,
            pass: &ViewPass,
            processor: &str,
            keys: &[String],
        ) -> Result<HashMap<String, String>, StoreError>;

        /// The first `limit` touched groups, in the order of their last changes.
        fn touched_groups(
            &mut self,
            pass: &ViewPass,
            processor: &str,
            limit: usize,
        ) -> Result<Vec<StoredGroup>, StoreError>;

        /// One group.
        fn processor_group(
            &mut self,
            pass: &ViewPass,
            processor: &str,
            id: &str,
        ) -> Result<Option<StoredGroup>, StoreError>;

        /// The first `limit` rows of a group with keys after `after`.
        fn group_rows(
            &mut self,
            pass: &ViewPass,
            processor: &str,
            group: &str,
            after: &str,
            limit: usize,
        ) -> Result<Vec<GroupRow>, StoreError>;

        /// The runs of a processor before the run `before`, newest first.
        fn processor_runs(
            &mut self,
            pass: &ViewPass,
            processor: &str,
            before: Option<Uuid>,
            limit: usize,
        ) -> Result<Vec<ProcessorRun>, StoreError>;
    }
}

transaction! {
    forward_processor_writes

    /// The part of a job that writes processors. The calls of a run return false, and write nothing, if another run works on
    /// the processor or its definition changed.
    pub trait ProcessorWrites {
        /// Stores the definition of a processor. A changed one reads all rows again, and all facts count as changed.
        fn put_processor(
            &mut self,
            pass: &ActPass,
            draft: &ProcessorDraft,
            plan: ProcessorPlan,
            due_at: DateTime<Utc>,
        ) -> Result<(), StoreError>;

        /// Begins a run, or gives it more time.
        fn claim_processor(
            &mut self,
            pass: &ActPass,
            processor: &str,
            run: Uuid,
            until: DateTime<Utc>,
        ) -> Result<bool, StoreError>;

        /// Stores what a processor makes of the rows with changes up to `upto`. Rows that changed meanwhile are read again;
        /// rows that were deleted meanwhile are omitted.
        fn assign_rows(
            &mut self,
            pass: &ActPass,
            processor: &str,
            run: Uuid,
            upto: i64,
            rows: &[RowAssignment],
        ) -> Result<bool, StoreError>;

        /// Whether a group of the run is as it was read, so that its fact may change.
        fn is_group_current(
            &mut self,
            pass: &ActPass,
            processor: &str,
            run: Uuid,
            group: &StoredGroup,
        ) -> Result<bool, StoreError>;

        /// Stores what became of a group that is current.
        fn settle_group(
            &mut self,
            pass: &ActPass,
            processor: &str,
            settled: &SettledGroup,
        ) -> Result<(), StoreError>;

        /// Marks a live memory of the pass's author as superseded, without a successor. Its last version has the reason in
        /// the metadata. Returns false if it is not live.
        fn retire_memory(&mut self, pass: &EditPass, id: Uuid, reason: &ReasonDraft) -> Result<bool, StoreError>;

        /// Ends a run and stores its report. The next one is due at `due_at`.
        fn end_processor_run(
            &mut self,
            pass: &ActPass,
            processor: &str,
            run: &ProcessorRun,
            due_at: DateTime<Utc>,
        ) -> Result<bool, StoreError>;

        /// Ends the runs of a processor that is to be deleted, and returns its first `limit` groups.
        fn groups_to_drop(
            &mut self,
            pass: &ActPass,
            processor: &str,
            limit: usize,
        ) -> Result<Vec<StoredGroup>, StoreError>;

        /// Deletes these groups with their rows.
        fn drop_groups(&mut self, pass: &ActPass, processor: &str, groups: &[StoredGroup]) -> Result<(), StoreError>;

        /// Deletes a processor that has no groups any more. Returns whether it existed.
        fn drop_processor(&mut self, pass: &ActPass, processor: &str) -> Result<bool, StoreError>;
    }
}

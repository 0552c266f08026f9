//! The writes of a job.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::chain::Seal;
use orgmem_policies::drafts::*;
use orgmem_policies::rules::*;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::*;
use uuid::Uuid;

use super::*;
use crate::StoreError;
use crate::scrub::{ScrubPosition, ScrubbedRows};

transaction! {
    forward_write_tx

    /// One job of a write transaction. Jobs share a commit; a job that fails is undone without affecting the others.
    pub trait WriteTx: ReadTx + DocumentWrites + GrantWrites + ProcessorWrites + ProviderWrites + RowWrites + SessionWrites + SkillWrites + TextWrites
        + TurnWrites {
        // The snapshot

        /// Whether a write of another org waits for this job. A job that writes a lot, and can continue in a further one,
        /// should end then.
        fn others_wait(&mut self) -> bool;

        /// Generates a UUID v7. Ids sort in the order of their generation.
        fn new_id(&mut self) -> Uuid;

        // Workspaces

        /// Creates an org with the root workspace `root`. The org has the id of its root.
        ///
        /// # Returns
        /// `None` if the id was ever used by a workspace of the server; nothing is written then.
        fn create_org(
            &mut self,
            pass: &ServerPass,
            root: WorkspaceId,
            row: &WorkspaceDraft,
        ) -> Result<Option<Workspace>, StoreError>;

        /// Creates the workspace of `pass`.
        ///
        /// # Returns
        /// `None` if the id was ever used by a workspace of the server; nothing is written then.
        fn create_workspace(&mut self, pass: &TreePass, row: &WorkspaceDraft) -> Result<Option<Workspace>, StoreError>;

        /// Applies a move or a removal to all workspaces of `pass`, with batched statements.
        fn change_tree(&mut self, pass: &TreePass) -> Result<(), StoreError>;

        /// Changes columns of one workspace that do not affect the tree.
        fn patch_workspace(&mut self, pass: &ActPass, change: &WorkspaceChange) -> Result<(), StoreError>;

        /// Sets the budget of the pass's workspace; an empty one removes it.
        ///
        /// # Complexity
        /// O(workspaces below) for a workspace without a budget, otherwise O(1).
        fn set_budget(&mut self, pass: &BudgetPass, budget: &Budget) -> Result<(), StoreError>;

        // Memories

        /// Commits a memory by its plan. It replaces an own memory with the id of the plan.
        fn commit_memory(
            &mut self,
            pass: &WritePass,
            memory: &ReadyMemory,
            plan: &CommitPlan,
        ) -> Result<Committed, StoreError>;

        /// Deletes a memory with its content. With `if_match`, only this version.
        fn forget_memory(
            &mut self,
            pass: &ForgetPass,
            id: Uuid,
            if_match: Option<i64>,
        ) -> Result<ForgetOutcome, StoreError>;

        // Versions of memories

        /// The state that decides whether a memory may be changed. With `if_match`, only this version.
        fn edit_facts(
            &mut self,
            pass: &EditPass,
            id: Uuid,
            if_match: Option<i64>,
            change: &VersionChange,
        ) -> Result<Result<EditFacts, NoEdit>, StoreError>;

        /// Changes the memory of the plan. Writes nothing if the change leaves all fields as they are.
        ///
        /// # Errors
        /// [`StoreError::Unreadable`] if the plan is of another transaction and the memory does not exist any more.
        fn edit_memory(
            &mut self,
            pass: &EditPass,
            plan: &EditPlan,
            change: &VersionChange,
        ) -> Result<Edited, StoreError>;

        /// Sets the end of life of own memories that are live, each only on the version that is given, without a new version.
        /// A profile's maximum age of a memory still counts from its last change.
        ///
        /// # Returns
        /// Ids and ends of the memories that were changed.
        fn touch_memories(
            &mut self,
            pass: &EditPass,
            touches: &[Touch],
        ) -> Result<Vec<(Uuid, DateTime<Utc>)>, StoreError>;

        // Redactions

        /// Removes the content of a memory of the pass's author, in any state, and its earlier versions. A record of
        /// the redaction with the reason remains.
        ///
        /// # Returns
        /// `None` if the author has no such memory or the memory has no content any more.
        fn redact_memory(
            &mut self,
            pass: &RedactPass,
            id: Uuid,
            reason: &ReasonDraft,
        ) -> Result<Option<Redacted>, StoreError>;

        /// Erases the data that the pass names and returns the receipt with the counts. Rows of workspaces remain as
        /// nodes of the tree, without names.
        fn erase(&mut self, pass: &ErasePass, reason: &ReasonDraft) -> Result<Erasure, StoreError>;

        /// Applies the rules to the next rows of `org`, which is the org of this job, after a position. A row that changes
        /// is written, indexed and audited again; a second call changes nothing more.
        ///
        /// # Complexity
        /// At most 500 rows, of which at most 100 change, and about a megabyte of text.
        fn scrub_rows(
            &mut self,
            pass: &ServerPass,
            org: OrgId,
            scrubber: &Scrubber,
            after: &ScrubPosition,
        ) -> Result<ScrubbedRows, StoreError>;

        /// Repeats removals that were made in another copy of this database, all of the job's org. Skips content that is not
        /// here or is removed already. The receipt of an erasure retains its id.
        ///
        /// The workspaces of a purge must not be live any more.
        fn repeat_removals(&mut self, pass: &ServerPass, removals: &[Removal]) -> Result<Repeated, StoreError>;

        // Runs

        /// Starts a run of the pass's workspace.
        fn start_run(
            &mut self,
            pass: &ActPass,
            draft: &RunDraft,
            started_by: &str,
            times_out_at: DateTime<Utc>,
        ) -> Result<Run, StoreError>;

        /// Stages a memory in an open run. It replaces a pending memory of the run with the same id.
        ///
        /// # Returns
        /// The id that the memory will have, with version 0.
        fn stage_memory(
            &mut self,
            pass: &WritePass,
            run: Uuid,
            memory: &ReadyMemory,
            plan: StagePlan,
        ) -> Result<Committed, StoreError>;

        /// Commits a pending memory without an event of its own: the end of the run announces all memories together.
        fn commit_staged(
            &mut self,
            pass: &WritePass,
            memory: &ReadyMemory,
            plan: &CommitPlan,
        ) -> Result<Committed, StoreError>;

        /// Ends an open run of the pass's workspace and drops its pending memories. `committed` has the scope and team
        /// of each memory that was committed from it.
        fn finish_run(
            &mut self,
            pass: &ActPass,
            id: Uuid,
            ending: RunEnding,
            committed: &[(Scope, Option<WorkspaceId>)],
        ) -> Result<(), StoreError>;

        /// Deletes a batch of runs of this job's org that ended before `before`. Returns their number.
        fn drop_old_runs(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError>;

        // Profiles

        /// Creates a profile of the pass's workspace, which starts with `seed_count` memories. A new default profile
        /// replaces the previous one as the default.
        fn create_profile(
            &mut self,
            pass: &ActPass,
            plan: ProfilePlan,
            draft: &ProfileDraft,
            seed_count: i64,
        ) -> Result<Profile, StoreError>;

        /// Stores the new name and settings of a profile of the pass's workspace.
        fn change_profile(
            &mut self,
            pass: &ActPass,
            plan: ProfilePlan,
            profile: &Profile,
            draft: &ProfileDraft,
        ) -> Result<Profile, StoreError>;

        /// Deletes a profile of the pass's workspace. Its memories belong to the default profile afterwards.
        fn delete_profile(&mut self, pass: &ActPass, deletion: ProfileDeletion) -> Result<(), StoreError>;

        // Key/value entries

        /// Puts an entry. If the draft has an expected version, only that version is replaced. A draft without an
        /// expiry removes an earlier one.
        ///
        /// # Returns
        /// The new version of the entry, or the conflict that prevented the write.
        fn put_entry(&mut self, pass: &ActPass, draft: &EntryDraft) -> Result<Result<i64, VersionConflict>, StoreError>;

        /// Drops an entry. With `if_match`, only this version; 0 means "must not exist". Its version numbers are never
        /// reused.
        ///
        /// # Returns
        /// Whether the entry existed, or the conflict that prevented the write.
        fn drop_entry(
            &mut self,
            pass: &ActPass,
            key: &str,
            if_match: Option<i64>,
        ) -> Result<Result<bool, VersionConflict>, StoreError>;

        // Episodes

        /// Appends an episode. Its time is the current one or, for an imported episode, `happened_at`, from 1970 on.
        fn append_episode(
            &mut self,
            pass: &ActPass,
            draft: &EpisodeDraft,
            happened_at: Option<DateTime<Utc>>,
        ) -> Result<Option<Episode>, StoreError>;

        /// Removes the content of an episode of the workspace; `None` if it has no such episode.
        fn redact_episode(
            &mut self,
            pass: &ActPass,
            id: Uuid,
            reason: &ReasonDraft,
        ) -> Result<Option<RedactedEpisode>, StoreError>;

        // Pages

        /// Makes the compaction of these threads, pairs of subject and thread, due now.
        fn note_pages(&mut self, pass: &ActPass, threads: &[(String, String)]) -> Result<(), StoreError>;

        /// Replaces the pages of some threads of a subject of this job's org, and the tiers of the others.
        ///
        /// # Returns
        /// The number of written pages; `None` if the work changed since it was read, and nothing was written.
        fn put_pages(&mut self, org: OrgId, change: &PageChange) -> Result<Option<usize>, StoreError>;

        // Namespaces of the memory-plugin contract

        /// Stores a namespace of the pass's workspace. It replaces one with the same name.
        fn put_plugin_namespace(&mut self, pass: &ActPass, namespace: &PluginNamespace) -> Result<(), StoreError>;

        /// Deletes the row of a namespace whose workspace is removed already.
        fn drop_plugin_namespace(&mut self, org: OrgId, name: &str) -> Result<(), StoreError>;

        // Records

        /// Writes records of the pass's tree, one after the other, with one audit row and one event for all.
        ///
        /// # Returns
        /// The effect of each write.
        fn write_records(&mut self, pass: &RecordPass, drafts: &[RecordDraft]) -> Result<Vec<RecordPlan>, StoreError>;

        // Reviews

        /// Stores the decision about a review, with the actor of this job as the one who decided.
        fn decide_review(
            &mut self,
            pass: &ActPass,
            id: Uuid,
            status: ReviewStatus,
            note: Option<&str>,
        ) -> Result<(), StoreError>;

        /// Moves the reviews of the version before `version` of an item to this version.
        fn move_reviews(&mut self, pass: &ActPass, item: Uuid, version: i64) -> Result<(), StoreError>;

        // Tokens

        /// The `iat` of a token that is issued now under this pass.
        ///
        /// # Returns
        /// The current second. If all tokens of the workspace were revoked within it, the first second after the
        /// revocation, because `iat` has whole seconds and the new token must be valid. It is at most one second ahead,
        /// unless the tokens were revoked more than once within a second.
        fn token_time(&mut self, pass: &TokenPass) -> Result<DateTime<Utc>, StoreError>;

        /// Records a token before its issue: its id, its subject, the time from [`token_time`](Self::token_time) and
        /// its expiry. The token itself is never stored.
        fn record_token(
            &mut self,
            pass: &TokenPass,
            jti: Uuid,
            subject: &str,
            issued_at: DateTime<Utc>,
            expires_at: DateTime<Utc>,
        ) -> Result<(), StoreError>;

        /// Revokes one token of the workspace of `pass`. Returns false if no such token was issued here.
        fn revoke_token(&mut self, pass: &ActPass, jti: Uuid) -> Result<bool, StoreError>;

        /// Revokes any token, regardless of issuer and binding; for a job of [`SERVER`]. The expiry of a token that was
        /// not issued here is unknown, so its revocation outlasts the maximum lifetime of tokens.
        fn revoke_any_token(&mut self, pass: &ServerPass, jti: Uuid) -> Result<(), StoreError>;

        /// Revokes all tokens of one workspace that were issued until now, by any issuer.
        fn revoke_tokens_of(&mut self, pass: &ActPass) -> Result<(), StoreError>;

        // Idempotency keys

        /// Stores the response to a request for 24 hours, in the transaction of the request's writes.
        ///
        /// The response is deleted with the workspace `about` when that is erased. It outlives memories and tokens, so
        /// it must contain neither content of memories nor tokens.
        fn remember(
            &mut self,
            org: OrgId,
            owner: &str,
            key: &str,
            about: WorkspaceId,
            answer: Remembered,
        ) -> Result<(), StoreError>;

        // Expired rows

        /// Reclaims the rows of `due` that are still expired.
        fn reclaim(&mut self, org: OrgId, due: &Due) -> Result<(), StoreError>;

        // Segments of the index

        /// Stores new segments of this job's org. Returns false, and stores nothing, if the segments or the deleted index
        /// rows have changed since they were read.
        fn put_segments(&mut self, update: &SegmentUpdate) -> Result<bool, StoreError>;

        // Embeddings

        /// Stores the vectors of memories of this job's org that did not change in the meantime, and the progress of
        /// the model: all writes up to the org version `until` are embedded. If that is the current version, vectors of
        /// other models are no longer used. Returns the number of memories with stored vectors.
        fn put_embeddings(
            &mut self,
            org: OrgId,
            model: &EmbeddingModel,
            embedded: &[Embedded],
            until: i64,
        ) -> Result<usize, StoreError>;

        // The audit log

        /// Appends a seal to the chain of this job's org. Returns false if another seal was appended since its rows
        /// were read. Also records the range for each workspace in it and the last use of the tokens in it.
        fn seal(&mut self, seal: &Seal, sealed: &Unsealed) -> Result<bool, StoreError>;

        /// Records earlier operations, each with its own actor and time.
        fn append_audit_entries(&mut self, entries: &[PendingAuditEntry]) -> Result<(), StoreError>;

        /// Deletes the rows up to the end of `checkpoint`, which replaces their seals, and records the deletion.
        /// Returns the number of deleted rows.
        fn trim_access_log(&mut self, checkpoint: &Seal) -> Result<usize, StoreError>;

        /// Deletes the rows that these seals name as removed, and records the deletion. Returns the number of deleted rows.
        fn trim_reads(&mut self, seals: &[Seal]) -> Result<usize, StoreError>;

        // Audit records

        /// Sets the actor of the following operations of this job. The default is the server itself.
        fn set_actor(&mut self, actor: Actor);

        /// Writes the audit row of `record` in the org of this job, and its event and episode if it has them.
        ///
        /// # Returns
        /// The number of the row in the audit log of the org.
        fn record(&mut self, record: AuditRecord) -> Result<i64, StoreError>;

        // Events

        /// Deletes a batch of events of this job's org from before `before`. Returns their number.
        fn drop_old_events(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError>;
    }
}

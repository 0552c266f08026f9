//! Everything that a job may write.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::chain::Seal;
use orgmem_policies::drafts::*;
use orgmem_policies::rules::*;
use orgmem_policies::*;
use uuid::Uuid;

use super::*;
use crate::StoreError;

transaction! {
    forward_write_tx

    /// One job of a write transaction. Jobs share a commit; a job that fails is undone without affecting the others.
    pub trait WriteTx: ReadTx {
        // The snapshot

        /// A new id, UUID v7; ids sort as they were made.
        fn new_id(&mut self) -> Uuid;

        // Workspaces

        /// Creates an org: its root workspace `root`, which gives the org its id.
        ///
        /// # Returns
        /// `None` where the server has, or had, a workspace with this id; nothing is written then.
        fn create_org(
            &mut self,
            pass: &ServerPass,
            root: WorkspaceId,
            row: &WorkspaceDraft,
        ) -> Result<Option<Workspace>, StoreError>;

        /// Creates the workspace of `pass`.
        ///
        /// # Returns
        /// `None` where the server has, or had, a workspace with this id; nothing is written then.
        fn create_workspace(&mut self, pass: &TreePass, row: &WorkspaceDraft) -> Result<Option<Workspace>, StoreError>;

        /// Carries out a move or a removal: every row that `pass` names, in one statement for each kind of change.
        fn change_tree(&mut self, pass: &TreePass) -> Result<(), StoreError>;

        /// Changes the columns of one workspace that have no say in the tree.
        fn patch_workspace(&mut self, pass: &ActPass, change: &WorkspaceChange) -> Result<(), StoreError>;

        // Memories

        /// Commits a memory by its plan. An own memory with the id of the plan is replaced.
        fn commit_memory(
            &mut self,
            pass: &WritePass,
            memory: &ReadyMemory,
            plan: &CommitPlan,
        ) -> Result<Committed, StoreError>;

        /// Takes a memory away, content and all, on the version `if_match` alone where that is given.
        fn forget_memory(
            &mut self,
            pass: &ForgetPass,
            id: Uuid,
            if_match: Option<i64>,
        ) -> Result<ForgetOutcome, StoreError>;

        // Versions of memories

        /// Changes a memory, on the version `if_match` alone where that is given.
        ///
        /// # Errors
        /// [`StoreError::TooManyPins`]: then nothing was written, and the transaction may go on.
        fn edit_memory(
            &mut self,
            pass: &EditPass,
            id: Uuid,
            if_match: Option<i64>,
            edit: &ReadyEdit,
        ) -> Result<EditOutcome, StoreError>;

        /// Makes a memory say again what it said in an earlier version. Its scope, team, pin and end stay as they are.
        fn restore_memory(
            &mut self,
            pass: &EditPass,
            id: Uuid,
            if_match: Option<i64>,
            version: i64,
        ) -> Result<EditOutcome, StoreError>;

        // Redactions

        /// Takes the content of one memory by the pass's author, whatever became of it, and of its earlier versions. That
        /// there was one stays, with the reason.
        ///
        /// # Returns
        /// None where there is none by this author, or nothing of it is left to take.
        fn redact_memory(
            &mut self,
            pass: &RedactPass,
            id: Uuid,
            reason: &ReasonDraft,
        ) -> Result<Option<Redacted>, StoreError>;

        /// Erases what the pass is for; the receipt says how much that was. Of workspaces and orgs the rows that hold places
        /// in the tree stay, without names.
        fn erase(&mut self, pass: &ErasePass, reason: &ReasonDraft) -> Result<Erasure, StoreError>;

        // Runs

        /// Starts a run of the pass's workspace.
        fn start_run(
            &mut self,
            pass: &ActPass,
            draft: &RunDraft,
            started_by: &str,
            times_out_at: DateTime<Utc>,
        ) -> Result<Run, StoreError>;

        /// Stages a memory in an open run. A pending memory of the run with the same id is replaced.
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

        /// Commits a memory that was pending, without an event of its own: the end of the run announces all at once.
        fn commit_staged(
            &mut self,
            pass: &WritePass,
            memory: &ReadyMemory,
            plan: &CommitPlan,
        ) -> Result<Committed, StoreError>;

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

        /// Puts an entry, on the version that the draft names if it names one. Without an expiry it clears an earlier one.
        ///
        /// # Returns
        /// The entry's version now, or why it is as it was.
        fn put_entry(&mut self, pass: &ActPass, draft: &EntryDraft) -> Result<Result<i64, VersionConflict>, StoreError>;

        /// Drops an entry, on the version `if_match` alone where that is given; 0 stands for "must not exist". Its versions
        /// are not used again.
        ///
        /// # Returns
        /// Whether there was one, or why it is as it was.
        fn drop_entry(
            &mut self,
            pass: &ActPass,
            key: &str,
            if_match: Option<i64>,
        ) -> Result<Result<bool, VersionConflict>, StoreError>;

        // Episodes

        /// Appends one episode, which happened now or, when it is imported, at `happened_at`; in 1970 at the earliest.
        fn append_episode(
            &mut self,
            pass: &ActPass,
            draft: &EpisodeDraft,
            happened_at: Option<DateTime<Utc>>,
        ) -> Result<Episode, StoreError>;

        // Tokens

        /// The second that a token issued now, under this pass, is to carry as its `iat`.
        ///
        /// # Returns
        /// This second. When all tokens of the workspace were revoked within it, the first that the revocation leaves out:
        /// `iat` counts in whole seconds, and the new token must work. It is a second ahead at most, unless they are revoked
        /// more than once in a second.
        fn token_time(&mut self, pass: &TokenPass) -> Result<DateTime<Utc>, StoreError>;

        /// Records a token that is about to be issued: its id, the name for the log, when it was issued as
        /// [`token_time`](Self::token_time) said, and when it is refused anyway. The token itself is kept nowhere.
        fn record_token(
            &mut self,
            pass: &TokenPass,
            jti: Uuid,
            subject: &str,
            issued_at: DateTime<Utc>,
            expires_at: DateTime<Utc>,
        ) -> Result<(), StoreError>;

        /// Revokes one token of the workspace that `pass` is for, if it was issued here; says whether it was.
        fn revoke_token(&mut self, pass: &ActPass, jti: Uuid) -> Result<bool, StoreError>;

        /// Revokes any token, whoever issued it, whatever it is bound to; for a job of [`SERVER`]. Of one that was not
        /// issued here it is not known when it expires, so it is refused for longer than any token may live.
        fn revoke_any_token(&mut self, pass: &ServerPass, jti: Uuid) -> Result<(), StoreError>;

        /// Revokes all tokens of one workspace that were issued until now, whoever issued them.
        fn revoke_tokens_of(&mut self, pass: &ActPass) -> Result<(), StoreError>;

        // Idempotency keys

        /// Keeps an answer for 24 hours, in the transaction of what it tells of.
        ///
        /// It goes with `about`, the workspace that it tells of, when that is erased. What it says outlives memories and
        /// tokens: it must hold nothing of what a memory says, nor a token.
        fn remember(
            &mut self,
            org: OrgId,
            owner: &str,
            key: &str,
            about: WorkspaceId,
            answer: Remembered,
        ) -> Result<(), StoreError>;

        // Expired rows

        /// Reclaims what is still due.
        fn reclaim(&mut self, org: OrgId, due: &Due) -> Result<(), StoreError>;

        // Embeddings

        /// Keeps the vectors of those memories of this job's org that still say what was embedded, and that all is embedded
        /// that was written until the version `until`. When that is all there is, vectors of other models do not serve any
        /// longer. Says how many were kept.
        fn put_embeddings(
            &mut self,
            org: OrgId,
            model: &EmbeddingModel,
            embedded: &[Embedded],
            until: i64,
        ) -> Result<usize, StoreError>;

        // The audit log

        /// Adds a seal to the chain of this job's org, if nobody did so since its rows were looked at; says whether. Notes
        /// where the rows of each workspace are, and when the tokens that they tell of were last used.
        fn seal(&mut self, seal: &Seal, sealed: &Unsealed) -> Result<bool, StoreError>;

        /// Records what was done before, by others.
        fn append_audit_entries(&mut self, entries: &[PendingAuditEntry]) -> Result<(), StoreError>;

        /// Reclaims the rows up to the end of `checkpoint`, which takes the place of their seals, and records that. Says how
        /// many rows that were.
        fn trim_access_log(&mut self, checkpoint: &Seal) -> Result<usize, StoreError>;

        // Audit records

        /// From here on this job works on behalf of `actor`. A job that says nothing works for the server itself.
        fn set_actor(&mut self, actor: Actor);

        /// Records `record` in the org of this job: its row in the access log and, where it has them, its event and its
        /// episode.
        ///
        /// # Returns
        /// The number of its row in the access log of the org.
        fn record(&mut self, record: AuditRecord) -> Result<i64, StoreError>;

        // Events

        /// Takes away events of this job's org from before `before`, some of them at once; says how many.
        fn drop_old_events(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError>;
    }
}

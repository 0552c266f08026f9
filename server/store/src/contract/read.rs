//! Everything that a snapshot of the store answers.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Via, WorkspaceId};
use orgmem_policies::chain::{Seal, SealKey};
use orgmem_policies::rules::*;
use orgmem_policies::*;
use orgmem_recall::Query;
use uuid::Uuid;

use super::*;
use crate::StoreError;

transaction! {
    forward_read_tx

    /// One snapshot of the store: every call sees the same instant.
    pub trait ReadTx {
        // The snapshot

        /// The time of this transaction, whole microseconds; what expires by then is absent.
        fn now(&mut self) -> DateTime<Utc>;

        /// The org of a workspace, live or removed; none where there never was such a workspace.
        ///
        /// # Errors
        /// [`StoreError`]; so for every call of a transaction.
        fn org_of(&mut self, workspace: WorkspaceId) -> Result<Option<OrgId>, StoreError>;

        /// The tree of `org` at this snapshot; an empty one where there is no such org.
        ///
        /// # Complexity
        /// One row by its key, unless the tree changed since it was last asked for or is not in memory.
        fn tree(&mut self, org: OrgId) -> Result<TreeRef<'_>, StoreError>;

        /// How the token `jti`, bound to `workspace`, stands at this snapshot.
        ///
        /// # Complexity
        /// As for [`ReadTx::tree`].
        fn token_status(&mut self, workspace: Option<WorkspaceId>, jti: Uuid) -> Result<TokenStatus, StoreError>;

        // Workspaces

        /// The rows of these workspaces of one org, live and removed, in the order asked; unknown ones are left out.
        fn workspaces(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<Vec<Workspace>, StoreError>;

        /// What these workspaces of one org, live and removed, are called now; unknown ones are left out.
        fn names(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<HashMap<WorkspaceId, String>, StoreError>;

        // Lists of orgs and workspaces

        /// The workspaces that a pass shows, by creation, those after `after`; at most `limit`. A removed one is shown to
        /// whom the place is shown that it was last at.
        fn list_workspaces(
            &mut self,
            pass: &OrgPass,
            filter: &WorkspaceFilter,
            after: Option<WorkspacePlace>,
            limit: usize,
        ) -> Result<Vec<Workspace>, StoreError>;

        /// The workspaces of all orgs, in the same order.
        fn list_all_workspaces(
            &mut self,
            pass: &ServerPass,
            filter: &WorkspaceFilter,
            after: Option<WorkspacePlace>,
            limit: usize,
        ) -> Result<Vec<Workspace>, StoreError>;

        /// The orgs whose live root has this name, by creation.
        fn orgs_named(&mut self, pass: &ServerPass, name: &str) -> Result<Vec<OrgId>, StoreError>;

        /// Every org with a live root, by creation.
        fn org_summaries(&mut self, pass: &ServerPass) -> Result<Vec<OrgSummary>, StoreError>;

        /// The whole server.
        ///
        /// # Complexity
        /// O(rows): it counts.
        fn stats(&mut self, pass: &ServerPass) -> Result<Stats, StoreError>;

        // Memories

        /// What is in the pass's reach and matches, best first. A memory whose commit was acknowledged before this
        /// transaction began is among them.
        ///
        /// # Complexity
        /// By what the reach holds of the query's words; what else the org or the server holds has no part in it.
        fn search(&mut self, pass: &ReadPass, search: &Search) -> Result<Found, StoreError>;

        /// How many memories a [`search`](Self::search) without limit finds.
        fn count(&mut self, pass: &ReadPass, search: &Search) -> Result<usize, StoreError>;

        /// Where one memory stands among all that a [`search`](Self::search) without limit finds.
        fn rank(&mut self, pass: &ReadPass, search: &Search, id: Uuid) -> Result<Ranked, StoreError>;

        /// One live memory, and the way it is in reach; none where it is not there or not in reach.
        fn memory(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<(Memory, Via)>, StoreError>;

        /// Where a memory of this org stands, whatever became of it; none where there never was one.
        fn memory_location(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLocation>, StoreError>;

        /// The kind of a memory of this org; none where there is none, or nothing is left of it.
        fn memory_kind(&mut self, org: OrgId, id: Uuid) -> Result<Option<String>, StoreError>;

        /// The live memories of each of these authors, in the order asked.
        fn memory_counts(&mut self, org: OrgId, authors: &[WorkspaceId]) -> Result<Vec<MemoryCounts>, StoreError>;

        /// The same in the parts that are read together: those of which there are any, in no particular order.
        fn partition_counts(&mut self, org: OrgId, authors: &[WorkspaceId]) -> Result<Vec<PartitionCount>, StoreError>;

        /// The facts that decide whether `memory` can be committed under `id`.
        fn commit_facts(&mut self, pass: &WritePass, memory: &ReadyMemory, id: Uuid) -> Result<CommitFacts, StoreError>;

        /// The facts that decide whether `memory` can be staged in `run` under `id`.
        fn stage_facts(
            &mut self,
            pass: &WritePass,
            run: Uuid,
            memory: &ReadyMemory,
            id: Uuid,
        ) -> Result<StageFacts, StoreError>;

        // Versions of memories

        /// The versions of a memory that is in reach now, the present one first; the first `limit` of those before `before`.
        /// A version that was shared less far than the memory is now is shown to those alone who could read it as it was
        /// shared; one that was to be gone by now is absent.
        ///
        /// # Returns
        /// None where the memory is not there or not in reach.
        fn memory_versions(
            &mut self,
            pass: &ReadPass,
            id: Uuid,
            before: Option<i64>,
            limit: usize,
        ) -> Result<Option<History>, StoreError>;

        // Redactions

        /// That a memory of this org was redacted; none where it was not.
        fn redaction(&mut self, org: OrgId, memory: Uuid) -> Result<Option<RedactionRecord>, StoreError>;

        /// The receipts of an org, the newest first.
        fn erasures(&mut self, pass: &ServerPass, org: OrgId) -> Result<Vec<Erasure>, StoreError>;

        // Runs

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

        // Profiles

        /// What the default profile of a workspace says.
        ///
        /// # Complexity
        /// No row, unless a profile of the org was changed since it was last asked for.
        fn default_settings(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Arc<ProfileSettings>, StoreError>;

        /// The same of every workspace of the org whose default profile changes anything.
        fn all_default_settings(
            &mut self,
            org: OrgId,
        ) -> Result<Arc<HashMap<WorkspaceId, Arc<ProfileSettings>>>, StoreError>;

        /// The default profile of a workspace.
        fn default_profile(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Profile, StoreError>;

        /// The profiles of the pass's workspace, the default one first, then by name. There is always a default one.
        fn profiles(&mut self, pass: &ViewPass) -> Result<Vec<Profile>, StoreError>;

        /// The names of a workspace's profiles, its default profile included where that is not stored.
        fn profile_names(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<ProfileName>, StoreError>;

        /// A profile of this workspace; none where there is no such one, or it is another's.
        fn profile(&mut self, org: OrgId, workspace: WorkspaceId, id: Uuid) -> Result<Option<Profile>, StoreError>;

        /// What the pass's reader has in one of its own profiles, of the kinds that are there for it; and the newest `most`.
        fn profile_totals(&mut self, pass: &ReadPass, profile: &Profile, most: usize) -> Result<ProfileTotals, StoreError>;

        /// How many of the memories that are there now the next sweep takes by what a profile says about retention.
        ///
        /// # Complexity
        /// The memories of its workspace, where it says anything about retention.
        fn excess(&mut self, org: OrgId, profile: &Profile) -> Result<Excess, StoreError>;

        // Key/value entries

        /// One live entry.
        fn entry(&mut self, pass: &ViewPass, key: &str) -> Result<Option<Entry>, StoreError>;

        /// Live entries whose keys begin with `prefix` and are behind `after`, in the order of the keys' bytes; the first
        /// `limit` of them.
        ///
        /// # Complexity
        /// O(entries given + keys between them that are absent).
        fn list_entries(
            &mut self,
            pass: &ViewPass,
            prefix: &str,
            after: Option<&str>,
            limit: usize,
        ) -> Result<Vec<Entry>, StoreError>;

        // Episodes

        /// Episodes of one workspace, newest first; the first `limit` of those behind `after`.
        ///
        /// # Complexity
        /// O(episodes given), or with a type or a session O(episodes looked through until as many are found).
        fn list_episodes(
            &mut self,
            pass: &ViewPass,
            filter: &EpisodeFilter,
            after: Option<EpisodePlace>,
            limit: usize,
        ) -> Result<Vec<Episode>, StoreError>;

        // Session search

        /// The workspace's episodes and live memories, of the kinds that are there for it, that match, in order; the first `limit` of those behind `after`.
        ///
        /// # Complexity
        /// Newest first: O(rows looked through until `limit` match). By relevance: O(rows of the workspace).
        fn search_session(
            &mut self,
            pass: &ViewPass,
            reads: &ReadPass,
            query: &SessionQuery,
            after: Option<SessionPlace>,
            limit: usize,
        ) -> Result<Vec<SessionRow>, StoreError>;

        // Tokens

        /// A token issued here, revoked or not; none for those that a platform signed itself, and none once it has expired
        /// and was swept.
        fn token(&mut self, jti: Uuid) -> Result<Option<KnownToken>, StoreError>;

        /// The tokens that were issued here for the workspace of `pass` and have not expired, newest first: those that
        /// follow `before`, which is when one was issued, and its id.
        fn tokens_of(
            &mut self,
            pass: &ActPass,
            before: Option<(DateTime<Utc>, Uuid)>,
            most: usize,
        ) -> Result<Vec<TokenRecord>, StoreError>;

        /// How many tokens that were issued here for the workspace of `pass` are accepted now.
        fn tokens_in_force(&mut self, pass: &ActPass) -> Result<i64, StoreError>;

        // Idempotency keys

        /// What the request that `owner` named `key` was answered in the last 24 hours.
        fn remembered(&mut self, org: OrgId, owner: &str, key: &str) -> Result<Option<Remembered>, StoreError>;

        // Expired rows

        /// What has expired, org by org: about as much as one write should take on.
        fn due(&mut self) -> Result<Vec<(OrgId, Due)>, StoreError>;

        // Embeddings

        /// Orgs in which something was written that this model has not come to.
        fn orgs_to_embed(&mut self, model: i32) -> Result<Vec<Behind>, StoreError>;

        /// Memories of `org` that this model has not come to, up to `most`, of those written after the version `after`.
        fn unembedded(&mut self, org: OrgId, model: i32, after: i64, most: usize) -> Result<Unembedded, StoreError>;

        /// How many memories of the orgs this model has not come to, no more than `most`.
        fn unembedded_count(&mut self, model: i32, most: i64) -> Result<i64, StoreError>;

        /// The models that memories of `org` are embedded by.
        fn models_of(&mut self, org: OrgId) -> Result<Vec<EmbeddingModel>, StoreError>;

        /// The models besides this one that memories of any org are embedded by.
        fn former_models(&mut self, model: i32) -> Result<Vec<EmbeddingModel>, StoreError>;

        /// The names of authors in reach that may stand in this query.
        fn authors_named(&mut self, pass: &ReadPass, query: &Query) -> Result<Vec<String>, StoreError>;

        // The audit log

        /// Rows before the number `before`, newest first, up to `limit`. It looks at a bounded number of rows at once.
        fn access_rows(
            &mut self,
            pass: &AuditPass,
            filter: &AccessFilter,
            before: Option<i64>,
            limit: usize,
        ) -> Result<AccessPage, StoreError>;

        /// Who got what these memories say, as far as the pass lets it be seen. It looks at a bounded number of rows, the
        /// newest first.
        fn memory_reads(&mut self, pass: &AuditPass, memories: &[Uuid]) -> Result<MemoryReads, StoreError>;

        /// Orgs that have rows to seal.
        fn orgs_to_seal(&mut self) -> Result<Vec<OrgId>, StoreError>;

        /// The next rows of `org` to seal, up to `most`.
        fn unsealed(&mut self, org: OrgId, most: usize) -> Result<Unsealed, StoreError>;

        /// Checks some stretches of the chain, from the beginning or after the seal where it was left. `anchor` is
        /// the last row, with the link after it, that was kept outside the database.
        fn check_chain(
            &mut self,
            pass: &VerifyPass,
            after: Option<&Seal>,
            keys: &[SealKey],
            anchor: Option<(i64, [u8; 32])>,
        ) -> Result<CheckedPart, StoreError>;

        /// Rows of this org that were done before `before` and are sealed: the last stretch of them, if any.
        fn trimmable(&mut self, org: OrgId, before: DateTime<Utc>) -> Result<Option<Seal>, StoreError>;

        /// Orgs whose first stretch is older than `before`.
        fn orgs_to_trim(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;

        // Events

        /// The number of the last event of an org.
        fn last_event(&mut self, org: OrgId) -> Result<i64, StoreError>;

        /// Events after the number `after` that may be told under `pass`; of the next `most` that there are.
        fn events_after(&mut self, pass: &EventPass, after: i64, most: usize) -> Result<EventPage, StoreError>;

        /// Orgs that have events from before `before`.
        fn orgs_with_old_events(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;
    }
}

//! The reads of a snapshot.

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

    /// One snapshot of the store. All calls see the same instant.
    pub trait ReadTx: DocumentReads + GrantReads + ReadPages + ExportReads + ReadRecords + ReadReviews + BudgetReads + MetadataReads + OldReads
        + PluginReads + ProcessorReads + ProviderReads + RowReads + SessionReads + SkillReads + TextReads + TurnReads {
        // The snapshot

        /// The time of this transaction in whole microseconds. Data that expires by then is absent.
        fn now(&mut self) -> DateTime<Utc>;

        /// The org of a workspace, live or removed; `None` if the workspace never existed.
        ///
        /// # Errors
        /// [`StoreError`], as for every call of a transaction.
        fn org_of(&mut self, workspace: WorkspaceId) -> Result<Option<OrgId>, StoreError>;

        /// Whether `org` has this workspace, live or removed. A workspace of another org and one that never existed take
        /// the same statement with the same outcome, so that a caller cannot distinguish them by time.
        fn is_in_org(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<bool, StoreError>;

        /// The tree of `org` at this snapshot; empty if the org does not exist.
        ///
        /// # Complexity
        /// One row by key if the cached tree is current; else also the changed rows, or all rows of the tree.
        fn tree(&mut self, org: OrgId) -> Result<TreeRef<'_>, StoreError>;

        /// The status of the token `jti`, bound to `workspace`, at this snapshot.
        ///
        /// # Complexity
        /// As for [`ReadTx::tree`].
        fn token_status(&mut self, workspace: Option<WorkspaceId>, jti: Uuid) -> Result<TokenStatus, StoreError>;

        // Workspaces

        /// The rows of these workspaces of one org, live or removed, in the order of `ids`. Unknown ids are omitted.
        fn workspaces(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<Vec<Workspace>, StoreError>;

        /// The current names of these workspaces of one org, live or removed. Unknown ids are omitted.
        fn names(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<HashMap<WorkspaceId, String>, StoreError>;

        // Lists of orgs and workspaces

        /// At most `limit` workspaces of the pass after the position `after`, in the order of creation. A removed
        /// workspace is listed if the pass covers its last place in the tree.
        fn list_workspaces(
            &mut self,
            pass: &OrgPass,
            filter: &WorkspaceFilter,
            after: Option<WorkspaceCursor>,
            limit: usize,
        ) -> Result<Vec<Workspace>, StoreError>;

        /// The same for the workspaces of all orgs.
        fn list_all_workspaces(
            &mut self,
            pass: &ServerPass,
            filter: &WorkspaceFilter,
            after: Option<WorkspaceCursor>,
            limit: usize,
        ) -> Result<Vec<Workspace>, StoreError>;

        /// The orgs with a live root of this name, in the order of creation.
        fn orgs_named(&mut self, pass: &ServerPass, name: &str) -> Result<Vec<OrgId>, StoreError>;

        /// The profiles and memories with this id, in one org or in every org.
        ///
        /// # Complexity
        /// O(1) for one org, otherwise O(orgs).
        fn located(&mut self, org: Option<OrgId>, id: Uuid) -> Result<Vec<Located>, StoreError>;

        /// Statistics of every org with a live root, in the order of creation.
        fn org_summaries(&mut self, pass: &ServerPass) -> Result<Vec<OrgSummary>, StoreError>;

        /// The operations of every org on each of the last `days` days that has some, the oldest first.
        ///
        /// # Complexity
        /// O(orgs · days).
        fn org_days(&mut self, pass: &ServerPass, days: u32) -> Result<HashMap<OrgId, Vec<OrgDay>>, StoreError>;

        /// The number of runs of each org that timed out since `since`.
        ///
        /// # Complexity
        /// O(runs that ended since then).
        fn timed_out_runs(
            &mut self,
            pass: &ServerPass,
            since: DateTime<Utc>,
        ) -> Result<HashMap<OrgId, i64>, StoreError>;

        /// Statistics of the server.
        ///
        /// # Complexity
        /// O(rows).
        fn stats(&mut self, pass: &ServerPass) -> Result<Stats, StoreError>;

        // Memories

        /// The matches within the reach of the pass, best first. Every memory whose commit was acknowledged before this
        /// transaction began is searched.
        ///
        /// # Complexity
        /// Depends on the occurrences of the query's words within the reach, not on other data of the server.
        fn search(&mut self, pass: &ReadPass, search: &Search) -> Result<Found, StoreError>;

        /// The number of matches of a [`search`](Self::search) without a limit.
        fn count(&mut self, pass: &ReadPass, search: &Search) -> Result<usize, StoreError>;

        /// The rank of one memory among the matches of a [`search`](Self::search) without a limit.
        fn rank(&mut self, pass: &ReadPass, search: &Search, id: Uuid) -> Result<Ranked, StoreError>;

        /// One live memory and the relation through which it is in reach; `None` if it is not live or not in reach.
        fn memory(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<(Memory, Via)>, StoreError>;

        /// The metadata of a memory of this org in any state; `None` if the memory never existed.
        fn memory_location(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLocation>, StoreError>;

        /// What profiles hide a memory of this org by; `None` if the memory does not exist or has no content any more.
        fn memory_labels(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLabels>, StoreError>;

        /// The numbers of live memories of these authors, in the order of `authors`.
        fn memory_counts(&mut self, org: OrgId, authors: &[WorkspaceId]) -> Result<Vec<MemoryCounts>, StoreError>;

        /// The same by partition, without empty partitions and in no particular order.
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

        /// At most `limit` versions of a memory in reach, newest first, the current one included; only versions below
        /// `before`. Earlier versions are omitted if expired or if the pass does not cover their scope, team and kind.
        ///
        /// # Returns
        /// `None` if the memory is not live or not in reach.
        fn memory_versions(
            &mut self,
            pass: &ReadPass,
            id: Uuid,
            before: Option<i64>,
            limit: usize,
        ) -> Result<Option<History>, StoreError>;

        // Redactions

        /// The redaction of a memory of this org; `None` if it was not redacted.
        fn redaction(&mut self, org: OrgId, memory: Uuid) -> Result<Option<RedactionRecord>, StoreError>;

        /// The tombstone of a redacted memory that the pass would cover; `None` for every other memory.
        fn tombstone(&mut self, pass: &ReadPass, memory: Uuid) -> Result<Option<Tombstone>, StoreError>;

        /// The redactions of memories of the authors in the pass, newest first. A page may have fewer than `limit` rows
        /// before the last page, because it scans a bounded number.
        fn redactions(
            &mut self,
            pass: &AuditPass,
            before: Option<RedactionCursor>,
            limit: usize,
        ) -> Result<RedactionPage, StoreError>;

        /// The receipts of an org, newest first.
        fn erasures(&mut self, pass: &ServerPass, org: OrgId) -> Result<Vec<Erasure>, StoreError>;

        // Runs

        /// A run of this workspace; `None` if it does not exist.
        fn run(&mut self, org: OrgId, workspace: WorkspaceId, id: Uuid) -> Result<Option<Run>, StoreError>;

        /// At most `most` runs of the pass's workspace, newest first.
        fn runs(&mut self, pass: &ViewPass, filter: &RunFilter, most: usize) -> Result<Vec<Run>, StoreError>;

        /// At most `most` pending memories of a run of the pass's workspace, with numbers above `after`, in the order
        /// of their writes. Empty if the run is not open.
        fn pending_memories(
            &mut self,
            pass: &ViewPass,
            run: Uuid,
            after: i64,
            most: usize,
        ) -> Result<Vec<PendingMemory>, StoreError>;

        /// Orgs with runs that ended before `before`.
        fn orgs_with_old_runs(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;

        /// The open run in which a memory is pending; `None` if it is not pending.
        fn pending_ref(&mut self, org: OrgId, memory: Uuid) -> Result<Option<PendingMemoryRef>, StoreError>;

        // Profiles

        /// The settings of the default profile of a workspace.
        ///
        /// # Complexity
        /// Reads no profile rows unless a profile of the org changed since the previous call.
        fn default_settings(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Arc<ProfileSettings>, StoreError>;

        /// The settings of all default profiles of the org that restrict anything.
        fn all_default_settings(
            &mut self,
            org: OrgId,
        ) -> Result<Arc<HashMap<WorkspaceId, Arc<ProfileSettings>>>, StoreError>;

        /// The default profile of a workspace.
        fn default_profile(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Profile, StoreError>;

        /// The profiles of the pass's workspace: the default profile, which always exists, then the others by name.
        fn profiles(&mut self, pass: &ViewPass) -> Result<Vec<Profile>, StoreError>;

        /// The names of the profiles of a workspace. They include the default profile, stored or not.
        fn profile_names(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<ProfileName>, StoreError>;

        /// A profile of this workspace; `None` if it does not exist or belongs to another workspace.
        fn profile(&mut self, org: OrgId, workspace: WorkspaceId, id: Uuid) -> Result<Option<Profile>, StoreError>;

        /// Counts and the newest `most` of the reader's live memories in one of its profiles, without excluded kinds.
        fn profile_totals(&mut self, pass: &ReadPass, profile: &Profile, most: usize) -> Result<ProfileTotals, StoreError>;

        /// The number of live memories that the next sweep will remove by the retention of `profile`.
        ///
        /// # Complexity
        /// O(memories of the workspace); O(1) if the profile has no retention.
        fn excess(&mut self, org: OrgId, profile: &Profile) -> Result<RetentionExcess, StoreError>;

        // Key/value entries

        /// The live entry with this key.
        fn entry(&mut self, pass: &ViewPass, key: &str) -> Result<Option<Entry>, StoreError>;

        /// The first `limit` live entries with keys that begin with `prefix` and follow `after`, in the byte order of
        /// the keys.
        ///
        /// # Complexity
        /// O(entries returned + absent keys between them).
        fn list_entries(
            &mut self,
            pass: &ViewPass,
            prefix: &str,
            after: Option<&str>,
            limit: usize,
        ) -> Result<Vec<Entry>, StoreError>;

        // Episodes

        /// The first `limit` episodes of one workspace after the position `after`, newest first.
        ///
        /// # Complexity
        /// O(episodes returned); with a type or session in the filter, O(episodes scanned until `limit` match).
        fn list_episodes(
            &mut self,
            pass: &ViewPass,
            filter: &EpisodeFilter,
            after: Option<EpisodeCursor>,
            limit: usize,
        ) -> Result<Vec<Episode>, StoreError>;

        // Session search

        /// The first `limit` matching episodes and live memories of the workspace after the position `after`, in the
        /// order of the query. Excluded kinds of memories are omitted.
        ///
        /// # Complexity
        /// Newest first: O(rows scanned until `limit` match). By relevance: O(rows of the workspace).
        fn search_session(
            &mut self,
            pass: &ViewPass,
            reads: &ReadPass,
            query: &SessionQuery,
            after: Option<SessionCursor>,
            limit: usize,
        ) -> Result<Vec<SessionRow>, StoreError>;

        // Tokens

        /// A token issued here, revoked or not; `None` for a token that a platform signed itself, and for an expired
        /// token after its sweep.
        fn token(&mut self, jti: Uuid) -> Result<Option<KnownToken>, StoreError>;

        /// At most `most` unexpired tokens that were issued here for the workspace of `pass`, newest first. `before` is
        /// the time of issue and the id of the last token of the previous page.
        fn tokens_of(
            &mut self,
            pass: &ActPass,
            before: Option<(DateTime<Utc>, Uuid)>,
            most: usize,
        ) -> Result<Vec<TokenRecord>, StoreError>;

        /// The number of valid tokens that were issued here for the workspace of `pass`.
        fn tokens_in_force(&mut self, pass: &ActPass) -> Result<i64, StoreError>;

        // Idempotency keys

        /// The response to the request of `owner` with the key `key`, if it was stored in the last 24 hours.
        fn remembered(&mut self, org: OrgId, owner: &str, key: &str) -> Result<Option<Remembered>, StoreError>;

        // Expired rows

        /// Expired rows by org, limited to an amount that one write should process.
        fn due(&mut self) -> Result<Vec<(OrgId, Due)>, StoreError>;

        // Segments of the index, and embeddings

        /// Orgs whose segments may lack changes, with their versions.
        fn orgs_behind_segments(&mut self) -> Result<Vec<(OrgId, i64)>, StoreError>;

        /// The segments of `org` and about `most` of the changes that they lack; `None` if it is too early to write them.
        fn segment_work(&mut self, org: OrgId, most: usize) -> Result<Option<SegmentWork>, StoreError>;

        /// Orgs with writes that this model has not embedded yet.
        fn orgs_to_embed(&mut self, model: i32) -> Result<Vec<EmbeddingBacklog>, StoreError>;

        /// At most `most` memories of `org` that were written after the org version `after` and that this model has not
        /// embedded yet, oldest write first.
        fn unembedded(&mut self, org: OrgId, model: i32, after: i64, most: usize) -> Result<Unembedded, StoreError>;

        /// The number of memories of all orgs that this model has not embedded yet; counts up to `most`.
        fn unembedded_count(&mut self, model: i32, most: i64) -> Result<i64, StoreError>;

        /// The models that have embedded memories of `org`.
        fn models_of(&mut self, org: OrgId) -> Result<Vec<EmbeddingModel>, StoreError>;

        /// The models other than this one that have embedded memories of any org.
        fn former_models(&mut self, model: i32) -> Result<Vec<EmbeddingModel>, StoreError>;

        /// The names of authors in reach that `query` mentions.
        fn authors_named(&mut self, pass: &ReadPass, query: &Query) -> Result<Vec<String>, StoreError>;

        // The audit log

        /// At most `limit` rows with numbers below `before`, newest first. One call scans a bounded number of rows.
        fn access_rows(
            &mut self,
            pass: &AuditPass,
            filter: &AccessFilter,
            before: Option<i64>,
            limit: usize,
        ) -> Result<AccessPage, StoreError>;

        /// The readers of these memories, as far as the pass covers them. Scans a bounded number of rows, newest first.
        fn memory_reads(&mut self, pass: &AuditPass, memories: &[Uuid]) -> Result<MemoryReads, StoreError>;

        /// Orgs with rows to seal.
        fn orgs_to_seal(&mut self) -> Result<Vec<OrgId>, StoreError>;

        /// The next rows of `org` to seal, at most `most`.
        fn unsealed(&mut self, org: OrgId, most: usize) -> Result<Unsealed, StoreError>;

        /// Verifies a bounded number of sealed ranges, from the beginning of the chain or after the seal `after`.
        /// `anchor` is the number of the last row in an anchor outside the database, and the link after that row.
        fn check_chain(
            &mut self,
            pass: &VerifyPass,
            after: Option<&Seal>,
            keys: &[SealKey],
            anchor: Option<(i64, [u8; 32])>,
        ) -> Result<CheckedPart, StoreError>;

        /// The last of the sealed ranges of `org` from before `before`, within a bounded number of the oldest ranges;
        /// `None` if there are none.
        fn trimmable(&mut self, org: OrgId, before: DateTime<Utc>) -> Result<Option<Seal>, StoreError>;

        /// Orgs whose first sealed range is older than `before`.
        fn orgs_to_trim(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;

        // Events

        /// The number of the last event of an org.
        fn last_event(&mut self, org: OrgId) -> Result<i64, StoreError>;

        /// The next `most` events after the number `after`, without the events that `pass` does not permit.
        fn events_after(&mut self, pass: &EventPass, after: i64, most: usize) -> Result<EventPage, StoreError>;

        /// Orgs with events from before `before`.
        fn orgs_with_old_events(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;
    }
}

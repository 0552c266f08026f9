//! Erasure of an end user, of workspaces or of an org, and its receipts.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::rules::WithdrawalCause;
use orgmem_policies::{ErasePass, Erasing, ServerPass};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Tx;
use super::episode_removals::Removal;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::cache::{Effect, PartitionKey};
use crate::columns::{Id, PartitionScope, TextEnum, Time};
use crate::contract::{AuditRecord, Erased, ErasedCounts, Erasure};
use crate::engine::RowContext;
use crate::schema::{
    budgets, collection_rows, collections, document_passages, document_versions, documents, entries, episode_changes,
    episodes, erasures, events, grants, idempotency_keys, memories, memory_index, memory_partitions, memory_segments,
    memory_uses, memory_versions, page_work, pages, pending_memories, plugin_namespaces, processor_groups,
    processor_rows, processor_runs, processors, profiles, record_fields, records, redactions, reviews, runs,
    text_blocks, text_workspaces, tokens, turns, workspaces,
};

/// Maximum number of ids in a statement.
const CHUNK: usize = 500;

/// Name of every erased workspace.
const ERASED_NAME: &str = "erased";

/// A row of `erasures`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = erasures)]
struct ErasureRow {
    org_id: Id,
    id: Id,
    what: String,
    about: Vec<u8>,
    reason: String,
    erased_by: String,
    erased_at: Time,
    workspaces: i64,
    memories: i64,
    versions: i64,
    entries: i64,
    episodes: i64,
    tokens: i64,
    answers: i64,
    access_seq: Option<i64>,
}

impl ErasureRow {
    fn of(erasure: &Erasure) -> Self {
        let (what, about) = match erasure.what {
            Erased::Subject(hash) => ("subject", hash.to_vec()),
            Erased::Workspace(id) => ("workspace", id.uuid().as_bytes().to_vec()),
            Erased::Org => ("org", erasure.org.uuid().as_bytes().to_vec()),
        };
        Self {
            org_id: erasure.org.into(),
            id: Id(erasure.id),
            what: what.to_owned(),
            about,
            reason: erasure.reason.clone(),
            erased_by: erasure.by.clone(),
            erased_at: Time(erasure.at),
            workspaces: erasure.counts.workspaces,
            memories: erasure.counts.memories,
            versions: erasure.counts.versions,
            entries: erasure.counts.entries,
            episodes: erasure.counts.episodes,
            tokens: erasure.counts.tokens,
            answers: erasure.counts.answers,
            access_seq: erasure.access_seq,
        }
    }

    fn read(self) -> Result<Erasure, StoreError> {
        let unreadable = |reason: &str| StoreError::unreadable("erasures", self.id.0, reason);
        let what = match self.what.as_str() {
            "subject" => Erased::Subject(self.about.try_into().map_err(|_| unreadable("a hash of a wrong length"))?),
            "workspace" => {
                let id = Uuid::from_slice(&self.about).map_err(|_| unreadable("an id of a wrong length"))?;
                Erased::Workspace(id.into())
            }
            "org" => Erased::Org,
            _ => return Err(unreadable("an unknown word")),
        };
        let counts = ErasedCounts {
            workspaces: self.workspaces,
            memories: self.memories,
            versions: self.versions,
            entries: self.entries,
            episodes: self.episodes,
            tokens: self.tokens,
            answers: self.answers,
        };
        Ok(Erasure {
            id: self.id.0,
            org: self.org_id.org(),
            what,
            reason: self.reason,
            by: self.erased_by,
            at: self.erased_at.0,
            counts,
            access_seq: self.access_seq,
        })
    }
}

impl Tx<'_> {
    pub(crate) fn receipts(&mut self, _: &ServerPass, org: OrgId) -> Result<Vec<Erasure>, StoreError> {
        let rows: Vec<ErasureRow> = erasures::table
            .filter(erasures::org_id.eq(Id::from(org)))
            .order(erasures::id.desc())
            .select(ErasureRow::as_select())
            .load(self.conn()?)
            .row_context("erasures", org)?;
        rows.into_iter().map(ErasureRow::read).collect()
    }

    pub(crate) fn erase_all(&mut self, pass: &ErasePass, reason: &ReasonDraft) -> Result<Erasure, StoreError> {
        let org = pass.org();
        let (what, counts) = match pass.what() {
            Erasing::Subject(subject) => {
                let counts = self.erase_subject(org, subject.as_str(), reason.as_str(), pass.by())?;
                (Erased::Subject(Sha256::digest(subject.as_str()).into()), counts)
            }
            Erasing::Workspaces(gone) => {
                let top = gone.first().copied().unwrap_or(WorkspaceId::NIL);
                (Erased::Workspace(top), self.erase_workspaces(org, gone)?)
            }
            Erasing::Org => {
                let all = self.all_workspaces(org)?;
                (Erased::Org, self.erase_workspaces(org, &all)?)
            }
        };
        let erasure = Erasure {
            id: self.core.ids.next(self.now),
            org,
            what,
            reason: reason.as_str().to_owned(),
            by: pass.by().to_owned(),
            at: self.now,
            counts,
            access_seq: None,
        };
        self.record_erasure(erasure)
    }

    /// The ids of all workspaces of an org, also of removed ones.
    pub(crate) fn all_workspaces(&mut self, org: OrgId) -> Result<Vec<WorkspaceId>, StoreError> {
        let all: Vec<Id> = workspaces::table
            .filter(workspaces::org_id.eq(Id::from(org)))
            .select(workspaces::id)
            .load(self.drained()?)
            .row_context("workspaces", org)?;
        Ok(all.into_iter().map(Id::workspace).collect())
    }

    /// Writes the audit row and the receipt of an erasure.
    pub(crate) fn record_erasure(&mut self, erasure: Erasure) -> Result<Erasure, StoreError> {
        let (org, counts) = (erasure.org, erasure.counts);
        let (action, about) = match erasure.what {
            Erased::Workspace(top) => (AuditAction::PurgeWorkspace, top),
            Erased::Subject(_) | Erased::Org => (AuditAction::Erase, org.root()),
        };
        let record = AuditRecord::new(action, about)
            .context_field("erasure_id", erasure.id.to_string())
            .context_field("memories", counts.memories)
            .context_field("episodes", counts.episodes)
            .context_field("entries", counts.entries);
        let erasure = Erasure { access_seq: Some(self.record(record)?), ..erasure };
        diesel::insert_into(erasures::table).values(ErasureRow::of(&erasure)).execute(self.writing()?)?;
        Ok(erasure)
    }

    /// Redacts every memory and every episode about an end user, and deletes the earlier versions and the entries.
    pub(crate) fn erase_subject(
        &mut self,
        of: OrgId,
        subject: &str,
        reason: &str,
        by: &str,
    ) -> Result<ErasedCounts, StoreError> {
        let org = Id::from(of);
        self.touch(of)?;
        let about: Vec<MemoryRow> = memories::table
            .filter(memories::org_id.eq(org))
            .filter(memories::subject.eq(subject))
            .select(MemoryRow::as_select())
            .load(self.drained()?)
            .row_context("memories", "of a subject")?;
        let mut counts = ErasedCounts::default();
        for row in about {
            let (_, versions) = self.redact_row(row, reason, by)?;
            counts.memories += 1;
            counts.versions += i64::try_from(versions).unwrap_or(i64::MAX);
        }
        // the earlier versions of memories that now have another subject
        let earlier: Vec<Id> = memory_versions::table
            .filter(memory_versions::org_id.eq(org))
            .filter(memory_versions::subject.eq(subject))
            .select(memory_versions::memory_id)
            .distinct()
            .load(self.drained()?)
            .row_context("memory_versions", "of a subject")?;
        for memory in earlier {
            self.withdraw_skills_of(of, memory.0, WithdrawalCause::SourceRemoved)?;
        }
        self.uncount_versions(of, Box::new(memory_versions::subject.eq(subject.to_owned()).assume_not_null()))?;
        let versions =
            memory_versions::table.filter(memory_versions::org_id.eq(org)).filter(memory_versions::subject.eq(subject));
        self.pending.deleted_from.push("memory_versions");
        // their content leaves the segments when their replacement is stored; the files are cleaned again then
        self.pending.deleted_from.push("memory_segments");
        counts.versions += count(diesel::delete(versions).execute(self.writing()?)?);
        counts.memories += self.erase_pending_about(of, subject)?;
        let (episodes, facts) = self.erase_episodes_about(of, subject, Removal { reason, by })?;
        counts.episodes += count(episodes);
        counts.memories += count(facts);
        counts.entries += self.erase_entries_about(of, subject)?;
        self.erase_grants_about(org, subject)?;
        self.erase_tokens_of(org, subject)?;
        self.erase_record(of, subject)?;
        self.erase_rows(of, subject, reason, by)?;
        Ok(counts)
    }

    /// Deletes all content of workspaces. Their rows remain, without names, because workspace ids are never reused.
    pub(crate) fn erase_workspaces(&mut self, org: OrgId, gone: &[WorkspaceId]) -> Result<ErasedCounts, StoreError> {
        let org_version = self.touch(org)?;
        let (org_id, now) = (Id::from(org), Time(self.now));
        let mut counts = ErasedCounts { workspaces: count(gone.len()), ..ErasedCounts::default() };
        for gone in gone.chunks(CHUNK) {
            let ids: Vec<Id> = gone.iter().copied().map(Id::from).collect();
            for partition in self.partitions_of_all(org_id, &ids)? {
                self.note_purged(org, partition, org_version, Effect::PurgeAll);
            }
            self.uncount_workspaces(org, &ids)?;
            self.erase_skills_of(org, &ids)?;
            self.withdraw_workspaces(org_id, &ids)?;
            let conn = self.writing()?;
            macro_rules! delete {
                ($table:ident, $column:ident) => {
                    count(
                        diesel::delete($table::table)
                            .filter($table::org_id.eq(org_id))
                            .filter($table::$column.eq_any(&ids))
                            .execute(conn)?,
                    )
                };
            }
            delete!(memory_index, author_id);
            delete!(memory_segments, author_id);
            delete!(memory_partitions, author_id);
            delete!(budgets, workspace_id);
            delete!(plugin_namespaces, workspace_id);
            let of_gone = memories::table
                .filter(memories::org_id.eq(org_id))
                .filter(memories::author_id.eq_any(&ids))
                .select(memories::id);
            diesel::delete(memory_uses::table)
                .filter(memory_uses::org_id.eq(org_id))
                .filter(memory_uses::memory_id.eq_any(of_gone))
                .execute(conn)?;
            delete!(memory_uses, workspace_id);
            counts.versions += delete!(memory_versions, author_id);
            counts.memories += delete!(memories, author_id);
            // the id of a deleted memory can be reused, so no redaction of it may remain
            delete!(redactions, author_id);
            delete!(document_passages, author_id);
            delete!(document_versions, author_id);
            delete!(documents, author_id);
            counts.memories += delete!(pending_memories, workspace_id);
            delete!(runs, workspace_id);
            delete!(profiles, workspace_id);
            counts.entries += delete!(entries, workspace_id);
            counts.episodes += delete!(episodes, workspace_id);
            delete!(episode_changes, workspace_id);
            delete!(text_blocks, workspace_id);
            delete!(text_workspaces, workspace_id);
            delete!(reviews, workspace_id);
            delete!(grants, workspace_id);
            delete!(collection_rows, workspace_id);
            delete!(collections, workspace_id);
            delete!(turns, workspace_id);
            delete!(processor_runs, workspace_id);
            delete!(processor_groups, workspace_id);
            delete!(processor_rows, workspace_id);
            delete!(processors, workspace_id);
            delete!(pages, workspace_id);
            delete!(page_work, workspace_id);
            delete!(events, workspace_id);
            counts.tokens += delete!(tokens, workspace_id);
            counts.answers += delete!(idempotency_keys, workspace_id);
            diesel::update(workspaces::table)
                .filter(workspaces::org_id.eq(org_id))
                .filter(workspaces::id.eq_any(&ids))
                .set((
                    workspaces::name.eq(ERASED_NAME),
                    workspaces::role.eq(None::<String>),
                    workspaces::metadata.eq(None::<String>),
                    workspaces::updated_at.eq(now),
                ))
                .execute(conn)?;
        }
        if gone.contains(&org.root()) {
            let conn = self.writing()?;
            diesel::delete(record_fields::table.filter(record_fields::org_id.eq(org_id))).execute(conn)?;
            diesel::delete(records::table.filter(records::org_id.eq(org_id))).execute(conn)?;
        }
        for table in [
            "records",
            "reviews",
            "grants",
            "collections",
            "collection_rows",
            "processors",
            "processor_rows",
            "processor_groups",
            "processor_runs",
            "turns",
            "record_fields",
            "memories",
            "memory_uses",
            "memory_versions",
            "memory_index",
            "memory_segments",
            "documents",
            "document_versions",
            "document_passages",
            "redactions",
            "skills",
            "skill_versions",
            "pending_memories",
            "plugin_namespaces",
            "runs",
            "profiles",
            "entries",
            "episodes",
            "text_blocks",
            "pages",
            "page_work",
            "events",
            "idempotency_keys",
            "workspaces",
        ] {
            self.pending.deleted_from.push(table);
        }
        // other servers do not see deleted rows: these changes make them discard their cached index and names
        let changes = &mut self.view(org)?.changes;
        changes.row_delta.raise_index_floor(org_version);
        changes.names = true;
        Ok(counts)
    }

    fn partitions_of_all(&mut self, org: Id, authors: &[Id]) -> Result<Vec<PartitionKey>, StoreError> {
        let rows: Vec<(Id, TextEnum<PartitionScope>, Id)> = memory_partitions::table
            .filter(memory_partitions::org_id.eq(org))
            .filter(memory_partitions::author_id.eq_any(authors))
            .select((memory_partitions::author_id, memory_partitions::scope, memory_partitions::team_id))
            .load(self.drained()?)
            .row_context("memory_partitions", org)?;
        Ok(rows.into_iter().map(|(author, scope, team)| PartitionKey::of_row(author, scope, team)).collect())
    }
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

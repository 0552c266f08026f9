//! Memories: committing, replacing, forgetting, reading one.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use orgmem_hierarchy::{OrgId, Via, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules::{CommitFacts, CommitPlan};
use orgmem_policies::{ForgetPass, ReadPass, WritePass};
use orgmem_recall::{Doc, Embeddings, Meta, Vector};
use uuid::Uuid;

use super::Tx;
use super::audit_records::memory_record;
use super::memory_rows::{IndexRow, MemoryRow};
use super::partitions::PartitionDelta;
use super::segments::embeddings;
use super::upsert::Upsert;
use crate::StoreError;
use crate::cache::{IndexChange, PartitionKey};
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{
    Analysed, Committed, ForgetOutcome, Memory, MemoryLocation, MemoryStatus, ReadyMemory, VersionConflict,
};
use crate::engine::RowContext;
use crate::schema::{memories, memory_index};

impl Tx<'_> {
    pub(crate) fn commit_memory(
        &mut self,
        pass: &WritePass,
        memory: &ReadyMemory,
        plan: &CommitPlan,
    ) -> Result<Committed, StoreError> {
        self.commit(pass, memory, plan, true)
    }

    pub(crate) fn forget_memory(
        &mut self,
        pass: &ForgetPass,
        id: Uuid,
        if_match: Option<i64>,
    ) -> Result<ForgetOutcome, StoreError> {
        let org = pass.org();
        let Some(row) = self.memory_row(org, id)? else { return Ok(ForgetOutcome::NoMemory) };
        let is_there =
            matches!(row.status.0, MemoryStatus::Live | MemoryStatus::Superseded) && !row.is_expired(Time(self.now));
        if row.author_id != pass.author().into() || !is_there {
            return Ok(ForgetOutcome::NoMemory);
        }
        if let Some(expected) = if_match.filter(|&expected| expected != row.version) {
            return Ok(ForgetOutcome::Conflict(VersionConflict { expected, current: Some(row.version) }));
        }
        let org_version = self.touch(org)?;
        self.take_out(&row, org_version)?;
        self.record_memory(AuditAction::ForgetMemory, "forgot", &row)?;
        let row = MemoryRow {
            status: TextEnum(MemoryStatus::Deleted),
            version: row.version + 1,
            org_version,
            updated_at: Time(self.now),
            expires_at: None,
            ..row.emptied()
        };
        diesel::update(memories::table.find((row.org_id, row.id))).set(&row).execute(self.writing()?)?;
        Ok(ForgetOutcome::Done)
    }

    pub(crate) fn commit_staged(
        &mut self,
        pass: &WritePass,
        memory: &ReadyMemory,
        plan: &CommitPlan,
    ) -> Result<Committed, StoreError> {
        self.commit(pass, memory, plan, false)
    }

    pub(crate) fn commit_facts(
        &mut self,
        pass: &WritePass,
        memory: &ReadyMemory,
        id: Uuid,
    ) -> Result<CommitFacts, StoreError> {
        let (org, fields) = (pass.org(), memory.draft.fields());
        Ok(CommitFacts {
            profile: self.target_profile(org, pass.author(), fields.profile_id)?,
            // an id that the server made is new
            existing: if fields.id.is_some() { self.memory_location(org, id)? } else { None },
            superseded: match fields.supersedes {
                Some(old) => self.memory_location(org, old)?,
                None => None,
            },
            pinned: if fields.pin { self.pinned_by(org, pass.author())? } else { Vec::new() },
        })
    }

    fn commit(
        &mut self,
        pass: &WritePass,
        memory: &ReadyMemory,
        plan: &CommitPlan,
        with_event: bool,
    ) -> Result<Committed, StoreError> {
        let (org, id) = (pass.org(), plan.id());
        let replaced = if memory.draft.fields().id.is_some() { self.memory_row(org, id)? } else { None };
        let org_version = self.touch(org)?;
        if let Some(old) = plan.supersedes() {
            self.supersede(org, old, id, org_version)?;
        }
        self.note_entry(org, pass.author(), plan.profile())?;
        let row = self.new_row(pass, memory, plan, org_version, replaced.as_ref())?;
        let expires_at = row.expires_at.map(|at| at.0);
        let committed = Committed { id, version: row.version, created_at: row.created_at.0, expires_at };
        let done = if replaced.is_some() { "replaced" } else { "committed" };
        let record = memory_record(AuditAction::CommitMemory, done, &row);
        self.record(if with_event { record } else { record.event_kind(None) })?;
        match replaced {
            None => self.append(row, &memory.analysed)?,
            Some(replaced) => self.replace(&replaced, row, &memory.analysed)?,
        }
        Ok(committed)
    }

    /// A memory of this org, whatever became of it.
    pub(crate) fn memory_row(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryRow>, StoreError> {
        let key = (Id::from(org), Id(id));
        if self.pending.memories.iter().any(|row| (row.org_id, row.id) == key) {
            self.drained()?;
        }
        memories::table
            .find(key)
            .select(MemoryRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("memories", id)
    }

    pub(crate) fn memory_location(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLocation>, StoreError> {
        let row = self.memory_row(org, id)?;
        Ok(row.map(|row| row.location()))
    }

    pub(crate) fn readable_memory(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<(Memory, Via)>, StoreError> {
        let row = self.readable_row(pass, id)?;
        row.map(|(row, via)| Ok((row.try_into()?, via))).transpose()
    }

    /// The row of a memory that is live and in reach, and the way it is.
    pub(crate) fn readable_row(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<(MemoryRow, Via)>, StoreError> {
        let Some(row) = self.memory_row(pass.org(), id)? else { return Ok(None) };
        if !row.location().is_live(self.now) || pass.excludes(&row.kind) {
            return Ok(None);
        }
        let PartitionKey { author, scope, team } = row.partition();
        let part = pass.reach().parts().iter().find(|part| part.author() == author && part.covers(scope, team));
        Ok(part.map(|part| (row, part.via())))
    }

    /// The live pinned memories of an author.
    pub(crate) fn pinned_by(&mut self, org: OrgId, author: WorkspaceId) -> Result<Vec<Uuid>, StoreError> {
        let pinned: Vec<Id> = memories::table
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::author_id.eq(Id::from(author)))
            // the expression of the index, which does not match a bound value
            .filter(sql::<Bool>(super::PINNED))
            .filter(memories::status.eq(TextEnum(MemoryStatus::Live)))
            .filter(memories::expires_at.is_null().or(memories::expires_at.gt(Time(self.now))))
            .select(memories::id)
            .load(self.drained()?)
            .row_context("memories", author)?;
        Ok(pinned.into_iter().map(|id| id.0).collect())
    }

    fn new_row(
        &mut self,
        pass: &WritePass,
        memory: &ReadyMemory,
        plan: &CommitPlan,
        org_version: i64,
        known: Option<&MemoryRow>,
    ) -> Result<MemoryRow, StoreError> {
        let fields = memory.draft.fields();
        let text = |text: &Option<orgmem_policies::scrub::Scrubbed>| text.as_ref().map(|text| text.as_str().to_owned());
        // what was superseded stays so, though it is sent again
        let superseded = known.filter(|known| known.status.0 == MemoryStatus::Superseded);
        let made_at = Time(fields.created_at.unwrap_or(self.now));
        Ok(MemoryRow {
            org_id: pass.org().into(),
            id: Id(plan.id()),
            author_id: pass.author().into(),
            scope: TextEnum(pass.scope()),
            team_id: Id::of_team(pass.team()),
            status: TextEnum(superseded.map_or(MemoryStatus::Live, |known| known.status.0)),
            content: Some(fields.content.as_str().to_owned()),
            content_hash: memory.analysed.content_hash.to_vec(),
            namespace: fields.namespace.as_str().to_owned(),
            kind: fields.kind.as_str().to_owned(),
            source: TextEnum(fields.source),
            writer_role: TextEnum(pass.role()),
            confidence: fields.confidence,
            tags: memory.tags.clone(),
            metadata: memory.metadata.clone(),
            subject: text(&fields.subject),
            session_id: text(&fields.session_id),
            run_id: fields.run_id.map(Id),
            pin: fields.pin,
            supersedes: fields.supersedes.map(Id),
            superseded_by: superseded.and_then(|known| known.superseded_by),
            version: known.map_or(1, |known| known.version + 1),
            seq: self.next_seq(pass.org())?,
            org_version,
            created_at: known.map_or(made_at, |known| known.created_at),
            updated_at: Time(self.now),
            expires_at: plan.profile().expires_at(made_at.0, fields.expires_at).map(Time),
            profile_id: plan.profile().id().map(Id),
        })
    }

    /// A new memory: rows that wait for the end of the group.
    fn append(&mut self, row: MemoryRow, analysed: &Analysed) -> Result<(), StoreError> {
        let doc = doc(&row, analysed, None)?;
        let index = index_row(&row, doc.as_ref(), analysed);
        self.pending.partitions.push(partition_delta(&row, i64::from(doc.is_some()), Some(row.updated_at)));
        self.note_index(&row, doc);
        self.pending.index.push(index);
        self.pending.memories.push(row);
        Ok(())
    }

    /// A new form of a memory that is there; the one before becomes an earlier version.
    pub(crate) fn replace(&mut self, known: &MemoryRow, row: MemoryRow, analysed: &Analysed) -> Result<(), StoreError> {
        self.keep_version(known)?;
        // what is filed otherwise and says the same means the same
        let embeddings = if known.content_hash == row.content_hash { self.embedding_of(known)? } else { None };
        self.leave_index(known, row.org_version)?;
        let doc = doc(&row, analysed, embeddings)?;
        let index = index_row(&row, doc.as_ref(), analysed);
        self.pending.partitions.push(partition_delta(&row, i64::from(doc.is_some()), Some(row.updated_at)));
        self.note_index(&row, doc);
        let conn = self.writing()?;
        let on_conflict = " ON CONFLICT (org_id, author_id, scope, team_id, memory_id) DO UPDATE SET \
            org_version = excluded.org_version, expires_at = excluded.expires_at, doc = excluded.doc, folded = excluded.folded, \
            model = excluded.model, vector = excluded.vector";
        Upsert { insert: diesel::insert_into(memory_index::table).values(index), on_conflict }.execute(conn)?;
        diesel::update(memories::table.find((row.org_id, row.id))).set(&row).execute(conn)?;
        Ok(())
    }

    fn supersede(&mut self, org: OrgId, old: Uuid, by: Uuid, org_version: i64) -> Result<(), StoreError> {
        let Some(old) = self.memory_row(org, old)? else { return Ok(()) };
        self.leave_index(&old, org_version)?;
        let set = (
            memories::status.eq(TextEnum(MemoryStatus::Superseded)),
            memories::superseded_by.eq(Some(Id(by))),
            memories::org_version.eq(org_version),
            memories::updated_at.eq(Time(self.now)),
        );
        diesel::update(memories::table.find((old.org_id, old.id))).set(set).execute(self.writing()?)?;
        Ok(())
    }

    /// Leaves of a memory's index row what tells other servers that it left.
    pub(crate) fn leave_index(&mut self, row: &MemoryRow, org_version: i64) -> Result<(), StoreError> {
        let key = (row.org_id, row.author_id, row.scope, row.team_id, row.id);
        let left = diesel::update(memory_index::table.find(key))
            .filter(memory_index::doc.is_not_null())
            .set((
                memory_index::org_version.eq(org_version),
                memory_index::expires_at.eq(None::<Time>),
                memory_index::doc.eq(None::<Vec<u8>>),
                memory_index::folded.eq(None::<String>),
                memory_index::model.eq(None::<i32>),
                memory_index::vector.eq(None::<Vec<u8>>),
            ))
            .execute(self.writing()?)?;
        if left > 0 {
            self.pending.partitions.push(PartitionDelta { version: org_version, ..partition_delta(row, -1, None) });
            self.note_index(&MemoryRow { org_version, ..row.clone() }, None);
        }
        Ok(())
    }

    /// The vectors that the index has of a memory.
    fn embedding_of(&mut self, row: &MemoryRow) -> Result<Option<Embeddings>, StoreError> {
        let key = (row.org_id, row.author_id, row.scope, row.team_id, row.id);
        let kept: Option<(Option<i32>, Option<Vec<u8>>)> = memory_index::table
            .find(key)
            .select((memory_index::model, memory_index::vector))
            .first(self.drained()?)
            .optional()
            .row_context("memory_index", row.id)?;
        let (model, vector) = kept.unwrap_or_default();
        embeddings(model, vector.as_deref())
            .map_err(|()| StoreError::unreadable("memory_index", row.id.0, "its vectors are none"))
    }

    fn note_index(&mut self, row: &MemoryRow, doc: Option<Doc>) {
        let update = IndexChange::new(row.org_id.org(), row.partition(), row.id.0, row.org_version, doc);
        self.pending.index_changes.push(update);
    }

    /// Has what is in memory of a shelf forgotten, after the commit.
    pub(crate) fn note_forgotten(&mut self, org: OrgId, partition: PartitionKey, memory: Uuid, org_version: i64) {
        let update = IndexChange { is_taken_out: true, ..IndexChange::new(org, partition, memory, org_version, None) };
        self.pending.index_changes.push(update);
    }
}

fn partition_delta(row: &MemoryRow, live: i64, written_at: Option<Time>) -> PartitionDelta {
    PartitionDelta { org: row.org_id.org(), partition: row.partition(), version: row.org_version, live, written_at }
}

fn index_row(row: &MemoryRow, doc: Option<&Doc>, analysed: &Analysed) -> IndexRow {
    let embeddings = doc.and_then(|doc| doc.embeddings.as_ref());
    IndexRow {
        org_id: row.org_id,
        author_id: row.author_id,
        scope: row.scope,
        team_id: row.team_id,
        memory_id: row.id,
        org_version: row.org_version,
        expires_at: row.expires_at.filter(|_| doc.is_some()),
        doc: doc.map(Doc::encode),
        folded: doc.map(|_| analysed.folded.clone()),
        model: embeddings.map(|embeddings| embeddings.model),
        vector: embeddings.map(|embeddings| Vector::encode_all(&embeddings.vectors)),
    }
}

/// What a search sees of a memory; nothing while it is not live.
fn doc(row: &MemoryRow, analysed: &Analysed, embeddings: Option<Embeddings>) -> Result<Option<Doc>, StoreError> {
    if row.status.0 != MemoryStatus::Live {
        return Ok(None);
    }
    let unreadable = |_| StoreError::unreadable("memories", row.id.0, "its tags are not a list");
    let tags = serde_json::from_str(&row.tags).map_err(unreadable)?;
    let meta = Meta {
        id: row.id.0,
        seq: row.org_version,
        number: row.seq,
        created_at: row.created_at.0.timestamp_micros(),
        expires_at: row.expires_at.map(|at| at.0.timestamp_micros()),
        confidence: row.confidence,
        pinned: row.pin,
        namespace: row.namespace.clone(),
        kind: row.kind.clone(),
        source: row.source.0.as_str().to_owned(),
        subject: row.subject.clone(),
        session_id: row.session_id.clone(),
        run_id: row.run_id.map(|run| run.0.to_string()),
        tags,
    };
    Ok(Some(Doc { meta, analysis: analysed.analysis.clone(), embeddings }))
}

impl Tx<'_> {
    /// The number of the next memory of this org.
    pub(crate) fn next_seq(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        view.changes.row_delta.memories += 1;
        Ok(view.row.last_seq + view.changes.row_delta.memories)
    }
}

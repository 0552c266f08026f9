//! Documents: writes of new documents and of new versions.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules::DocumentPlan;
use orgmem_policies::{EditPass, Role, WritePass};

use super::Tx;
use super::document_rows::{DocumentRow, DocumentVersionRow, PassageRow, insert_passages, passage_index_row};
pub(super) use super::document_texts::count;
use super::insert::Outgoing;
use super::partitions::PartitionDelta;
use crate::StoreError;
use crate::cache::{Effect, IndexChange};
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{AuditRecord, MemoryStatus, ReadyDocument, ReadyPassage, WrittenDocument};
use crate::schema::{document_passages, document_versions, documents};

/// Bytes that a document counts for budgets.
pub(super) fn size_of(document: &ReadyDocument) -> i64 {
    let fields = document.draft.fields();
    let tags = tags_of(document).len();
    let metadata = fields.metadata.as_ref().map_or(0, |metadata| metadata.to_string().len());
    count(fields.content.as_str().len() + fields.title.as_str().len() + tags + metadata)
}

fn tags_of(document: &ReadyDocument) -> String {
    let tags: Vec<String> = document.draft.fields().tags.iter().map(ToString::to_string).collect();
    serde_json::Value::from(tags).to_string()
}

/// The author, scope, team and role of a write.
struct Place {
    org: OrgId,
    author: WorkspaceId,
    scope: Scope,
    team: Option<WorkspaceId>,
    role: Role,
}

impl Tx<'_> {
    pub(crate) fn write_document(
        &mut self,
        pass: &WritePass,
        document: &ReadyDocument,
        plan: &DocumentPlan,
    ) -> Result<WrittenDocument, StoreError> {
        let (org, author, scope) = (pass.org(), pass.author(), pass.scope());
        let place = Place { org, author, scope, team: pass.team(), role: pass.role() };
        let known = self.document_row(org, plan.id())?;
        self.put_document(&place, document, plan, known)
    }

    pub(crate) fn edit_document(
        &mut self,
        pass: &EditPass,
        document: &ReadyDocument,
        plan: &DocumentPlan,
    ) -> Result<Option<WrittenDocument>, StoreError> {
        let (org, author, now) = (pass.org(), pass.author(), self.now);
        let known = self.document_row(org, plan.id())?;
        let known = known.filter(|row| row.author_id == author.into() && row.location().is_live(now));
        let Some(known) = known else { return Ok(None) };
        let place = Place { org, author, scope: known.scope.0, team: known.team_id.team(), role: pass.role() };
        self.put_document(&place, document, plan, Some(known)).map(Some)
    }

    fn put_document(
        &mut self,
        place: &Place,
        document: &ReadyDocument,
        plan: &DocumentPlan,
        known: Option<DocumentRow>,
    ) -> Result<WrittenDocument, StoreError> {
        let known = match known {
            // what is expired must not come back as an earlier version
            Some(row) if row.is_live() && !row.location().is_live(self.now) => {
                self.empty_document(&row, MemoryStatus::Deleted)?;
                self.document_row(place.org, plan.id())?
            }
            known => known,
        };
        let fields = document.draft.fields();
        let text = |text: &Option<orgmem_policies::scrub::Scrubbed>| text.as_ref().map(ToString::to_string);
        // a row without content is a record of the removal
        let live = known.as_ref().filter(|row| row.is_live());
        let created_at = live.map_or(Time(self.now), |row| row.created_at);
        let row = DocumentRow {
            org_id: place.org.into(),
            id: Id(plan.id()),
            author_id: place.author.into(),
            scope: TextEnum(place.scope),
            team_id: Id::of_team(place.team),
            status: TextEnum(MemoryStatus::Live),
            title: fields.title.to_string(),
            media_type: fields.media_type.as_str().to_owned(),
            collection: text(&fields.collection),
            tags: tags_of(document),
            metadata: fields.metadata.as_ref().map(ToString::to_string),
            written_by: text(&fields.author),
            source_uri: text(&fields.source_uri),
            content_hash: document.content_hash.to_vec(),
            size_bytes: size_of(document),
            chars: fields.passages.last().map_or(0, |last| count(last.first_char + last.chars)),
            passages: count(document.passages.len()),
            writer_role: TextEnum(place.role),
            version: known.as_ref().map_or(1, |row| row.version + 1),
            org_version: 0,
            created_at,
            updated_at: Time(self.now),
            expires_at: plan.expiry(created_at.0, fields.expires_at).map(Time),
        };
        if let Some(live) = live
            && live.has_same_content_as(&row)
        {
            return Ok(written(live, 0, true));
        }
        let row = DocumentRow { org_version: self.touch(place.org)?, ..row };
        let new = match live.cloned() {
            Some(live) => {
                let stored = self.passages_of(live.org_id, live.id)?;
                self.keep_document_version(&live, &stored)?;
                self.put_passages(&row, document, Some((&live, stored)))?
            }
            None => self.put_passages(&row, document, None)?,
        };
        let conn = self.writing()?;
        match known {
            Some(_) => diesel::update(documents::table.find((row.org_id, row.id))).set(&row).execute(conn)?,
            None => diesel::insert_into(documents::table).values(&row).execute(conn)?,
        };
        self.count_document(&row, 0, row.size_bytes, true)?;
        let change = if row.version == 1 { "created" } else { "changed" };
        self.record(document_record(AuditAction::WriteDocument, &row, change).context_field("new_passages", new))?;
        Ok(written(&row, new, false))
    }

    /// Stores the text of a document as an earlier version.
    fn keep_document_version(&mut self, row: &DocumentRow, stored: &[PassageRow]) -> Result<(), StoreError> {
        let version = DocumentVersionRow {
            org_id: row.org_id,
            document_id: row.id,
            version: row.version,
            author_id: row.author_id,
            title: row.title.clone(),
            content: stored.iter().map(|passage| passage.content.as_str()).collect(),
            media_type: row.media_type.clone(),
            tags: row.tags.clone(),
            metadata: row.metadata.clone(),
            source_uri: row.source_uri.clone(),
            size_bytes: row.size_bytes,
            writer_role: row.writer_role,
            written_at: row.updated_at,
        };
        diesel::insert_into(document_versions::table).values(version).execute(self.writing()?)?;
        Ok(())
    }

    /// Stores the passages of a document. Those of its last version with the same headings and text remain, with their
    /// ids and vectors. Returns the number of new passages.
    fn put_passages(
        &mut self,
        row: &DocumentRow,
        document: &ReadyDocument,
        before: Option<(&DocumentRow, Vec<PassageRow>)>,
    ) -> Result<i64, StoreError> {
        let org = row.org_id.org();
        let content = document.draft.fields().content.as_str();
        let mut known: HashMap<(String, String), Vec<PassageRow>> = HashMap::new();
        let (old, stored) = match before {
            Some((old, stored)) => (Some(old), stored),
            None => (None, Vec::new()),
        };
        // the first of equal passages is matched first
        for passage in stored.into_iter().rev() {
            known.entry((passage.title.clone(), passage.content.clone())).or_default().push(passage);
        }
        let labels = |row: &DocumentRow| (row.partition(), row.collection.clone(), row.tags.clone(), row.expires_at);
        let is_relabelled = old.is_some_and(|old| labels(old) != labels(row));
        let is_moved = old.is_some_and(|old| old.partition() != row.partition());
        let (mut added, mut moved) = (Vec::new(), Vec::new());
        for (number, (ready, cut)) in document.passages.iter().zip(&document.draft.fields().passages).enumerate() {
            let part = &content[cut.start..cut.end];
            let same = known.get_mut(&(ready.title.clone(), part.to_owned())).and_then(Vec::pop);
            let same = same.filter(|_| !is_moved);
            let passage = PassageRow {
                org_id: row.org_id,
                id: same.as_ref().map_or_else(|| Id(self.core.ids.next(self.now)), |same| same.id),
                document_id: row.id,
                author_id: row.author_id,
                number: count(number),
                title: ready.title.clone(),
                heading: ready.heading.clone(),
                content: part.to_owned(),
                start_byte: count(cut.start),
                start_char: count(cut.first_char),
                chars: count(cut.chars),
                seq: match &same {
                    Some(same) => same.seq,
                    None => self.next_seq(org)?,
                },
                created_at: same.as_ref().map_or(Time(self.now), |same| same.created_at),
            };
            match same {
                Some(same) => moved.push((passage, same, ready)),
                None => added.push((passage, ready)),
            }
        }
        if let Some(old) = old {
            let stored: HashSet<Id> = moved.iter().map(|(passage, ..)| passage.id).collect();
            self.remove_passages(old, row.org_version, Some(&stored))?;
        }
        for (passage, same, ready) in moved {
            self.move_passage(row, &passage, &same)?;
            if is_relabelled {
                self.relabel_passage(row, &passage, ready)?;
            }
        }
        let new = count(added.len());
        self.add_passages(row, added)?;
        Ok(new)
    }

    /// Stores new passages with their index entries.
    fn add_passages(&mut self, row: &DocumentRow, added: Vec<(PassageRow, &ReadyPassage)>) -> Result<(), StoreError> {
        let (org, partition, live) = (row.org_id.org(), row.partition(), count(added.len()));
        let mut rows = Vec::with_capacity(added.len());
        for (passage, ready) in added {
            let doc = passage.doc(row, row.org_version, &ready.analysed, None)?;
            self.pending.index.push(passage_index_row(row, &doc));
            let change = IndexChange::new(org, partition, row.org_version, Effect::Add(Box::new(doc)));
            self.pending.index_changes.push(change);
            rows.push(passage);
        }
        let mut out = Outgoing::new(self.writing()?);
        insert_passages(&mut out, rows)?;
        out.send()?;
        self.count_document(row, live, 0, true)
    }

    fn move_passage(&mut self, row: &DocumentRow, now: &PassageRow, before: &PassageRow) -> Result<(), StoreError> {
        let place = |passage: &PassageRow| (passage.number, passage.start_byte, passage.start_char);
        if place(now) == place(before) {
            return Ok(());
        }
        diesel::update(document_passages::table.find((row.org_id, now.id)))
            .set((
                document_passages::number.eq(now.number),
                document_passages::start_byte.eq(now.start_byte),
                document_passages::start_char.eq(now.start_char),
            ))
            .execute(self.writing()?)?;
        Ok(())
    }

    /// Writes the index entry of an unchanged passage with the labels of its document, and its vectors.
    fn relabel_passage(
        &mut self,
        row: &DocumentRow,
        passage: &PassageRow,
        ready: &ReadyPassage,
    ) -> Result<(), StoreError> {
        let (org, partition, id) = (row.org_id.org(), row.partition(), passage.id.0);
        let embeddings = self.stored_embeddings(org, partition, id)?;
        let doc = passage.doc(row, row.org_version, &ready.analysed, embeddings)?;
        self.put_text(org, partition, row.expires_at, doc)
    }

    /// Removes the passages of a document, except `stored`, from the tables and the index. Without `stored` their content
    /// is freed at once on every server.
    pub(super) fn remove_passages(
        &mut self,
        of: &DocumentRow,
        org_version: i64,
        stored: Option<&HashSet<Id>>,
    ) -> Result<(), StoreError> {
        let (org, partition) = (of.org_id.org(), of.partition());
        let mut removed = 0;
        for passage in self.passages_of(of.org_id, of.id)? {
            if stored.is_some_and(|stored| stored.contains(&passage.id)) {
                continue;
            }
            let was_indexed = self.remove_text(org, partition, passage.id.0, org_version, stored.is_none())?;
            removed += i64::from(was_indexed);
            diesel::delete(document_passages::table.find((of.org_id, passage.id))).execute(self.writing()?)?;
        }
        self.pending.deleted_from.push("document_passages");
        self.pending.deleted_from.push("memory_index");
        self.count_document(&DocumentRow { org_version, ..of.clone() }, -removed, 0, false)
    }

    /// Adds to the counters of the partition and of the budgets above.
    pub(super) fn count_document(
        &mut self,
        row: &DocumentRow,
        live: i64,
        bytes: i64,
        is_write: bool,
    ) -> Result<(), StoreError> {
        let written_at = is_write.then_some(row.updated_at);
        let (org, partition, version) = (row.org_id.org(), row.partition(), row.org_version);
        self.count_partition(PartitionDelta { org, partition, version, live, bytes, written_at })
    }
}

fn written(row: &DocumentRow, new_passages: i64, unchanged: bool) -> WrittenDocument {
    WrittenDocument {
        id: row.id.0,
        version: row.version,
        passages: row.passages,
        new_passages,
        unchanged,
        created_at: row.created_at.0,
        expires_at: row.expires_at.map(|at| at.0),
    }
}

/// The record of a change of a document. `row` is its last row with content.
pub(super) fn document_record(action: AuditAction, row: &DocumentRow, change: &'static str) -> AuditRecord {
    let summary = format!("{change} a {} document of {} passages", row.scope.0, row.passages);
    AuditRecord::new(action, row.author_id.workspace())
        .about([(row.id.0, row.version)])
        .hashed(row.content_hash.clone())
        .visible_to(row.scope.0, row.team_id.team())
        .context_field("passages", row.passages)
        .event_field("version", row.version)
        .event_field("change", change)
        .with_episode(summary, None)
}

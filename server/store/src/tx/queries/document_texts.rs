//! The text of documents: passages by position and by id, and earlier versions.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::drafts::{AuthoredFields, Source};
use orgmem_policies::rules::DOCUMENT;
use uuid::Uuid;

use super::document_rows::{DocumentRow, PassageRow, stored_passage_index_row};
use super::indexed_texts::NEUTRAL_CONFIDENCE;
use super::insert::Outgoing;
use super::memory_rows::insert_index;
use super::partitions::PartitionDelta;
use super::{Conn, Tx, one_of};
use crate::StoreError;
use crate::columns::{Id, row_limit};
use crate::contract::{Analysed, DocumentPart, Memory, PassageRef};
use crate::engine::RowContext;
use crate::schema::{document_passages, documents};

/// Ids per statement.
const CHUNK: usize = 500;

impl Tx<'_> {
    pub(crate) fn document_part(
        &mut self,
        org: OrgId,
        document: Uuid,
        from: i64,
        length: i64,
    ) -> Result<DocumentPart, StoreError> {
        let end = document_passages::start_char + document_passages::chars;
        let rows: Vec<PassageRow> = document_passages::table
            .filter(document_passages::org_id.eq(Id::from(org)))
            .filter(document_passages::document_id.eq(Id(document)))
            .filter(document_passages::start_char.lt(from.saturating_add(length)))
            .filter(end.gt(from))
            .order(document_passages::number)
            .select(PassageRow::as_select())
            .load(self.drained()?)
            .row_context("document_passages", document)?;
        let passages = rows.into_iter().map(TryInto::try_into).collect::<Result<_, StoreError>>()?;
        Ok(DocumentPart { passages })
    }

    /// All passages of a document, in order.
    pub(super) fn passages_of(&mut self, org: Id, document: Id) -> Result<Vec<PassageRow>, StoreError> {
        document_passages::table
            .filter(document_passages::org_id.eq(org))
            .filter(document_passages::document_id.eq(document))
            .order(document_passages::number)
            .select(PassageRow::as_select())
            .load(self.drained()?)
            .row_context("document_passages", document)
    }

    /// The passages among these ids, each as an item of a search.
    pub(super) fn found_passages(
        &mut self,
        org: OrgId,
        ids: &BTreeSet<Uuid>,
    ) -> Result<HashMap<Uuid, Memory>, StoreError> {
        let of_document =
            documents::org_id.eq(document_passages::org_id).and(documents::id.eq(document_passages::document_id));
        let ids: Vec<Id> = ids.iter().copied().map(Id).collect();
        let mut found = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(CHUNK) {
            let rows: Vec<(PassageRow, DocumentRow)> = document_passages::table
                .inner_join(documents::table.on(of_document))
                .filter(document_passages::org_id.eq(Id::from(org)))
                .filter(one_of(document_passages::id, ids))
                .select((PassageRow::as_select(), DocumentRow::as_select()))
                .load(self.drained()?)
                .row_context("document_passages", org)?;
            for (passage, document) in rows {
                found.insert(passage.id.0, item(passage, document)?);
            }
        }
        Ok(found)
    }

    /// Analyses a passage again whose text was scrubbed, and moves the offsets of the passages after it.
    pub(super) fn put_scrubbed_passage(&mut self, org: OrgId, document: Uuid, id: Uuid) -> Result<(), StoreError> {
        let org_version = self.touch(org)?;
        let Some(row) = self.document_row(org, document)? else { return Ok(()) };
        let partition = row.partition();
        let (mut start_byte, mut start_char) = (0, 0);
        for passage in self.passages_of(row.org_id, row.id)? {
            let (bytes, chars) = (count(passage.content.len()), count(passage.content.chars().count()));
            if (passage.start_byte, passage.start_char, passage.chars) != (start_byte, start_char, chars) {
                let moved = (
                    document_passages::start_byte.eq(start_byte),
                    document_passages::start_char.eq(start_char),
                    document_passages::chars.eq(chars),
                );
                let of = document_passages::table.find((passage.org_id, passage.id));
                diesel::update(of).set(moved).execute(self.writing()?)?;
            }
            (start_byte, start_char) = (start_byte + bytes, start_char + chars);
            if passage.id.0 == id {
                let analysed = Analysed::of(Some(&passage.title), &passage.content);
                let doc = passage.doc(&row, org_version, &analysed, None)?;
                self.remove_text(org, partition, id, org_version, true)?;
                self.put_text(org, partition, row.expires_at, doc)?;
            }
        }
        for table in ["document_passages", "memory_index", "memory_segments"] {
            self.pending.deleted_from.push(table);
        }
        let own = row.title.len() + row.tags.len() + row.metadata.as_ref().map_or(0, String::len);
        let size_bytes = start_byte + count(own);
        let bytes = size_bytes - row.size_bytes;
        let written_at = Some(row.updated_at);
        self.count_partition(PartitionDelta { org, partition, version: org_version, live: 0, bytes, written_at })?;
        diesel::update(documents::table.find((row.org_id, row.id)))
            .set((
                documents::chars.eq(start_char),
                documents::size_bytes.eq(size_bytes),
                documents::version.eq(row.version + 1),
                documents::org_version.eq(org_version),
            ))
            .execute(self.writing()?)?;
        Ok(())
    }
}

/// Writes the index rows of a page of stored passages after `after`. Returns the last one of the page.
pub(crate) fn index_passages(conn: &mut Conn, org: Id, after: Id, page: usize) -> Result<Option<Id>, StoreError> {
    let of_document =
        documents::org_id.eq(document_passages::org_id).and(documents::id.eq(document_passages::document_id));
    let rows: Vec<(PassageRow, DocumentRow)> = document_passages::table
        .inner_join(documents::table.on(of_document))
        .filter(document_passages::org_id.eq(org))
        .filter(document_passages::id.gt(after))
        .order(document_passages::id)
        .limit(row_limit(page))
        .select((PassageRow::as_select(), DocumentRow::as_select()))
        .load(conn)
        .row_context("document_passages", org)?;
    let last = rows.last().map(|(passage, _)| passage.id);
    index_rows(conn, &rows)?;
    Ok(last)
}

/// Writes the index rows of the stored passages with these ids.
pub(crate) fn index_passages_with(conn: &mut Conn, org: Id, ids: &[Id]) -> Result<(), StoreError> {
    let of_document =
        documents::org_id.eq(document_passages::org_id).and(documents::id.eq(document_passages::document_id));
    for ids in ids.chunks(CHUNK) {
        let rows: Vec<(PassageRow, DocumentRow)> = document_passages::table
            .inner_join(documents::table.on(of_document))
            .filter(document_passages::org_id.eq(org))
            .filter(one_of(document_passages::id, ids))
            .select((PassageRow::as_select(), DocumentRow::as_select()))
            .load(conn)
            .row_context("document_passages", org)?;
        index_rows(conn, &rows)?;
    }
    Ok(())
}

fn index_rows(conn: &mut Conn, rows: &[(PassageRow, DocumentRow)]) -> Result<(), StoreError> {
    let index = rows.iter().map(|(passage, document)| stored_passage_index_row(passage, document));
    let index = index.collect::<Result<Vec<_>, _>>()?;
    let mut out = Outgoing::new(conn);
    insert_index(&mut out, index)?;
    out.send()
}

/// A passage as a search finds it.
fn item(passage: PassageRow, document: DocumentRow) -> Result<Memory, StoreError> {
    let unreadable = |_| StoreError::unreadable("documents", document.id.0, "its tags are not a list");
    let tags = serde_json::from_str(&document.tags).map_err(unreadable)?;
    let place = PassageRef {
        document: document.id.0,
        title: document.title.clone(),
        heading: passage.headings()?,
        number: passage.number,
        start_byte: passage.start_byte,
        start_char: passage.start_char,
        chars: passage.chars,
        source_uri: document.source_uri,
        collection: document.collection.clone(),
    };
    Ok(Memory {
        id: passage.id.0,
        author: document.author_id.workspace(),
        scope: document.scope.0,
        team: document.team_id.team(),
        authored: AuthoredFields {
            content: passage.content,
            title: Some(document.title),
            namespace: document.collection.unwrap_or_default(),
            kind: DOCUMENT.to_owned(),
            source: Source::Manual,
            confidence: NEUTRAL_CONFIDENCE,
            tags,
            metadata: document.metadata,
            subject: None,
            session_id: None,
            session_only: false,
            pin: false,
            expires_at: document.expires_at.map(|at| at.0),
            claims: None,
        },
        role: document.writer_role.0,
        run_id: None,
        profile_id: None,
        supersedes: None,
        version: document.version,
        created_at: passage.created_at.0,
        updated_at: document.updated_at.0,
        passage: Some(place),
        page: None,
    })
}

pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

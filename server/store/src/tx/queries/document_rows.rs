//! Rows of documents, of their earlier versions and of their passages.

use diesel::prelude::*;
use orgmem_hierarchy::Scope;
use orgmem_policies::Role;
use orgmem_policies::rules::{DOCUMENT, Expiry};
use orgmem_recall::{Doc, Embeddings, Meta};

use super::indexed_texts::{NEUTRAL_CONFIDENCE, text_index_row};
use super::insert::{Outgoing, write_rows};
use super::memory_rows::IndexRow;
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Analysed, ItemType, MemoryLocation, MemoryStatus, StoredDocument, StoredPassage};
use crate::schema::{document_passages, document_versions, documents};

/// A row of `documents`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = documents, primary_key(org_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
pub(crate) struct DocumentRow {
    pub(crate) org_id: Id,
    pub(crate) id: Id,
    pub(crate) author_id: Id,
    pub(crate) scope: TextEnum<Scope>,
    pub(crate) team_id: Id,
    pub(crate) status: TextEnum<MemoryStatus>,
    pub(crate) title: String,
    pub(crate) media_type: String,
    pub(crate) collection: Option<String>,
    pub(crate) tags: String,
    pub(crate) metadata: Option<String>,
    pub(crate) written_by: Option<String>,
    pub(crate) source_uri: Option<String>,
    pub(crate) content_hash: Vec<u8>,
    /// What the document counts for budgets, without its earlier versions.
    pub(crate) size_bytes: i64,
    pub(crate) chars: i64,
    pub(crate) passages: i64,
    pub(crate) writer_role: TextEnum<Role>,
    pub(crate) version: i64,
    pub(crate) org_version: i64,
    pub(crate) created_at: Time,
    pub(crate) updated_at: Time,
    pub(crate) expires_at: Option<Time>,
}

impl DocumentRow {
    /// The partition of the passages.
    pub(crate) fn partition(&self) -> PartitionKey {
        PartitionKey {
            author: self.author_id.workspace(),
            scope: self.scope.0,
            team: self.team_id.team(),
            items: ItemType::Passage,
        }
    }

    pub(crate) fn location(&self) -> MemoryLocation {
        MemoryLocation {
            author: self.author_id.workspace(),
            scope: self.scope.0,
            team: self.team_id.team(),
            status: self.status.0,
            expiry: self.expires_at.map(|at| Expiry::requested(at.0)),
            superseded_by: None,
        }
    }

    pub(crate) fn is_live(&self) -> bool {
        self.status.0 == MemoryStatus::Live
    }

    /// Whether both have the same content and fields, regardless of times and role.
    pub(crate) fn has_same_content_as(&self, other: &Self) -> bool {
        let fields = |row: &Self| {
            let labels = (row.title.clone(), row.collection.clone(), row.tags.clone(), row.metadata.clone());
            let source = (row.media_type.clone(), row.written_by.clone(), row.source_uri.clone(), row.expires_at);
            (row.status, row.partition(), row.content_hash.clone(), labels, source)
        };
        fields(self) == fields(other)
    }

    /// The row without anything that the author wrote.
    pub(crate) fn emptied(self) -> Self {
        Self {
            title: String::new(),
            media_type: String::new(),
            collection: None,
            tags: "[]".into(),
            metadata: None,
            written_by: None,
            source_uri: None,
            content_hash: Vec::new(),
            size_bytes: 0,
            chars: 0,
            passages: 0,
            expires_at: None,
            ..self
        }
    }
}

impl TryFrom<DocumentRow> for StoredDocument {
    type Error = StoreError;

    fn try_from(row: DocumentRow) -> Result<Self, StoreError> {
        let unreadable = |_| StoreError::unreadable("documents", row.id.0, "its tags are not a list");
        let own = row.title.len() + row.tags.len() + row.metadata.as_ref().map_or(0, String::len);
        Ok(Self {
            id: row.id.0,
            author: row.author_id.workspace(),
            scope: row.scope.0,
            team: row.team_id.team(),
            tags: serde_json::from_str(&row.tags).map_err(unreadable)?,
            title: row.title,
            media_type: row.media_type,
            collection: row.collection,
            metadata: row.metadata,
            written_by: row.written_by,
            source_uri: row.source_uri,
            content_hash: row.content_hash,
            text_bytes: row.size_bytes - i64::try_from(own).unwrap_or(i64::MAX),
            chars: row.chars,
            passages: row.passages,
            role: row.writer_role.0,
            version: row.version,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
            expires_at: row.expires_at.map(|at| at.0),
        })
    }
}

/// A row of `document_versions`.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = document_versions, treat_none_as_default_value = false)]
pub(crate) struct DocumentVersionRow {
    pub(crate) org_id: Id,
    pub(crate) document_id: Id,
    pub(crate) version: i64,
    pub(crate) author_id: Id,
    pub(crate) title: String,
    pub(crate) content: String,
    pub(crate) media_type: String,
    pub(crate) tags: String,
    pub(crate) metadata: Option<String>,
    pub(crate) source_uri: Option<String>,
    pub(crate) size_bytes: i64,
    pub(crate) writer_role: TextEnum<Role>,
    pub(crate) written_at: Time,
}

/// A row of `document_passages`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = document_passages, treat_none_as_default_value = false)]
pub(crate) struct PassageRow {
    pub(crate) org_id: Id,
    pub(crate) id: Id,
    pub(crate) document_id: Id,
    pub(crate) author_id: Id,
    pub(crate) number: i64,
    pub(crate) title: String,
    pub(crate) heading: String,
    pub(crate) content: String,
    pub(crate) start_byte: i64,
    pub(crate) start_char: i64,
    pub(crate) chars: i64,
    pub(crate) seq: i64,
    pub(crate) created_at: Time,
}

impl PassageRow {
    pub(crate) fn headings(&self) -> Result<Vec<String>, StoreError> {
        let unreadable =
            |_| StoreError::unreadable("document_passages", self.id.0, "its headings are not a list of texts");
        serde_json::from_str(&self.heading).map_err(unreadable)
    }

    /// The search document of the passage, with the labels of its document.
    pub(crate) fn doc(
        &self,
        of: &DocumentRow,
        org_version: i64,
        analysed: &Analysed,
        embeddings: Option<Embeddings>,
    ) -> Result<Doc, StoreError> {
        let unreadable = |_| StoreError::unreadable("documents", of.id.0, "its tags are not a list");
        let meta = Meta {
            id: self.id.0,
            seq: org_version,
            number: self.seq,
            created_at: self.created_at.0.timestamp_micros(),
            expires_at: of.expires_at.map(|at| at.0.timestamp_micros()),
            confidence: NEUTRAL_CONFIDENCE,
            pinned: false,
            namespace: of.collection.clone().unwrap_or_default(),
            kind: DOCUMENT.to_owned(),
            source: String::new(),
            subject: None,
            session_id: None,
            session_only: false,
            run_id: None,
            tags: serde_json::from_str(&of.tags).map_err(unreadable)?,
        };
        Ok(Doc { meta, analysis: analysed.analysis.clone(), embeddings })
    }
}

impl TryFrom<PassageRow> for StoredPassage {
    type Error = StoreError;

    fn try_from(row: PassageRow) -> Result<Self, StoreError> {
        let heading = row.headings()?;
        Ok(Self { id: row.id.0, heading, start_char: row.start_char, chars: row.chars, content: row.content })
    }
}

/// The index row of a passage.
pub(crate) fn passage_index_row(of: &DocumentRow, doc: &Doc) -> IndexRow {
    text_index_row(of.org_id, of.partition(), of.expires_at, doc)
}

/// The index row of a stored passage, computed from its text and without vectors.
pub(crate) fn stored_passage_index_row(passage: &PassageRow, of: &DocumentRow) -> Result<IndexRow, StoreError> {
    let analysed = Analysed::of(Some(&passage.title), &passage.content);
    Ok(passage_index_row(of, &passage.doc(of, of.org_version, &analysed, None)?))
}

pub(crate) fn insert_passages(out: &mut Outgoing<'_>, rows: Vec<PassageRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(document_passages::table).values(rows));
    Ok(())
}

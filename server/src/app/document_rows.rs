//! Documents on the wire: requests as drafts, rows and texts as a caller reads them.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Via, WorkspaceId};
use orgmem_policies::drafts::{DocumentDraft, DocumentInput};
use orgmem_policies::{ReadPass, quote};
use orgmem_store::{DocumentPart, ReadyDocument, StoredDocument, WrittenDocument};
use orgmem_types as wire;

use super::AppError;
use super::call::WorkspaceNames;
use super::drafting::Drafting;
use super::wire::{make_visible, object, redactions, role};

/// Name in the frame of a quotation. Source: `docs/spec/documents.md`, "Who reads them".
pub(super) const DOCUMENT_FRAME: &str = "document";

pub(super) fn prepare(input: DocumentInput, with: &Drafting, now: DateTime<Utc>) -> Result<ReadyDocument, AppError> {
    Ok(DocumentDraft::check(input, with.scrubber, now)?.into())
}

pub(super) fn input(request: wire::AddDocument) -> DocumentInput {
    DocumentInput {
        title: request.title,
        content: request.content,
        media_type: request.media_type,
        collection: request.collection,
        tags: request.tags,
        author: request.author,
        source_uri: request.source_uri,
        metadata: request.metadata,
        expires_at: request.expires_at,
        id: request.id,
    }
}

/// The fields after an edit.
pub(super) fn merged(current: StoredDocument, text: String, change: wire::PatchDocument) -> DocumentInput {
    DocumentInput {
        title: change.title.unwrap_or(current.title),
        content: change.content.unwrap_or(text),
        media_type: Some(change.media_type.unwrap_or(current.media_type)),
        collection: change.collection.unwrap_or(current.collection),
        tags: change.tags.unwrap_or(current.tags),
        author: change.author.unwrap_or(current.written_by),
        source_uri: change.source_uri.unwrap_or(current.source_uri),
        metadata: change.metadata.unwrap_or_else(|| current.metadata.as_deref().and_then(object)),
        expires_at: change.expires_at.unwrap_or(current.expires_at),
        id: Some(current.id),
    }
}

pub(super) fn to_written(written: WrittenDocument, ready: &ReadyDocument) -> wire::WrittenDocument {
    wire::WrittenDocument {
        id: written.id,
        version: written.version,
        passages: written.passages,
        new_passages: written.new_passages,
        unchanged: written.unchanged,
        created_at: written.created_at,
        expires_at: written.expires_at,
        redactions: redactions(&ready.draft().fields().redactions),
    }
}

pub(super) fn to_wire(pass: &ReadPass, names: &WorkspaceNames, row: StoredDocument, via: Via) -> wire::Document {
    let mut document = wire::Document {
        id: row.id,
        workspace_id: row.author.uuid(),
        workspace_name: names.of(row.author),
        scope: row.scope,
        team: row.team.map(WorkspaceId::uuid),
        title: row.title,
        media_type: row.media_type,
        collection: row.collection,
        tags: row.tags,
        author: row.written_by,
        source_uri: row.source_uri,
        metadata: row.metadata.as_deref().and_then(object),
        chars: row.chars,
        bytes: row.text_bytes,
        sha256: hex::encode(row.content_hash),
        passages: row.passages,
        role: role(row.role),
        version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
        expires_at: row.expires_at,
        via,
    };
    if pass.quotes(row.scope, row.author) {
        let optional = document.collection.iter_mut().chain(&mut document.author).chain(&mut document.source_uri);
        optional.chain(&mut document.tags).chain([&mut document.title]).for_each(make_visible);
        if let Some(metadata) = &mut document.metadata {
            quote::visible_members(metadata);
        }
    }
    document
}

pub(super) fn to_content(
    found: StoredDocument,
    part: DocumentPart,
    from: i64,
    length: i64,
    is_person: bool,
) -> wire::DocumentContent {
    let first = part.passages.first().map_or(from, |passage| passage.start_char);
    let text: String = part.passages.iter().map(|passage| passage.content.as_str()).collect();
    let chars = |number: i64| usize::try_from(number).unwrap_or_default();
    let text: String = text.chars().skip(chars(from - first)).take(chars(length)).collect();
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let end = from.saturating_add(length);
    let visible = |mut heading: String| {
        if !is_person {
            make_visible(&mut heading);
        }
        heading
    };
    let passages = part.passages.into_iter().map(|passage| wire::DocumentPassage {
        id: passage.id,
        heading: passage.heading.into_iter().map(visible).collect(),
        from: passage.start_char,
        length: passage.chars,
    });
    wire::DocumentContent {
        id: found.id,
        title: visible(found.title),
        version: found.version,
        from,
        length,
        chars: found.chars,
        next: (end < found.chars).then_some(end),
        content: if is_person { text } else { quote::quote(found.id, found.scope, DOCUMENT_FRAME, &text) },
        passages: passages.collect(),
    }
}

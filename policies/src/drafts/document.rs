//! Drafts of documents.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::expiry::expiry;
use super::field_scrubber::{FieldScrubber, not_blank, within};
use super::memory::{MAX_LABEL, MAX_METADATA_BYTES, MAX_NAMESPACE, tags};
use super::{DraftFault, FieldRedaction};
use crate::passages::{MediaType, Passage, cut};
use crate::quote::Content;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

/// Bytes of the text of a document.
pub const MAX_DOCUMENT_BYTES: usize = 20 << 20;
/// Passages of a document.
pub const MAX_PASSAGES: usize = 50_000;
/// For messages.
const MEDIA_TYPES: &str = "`text/plain`, `text/markdown`, `text/html`, `text/csv` or `application/pdf`";
/// Characters of a URI.
pub const MAX_SOURCE_URI: usize = 2_000;

/// The fields of a request, unchecked. See `docs/spec/documents.md`, "Fields".
#[derive(Clone, Debug, Default)]
pub struct DocumentInput {
    /// One line of at most 200 characters.
    pub title: String,
    /// Not blank.
    pub content: String,
    /// `text/plain` by default.
    pub media_type: Option<String>,
    /// A label of at most 50 characters.
    pub collection: Option<String>,
    /// At most 32.
    pub tags: Vec<String>,
    /// The name of the document's author.
    pub author: Option<String>,
    /// The address that the document comes from.
    pub source_uri: Option<String>,
    /// At most 64 KiB as JSON.
    pub metadata: Option<Map<String, Value>>,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
    /// An id chosen by the caller.
    pub id: Option<Uuid>,
}

/// A document that may be stored: within the limits, scrubbed, defused and cut into passages.
#[derive(Clone, Debug)]
pub struct DocumentDraft(DocumentFields);

/// The checked fields of a [`DocumentDraft`].
#[derive(Clone, Debug)]
pub struct DocumentFields {
    /// One line.
    pub title: Scrubbed,
    /// Scrubbed text.
    pub content: Content,
    /// The type of the text.
    pub media_type: MediaType,
    /// One line.
    pub collection: Option<Scrubbed>,
    /// Without duplicates.
    pub tags: Vec<Scrubbed>,
    /// One line.
    pub author: Option<Scrubbed>,
    /// One line.
    pub source_uri: Option<Scrubbed>,
    /// A JSON object.
    pub metadata: Option<ScrubbedJson>,
    /// Exclusive end of validity, in whole microseconds.
    pub expires_at: Option<DateTime<Utc>>,
    /// An id chosen by the caller.
    pub id: Option<Uuid>,
    /// The parts of the content.
    pub passages: Vec<Passage>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl DocumentDraft {
    /// Checks and scrubs input, received at `now`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/documents.md`, "Fields".
    pub fn check(input: DocumentInput, scrubber: &Scrubber, now: DateTime<Utc>) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        not_blank("content", &input.content)?;
        let media_type = match input.media_type.as_deref() {
            None => MediaType::Plain,
            Some(name) => name.parse().map_err(|_| DraftFault::Form { field: "media_type", expected: MEDIA_TYPES })?,
        };
        let content = Content::new(scrub.text("content", &input.content, MAX_DOCUMENT_BYTES)?);
        let passages = cut(content.as_str(), media_type);
        within("content", passages.len(), MAX_PASSAGES, "passages")?;
        Ok(Self(DocumentFields {
            title: scrub.line("title", &input.title, MAX_LABEL)?,
            content,
            media_type,
            collection: scrub.line_if("collection", input.collection.as_deref(), MAX_NAMESPACE)?,
            tags: tags(&mut scrub, &input.tags)?,
            author: scrub.line_if("author", input.author.as_deref(), MAX_LABEL)?,
            source_uri: scrub.line_if("source_uri", input.source_uri.as_deref(), MAX_SOURCE_URI)?,
            metadata: scrub.object_if("metadata", input.metadata, MAX_METADATA_BYTES)?,
            expires_at: expiry(input.expires_at, None, now)?,
            id: input.id,
            passages,
            redactions: scrub.redactions(),
        }))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &DocumentFields {
        &self.0
    }
}

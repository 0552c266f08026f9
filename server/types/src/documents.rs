//! Documents: texts in passages, which searches find.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::workspaces::{given, not_null};
use crate::{Object, Redaction, Role};

/// `POST /workspaces/{id}/documents`: a document to store.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddDocument {
    /// One line, at most 200 characters; searchable.
    pub title: String,
    /// Not blank, at most 20 MiB.
    pub content: String,
    /// `text/plain` (default), `text/markdown`, `text/html` or `text/csv`; the text of the last two is extracted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    pub scope: Scope,
    /// Only with TEAM: the leader of the team, which is the author or its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Label, at most 50 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// At most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The name of the document's author, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The address that the document comes from, at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_uri: Option<String>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Id of the caller's choice; a document with an existing id becomes a new version of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
}

/// The part `document` of an upload of a file to `POST /workspaces/{id}/documents`. The other part, `file`, has the content.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UploadDocument {
    /// By default the title in the file, or the name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// By default the type of the part `file`, or that of the extension of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// As in [`AddDocument`], and so are the others.
    pub scope: Scope,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_uri: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
}

/// `PATCH /workspaces/{id}/documents/{did}`: absent fields keep their value; `null` clears optional ones.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchDocument {
    /// One line, at most 200 characters.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// Not blank, at most 20 MiB. Passages that it leaves as they are keep their ids and vectors.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content: Option<String>,
    /// `text/plain` or `text/markdown`.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub media_type: Option<String>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub collection: Option<Option<String>>,
    /// Replaces all tags.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tags: Option<Vec<String>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub author: Option<Option<String>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub source_uri: Option<Option<String>>,
    /// Replaces the whole object.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Option<Object>>,
    /// Exclusive end of validity.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<DateTime<Utc>>)]
    pub expires_at: Option<Option<DateTime<Utc>>>,
}

/// Response to a write of a document.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WrittenDocument {
    pub id: Uuid,
    /// 1 for a new document, increased by every change.
    pub version: i64,
    /// Number of passages.
    pub passages: i64,
    /// Passages that this write added; the others were there already.
    pub new_passages: i64,
    /// Whether the document was there with the same content and fields, so that nothing was written.
    pub unchanged: bool,
    /// Time of the first write.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Credentials replaced before storage.
    pub redactions: Vec<Redaction>,
}

/// `GET /workspaces/{id}/documents`: readable documents, newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListDocuments {
    /// Only this scope.
    pub scope: Option<Scope>,
    /// Only documents of this workspace.
    pub author: Option<Uuid>,
    /// Only this collection.
    pub collection: Option<String>,
    /// Only documents with this tag.
    pub tag: Option<String>,
    /// Only this media type.
    pub media_type: Option<String>,
    /// Only documents from this address.
    pub source_uri: Option<String>,
    /// Page size; 50 by default and at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// A document as a workspace reads it, without its text.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Document {
    pub id: Uuid,
    /// The workspace that wrote it.
    pub workspace_id: Uuid,
    /// Current name of that workspace.
    pub workspace_name: String,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    pub title: String,
    pub media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    pub tags: Vec<String>,
    /// The name of the document's author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_uri: Option<String>,
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Number of characters of the text.
    pub chars: i64,
    /// Number of bytes of the text.
    pub bytes: i64,
    /// SHA-256 of the text.
    pub sha256: String,
    /// Number of passages.
    pub passages: i64,
    /// Role of the writer, from the token.
    pub role: Role,
    /// 1 for a new document, increased by every change.
    pub version: i64,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The relation through which it is readable.
    pub via: Via,
}

/// `GET /workspaces/{id}/documents/{did}/content`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ReadDocumentContent {
    /// First character, from 0.
    pub from: Option<u64>,
    /// Number of characters; 100,000 by default, 1,000,000 at most.
    pub length: Option<u64>,
}

/// A part of the text of a document.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct DocumentContent {
    pub id: Uuid,
    pub title: String,
    pub version: i64,
    /// First character of the part.
    pub from: i64,
    /// Number of characters of the part.
    pub length: i64,
    /// Number of characters of the whole text.
    pub chars: i64,
    /// `from` of the next part; absent at the end of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
    /// For agents, the text is quoted.
    pub content: String,
    /// The passages that the part contains or begins and ends in.
    pub passages: Vec<DocumentPassage>,
}

/// The place of a passage in the text of its document.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct DocumentPassage {
    pub id: Uuid,
    /// The headings above it, outermost first.
    pub heading: Vec<String>,
    /// Number of characters before it.
    pub from: i64,
    /// Number of its characters.
    pub length: i64,
}

/// A document that is no longer readable, without its content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactedDocument {
    pub id: Uuid,
    /// Time of the first redaction.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub redacted_at: DateTime<Utc>,
    /// Subject of the caller's token.
    pub redacted_by: String,
    pub reason: String,
    /// Number of earlier versions redacted with it.
    pub versions: usize,
    /// Whether it was redacted before.
    pub already: bool,
}

/// The document and the place of a passage that a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct PassagePlace {
    /// The document.
    pub document_id: Uuid,
    /// Title of the document.
    pub title: String,
    /// The headings above the passage, outermost first.
    pub heading: Vec<String>,
    /// Number of characters before it, for `from` of the document's content.
    pub from: i64,
    /// Number of its characters.
    pub length: i64,
    /// First byte of the passage in the text.
    pub start_byte: i64,
    /// Position among the passages of the document, from 0.
    pub number: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_uri: Option<String>,
}

/// The type of an item of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemType {
    /// A memory.
    Memory,
    /// A passage of a document.
    Passage,
    /// A page.
    Page,
}

//! Documents: texts in passages, which searches find.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, Via, WorkspaceId};
use orgmem_policies::drafts::{DocumentDraft, ReasonDraft};
use orgmem_policies::rules::{DocumentFacts, DocumentPlan, MemoryLocation};
use orgmem_policies::{EditPass, ForgetPass, ReadPass, RedactPass, Role, WritePass};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Analysed, ForgetOutcome, Redacted};
use crate::StoreError;

/// A live document, without its text.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDocument {
    /// Unique within the org.
    pub id: Uuid,
    /// The workspace that wrote it.
    pub author: WorkspaceId,
    /// Who can read it.
    pub scope: Scope,
    /// Lead of the team of a TEAM document.
    pub team: Option<WorkspaceId>,
    /// One line.
    pub title: String,
    /// The type of the text.
    pub media_type: String,
    /// A label.
    pub collection: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// A JSON object as text.
    pub metadata: Option<String>,
    /// The name of the document's author.
    pub written_by: Option<String>,
    /// The address that it comes from.
    pub source_uri: Option<String>,
    /// SHA-256 of the text.
    pub content_hash: Vec<u8>,
    /// Bytes of the text.
    pub text_bytes: i64,
    /// Characters of the text.
    pub chars: i64,
    /// Number of passages.
    pub passages: i64,
    /// Role of the writer.
    pub role: Role,
    /// 1 for a new document; incremented by each change.
    pub version: i64,
    /// Time of the first write.
    pub created_at: DateTime<Utc>,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Where a passage is in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageRef {
    /// The document.
    pub document: Uuid,
    /// The title of the document.
    pub title: String,
    /// The headings above it, outermost first.
    pub heading: Vec<String>,
    /// Position among the passages of the document, from 0.
    pub number: i64,
    /// First byte of the passage in the text.
    pub start_byte: i64,
    /// Number of characters before it.
    pub start_char: i64,
    /// Number of its characters.
    pub chars: i64,
    /// The address that the document comes from.
    pub source_uri: Option<String>,
    /// The label of the document.
    pub collection: Option<String>,
}

/// A passage of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPassage {
    /// Unique within the org. An unchanged passage keeps it in later versions of the document.
    pub id: Uuid,
    /// The headings above it, outermost first.
    pub heading: Vec<String>,
    /// Number of characters before it.
    pub start_char: i64,
    /// Number of its characters.
    pub chars: i64,
    /// The text.
    pub content: String,
}

/// Some passages of a document in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentPart {
    /// The passages that contain the requested characters.
    pub passages: Vec<StoredPassage>,
}

/// Conditions on a list of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentFilter {
    /// Only this scope.
    pub scope: Option<Scope>,
    /// Only documents of this workspace.
    pub author: Option<WorkspaceId>,
    /// Only this collection.
    pub collection: Option<String>,
    /// Only documents with this tag.
    pub tag: Option<String>,
    /// Only this type of text.
    pub media_type: Option<String>,
    /// Only documents from this address.
    pub source_uri: Option<String>,
}

/// The position after a document in a list.
pub type DocumentCursor = (DateTime<Utc>, Uuid);

/// A draft, analysed for its write. The expensive work happens here, before a writer locks the org.
#[derive(Clone, Debug)]
pub struct ReadyDocument {
    pub(crate) draft: DocumentDraft,
    pub(crate) content_hash: [u8; 32],
    pub(crate) passages: Vec<ReadyPassage>,
}

/// A passage, analysed for search.
#[derive(Clone, Debug)]
pub(crate) struct ReadyPassage {
    /// The line before the content for search: the title of the document and the headings.
    pub(crate) title: String,
    /// JSON.
    pub(crate) heading: String,
    pub(crate) analysed: Analysed,
}

impl From<DocumentDraft> for ReadyDocument {
    fn from(draft: DocumentDraft) -> Self {
        let fields = draft.fields();
        let (title, content) = (fields.title.as_str(), fields.content.as_str());
        let passages = fields.passages.iter().map(|passage| {
            let path: Vec<&str> = std::iter::once(title).chain(passage.heading.iter().map(String::as_str)).collect();
            let title = path.join(" > ");
            let heading = serde_json::Value::from(passage.heading.clone()).to_string();
            let analysed = Analysed::of(Some(&title), &content[passage.start..passage.end]);
            ReadyPassage { title, heading, analysed }
        });
        Self { passages: passages.collect(), content_hash: Sha256::digest(content).into(), draft }
    }
}

impl ReadyDocument {
    /// The source of the prepared document.
    #[must_use]
    pub fn draft(&self) -> &DocumentDraft {
        &self.draft
    }

    /// Number of passages.
    #[must_use]
    pub fn passages(&self) -> usize {
        self.passages.len()
    }
}

/// The result of a write of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenDocument {
    /// The id of the document.
    pub id: Uuid,
    /// 1 for a new document; incremented by each change.
    pub version: i64,
    /// Number of passages.
    pub passages: i64,
    /// Passages that were analysed and stored now; the others were there already.
    pub new_passages: i64,
    /// Whether the document was there with the same content and fields, so that nothing was written.
    pub unchanged: bool,
    /// Time of the first write.
    pub created_at: DateTime<Utc>,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
}

transaction! {
    forward_document_reads

    /// The part of a snapshot that reads documents.
    pub trait DocumentReads {
        /// One live document and the relation through which it is in reach; `None` if it is not live or not in reach.
        fn document(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<(StoredDocument, Via)>, StoreError>;

        /// The place and state of a document of this org in any state; `None` if it never existed.
        fn document_location(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLocation>, StoreError>;

        /// The first `limit` live documents in reach after the position `after`, newest first.
        ///
        /// # Complexity
        /// O(documents of the authors in reach that are scanned until `limit` match).
        fn list_documents(
            &mut self,
            pass: &ReadPass,
            filter: &DocumentFilter,
            after: Option<DocumentCursor>,
            limit: usize,
        ) -> Result<Vec<(StoredDocument, Via)>, StoreError>;

        /// The passages of a document that contain characters from `from` to `from + length`. The caller has read the
        /// document.
        fn document_part(
            &mut self,
            org: OrgId,
            document: Uuid,
            from: i64,
            length: i64,
        ) -> Result<DocumentPart, StoreError>;

        /// The live document of `author` with the scope, team and content of `document`, if it names no id itself.
        fn same_document(&mut self, pass: &WritePass, document: &ReadyDocument) -> Result<Option<Uuid>, StoreError>;

        /// The facts that decide whether `document` can be written under `id`.
        fn document_facts(
            &mut self,
            org: OrgId,
            author: WorkspaceId,
            document: &ReadyDocument,
            id: Uuid,
        ) -> Result<DocumentFacts, StoreError>;
    }
}

transaction! {
    forward_document_writes

    /// The part of a job that writes documents.
    pub trait DocumentWrites {
        /// Writes a document, or a new version of it. Passages that did not change remain as they are, with their
        /// vectors. Writes nothing if the stored document is the same.
        fn write_document(
            &mut self,
            pass: &WritePass,
            document: &ReadyDocument,
            plan: &DocumentPlan,
        ) -> Result<WrittenDocument, StoreError>;

        /// Writes a new version of a document of the pass's author, in its scope and team.
        ///
        /// # Returns
        /// `None` if the author has no such document.
        fn edit_document(
            &mut self,
            pass: &EditPass,
            document: &ReadyDocument,
            plan: &DocumentPlan,
        ) -> Result<Option<WrittenDocument>, StoreError>;

        /// Deletes a document of the pass's author: its text from every table and index, and its earlier versions.
        fn delete_document(
            &mut self,
            pass: &ForgetPass,
            id: Uuid,
            if_match: Option<i64>,
        ) -> Result<ForgetOutcome, StoreError>;

        /// Deletes the text and all other content of a document and of its earlier versions, and stores a redaction.
        ///
        /// # Returns
        /// `None` if the author has no such document, or it has no content any more.
        fn redact_document(
            &mut self,
            pass: &RedactPass,
            id: Uuid,
            reason: &ReasonDraft,
        ) -> Result<Option<Redacted>, StoreError>;
    }
}

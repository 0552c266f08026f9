//! Documents: write, list, read, edit, delete, redact.

use actix_web::HttpRequest;
use orgmem_types::{
    AddDocument, Deleted, Document, DocumentContent, ListDocuments, PatchDocument, ReadDocumentContent, RedactMemory,
    RedactedDocument, WrittenDocument,
};

use super::App;
use crate::http::answer::{Answer, created_at, ok, page, versioned};
use crate::http::extract::{
    Authenticated, Bulk, DocumentPath, Expected, NewDocument, Posted, Query, Source, WorkspacePath,
};
use crate::http::openapi::{EditConflict, Gone, MemoryConflict};

/// Stores a document as the workspace, or a new version of it. An upload of the same content changes nothing. A file of
/// text, Markdown, HTML, CSV or PDF is sent as `multipart/form-data` with the parts `document` (JSON without `content`) and
/// `file`.
#[utoipa::path(
    post, path = "/workspaces/{id}/documents", tag = "documents",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = AddDocument,
    responses(
        (status = 201, body = WrittenDocument, description = "the document", headers(("Location"))),
        Gone,
        MemoryConflict,
    ),
)]
pub(crate) async fn add_document(auth: Authenticated, path: WorkspacePath, app: App, body: NewDocument) -> Answer {
    let key = body.idempotency;
    let written = match body.source {
        Source::Text(document) => app.add_document(&auth, path.id, document, key).await?,
        Source::File(document, file) => app.upload_document(&auth, path.id, document, file, key).await?,
    };
    created_at(&format!("/workspaces/{}/documents/{}", path.id, written.id), &written)
}

/// Lists the documents that the workspace can read, newest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/documents", tag = "documents",
    params(WorkspacePath, ListDocuments),
    responses((status = 200, body = Vec<Document>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_documents(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListDocuments>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_documents(&auth, path.id, query).await?)
}

/// Reads a document that the workspace can read, without its text.
#[utoipa::path(
    get, path = "/workspaces/{id}/documents/{did}", tag = "documents",
    params(DocumentPath),
    responses((status = 200, body = Document, description = "the document", headers(("ETag"))), Gone),
)]
pub(crate) async fn read_document(auth: Authenticated, path: DocumentPath, app: App) -> Answer {
    let document = app.read_document(&auth, path.id, path.did).await?;
    versioned(document.version, &document)
}

/// Reads a part of the text of a document.
#[utoipa::path(
    get, path = "/workspaces/{id}/documents/{did}/content", tag = "documents",
    params(DocumentPath, ReadDocumentContent),
    responses((status = 200, body = DocumentContent, description = "the part"), Gone),
)]
pub(crate) async fn read_document_content(
    auth: Authenticated,
    path: DocumentPath,
    app: App,
    Query(query): Query<ReadDocumentContent>,
) -> Answer {
    ok(&app.read_document_content(&auth, path.id, path.did, query).await?)
}

/// Changes a document, as its author. The result is a new version; passages that did not change keep their vectors.
#[utoipa::path(
    patch, path = "/workspaces/{id}/documents/{did}", tag = "documents",
    params(DocumentPath, ("If-Match" = Option<String>, Header)),
    request_body = PatchDocument,
    responses(
        (status = 200, body = WrittenDocument, description = "the document", headers(("ETag"))),
        Gone,
        EditConflict,
    ),
)]
pub(crate) async fn edit_document(
    auth: Authenticated,
    path: DocumentPath,
    app: App,
    Expected(version): Expected,
    body: Bulk<PatchDocument>,
) -> Answer {
    let written = app.edit_document(&auth, path.id, path.did, body.body, version).await?;
    versioned(written.version, &written)
}

/// Deletes a document: its text is removed from every table and index.
#[utoipa::path(
    delete, path = "/workspaces/{id}/documents/{did}", tag = "documents",
    params(DocumentPath, ("If-Match" = Option<String>, Header)),
    responses((status = 200, body = Deleted, description = "deleted"), Gone, EditConflict),
)]
pub(crate) async fn delete_document(
    auth: Authenticated,
    path: DocumentPath,
    app: App,
    Expected(version): Expected,
) -> Answer {
    ok(&app.delete_document(&auth, path.id, path.did, version).await?)
}

/// Removes the content of a document and of all its versions permanently.
#[utoipa::path(
    post, path = "/workspaces/{id}/documents/{did}/redact", tag = "documents",
    params(DocumentPath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RedactMemory,
    responses((status = 200, body = RedactedDocument, description = "the redaction"), Gone),
)]
pub(crate) async fn redact_document(
    auth: Authenticated,
    path: DocumentPath,
    app: App,
    body: Posted<RedactMemory>,
) -> Answer {
    ok(&app.redact_document(&auth, path.id, path.did, body.body, body.idempotency).await?)
}

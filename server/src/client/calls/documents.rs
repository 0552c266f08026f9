//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Stores a document as the workspace, or a new version of it. An upload of the same content changes nothing. A
    /// file of text, Markdown, HTML, CSV or PDF is sent as `multipart/form-data` with the parts `document` (JSON
    /// without `content`) and `file`.
    ///
    /// `POST /workspaces/{id}/documents`
    pub async fn add_document(
        &self,
        id: Uuid,
        body: &wire::AddDocument,
        idempotency_key: Option<&str>,
    ) -> Result<wire::WrittenDocument, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Deletes a document: its text is removed from every table and index.
    ///
    /// `DELETE /workspaces/{id}/documents/{did}`
    pub async fn delete_document(
        &self,
        id: Uuid,
        did: Uuid,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents", &did.to_string()];
        let request = self.request(Method::DELETE, &path)?.if_match(if_match);
        self.answer(request).await
    }

    /// Changes a document, as its author. The result is a new version; passages that did not change keep their
    /// vectors.
    ///
    /// `PATCH /workspaces/{id}/documents/{did}`
    pub async fn edit_document(
        &self,
        id: Uuid,
        did: Uuid,
        body: &wire::PatchDocument,
        if_match: Option<i64>,
    ) -> Result<wire::WrittenDocument, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents", &did.to_string()];
        let request = self.request(Method::PATCH, &path)?.json(body).if_match(if_match);
        self.answer(request).await
    }

    /// Lists the documents that the workspace can read, newest first.
    ///
    /// `GET /workspaces/{id}/documents`
    pub async fn list_documents(
        &self,
        id: Uuid,
        query: &wire::ListDocuments,
    ) -> Result<Page<wire::Document>, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Reads a document that the workspace can read, without its text.
    ///
    /// `GET /workspaces/{id}/documents/{did}`
    pub async fn read_document(&self, id: Uuid, did: Uuid) -> Result<wire::Document, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents", &did.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reads a part of the text of a document.
    ///
    /// `GET /workspaces/{id}/documents/{did}/content`
    pub async fn read_document_content(
        &self,
        id: Uuid,
        did: Uuid,
        query: &wire::ReadDocumentContent,
    ) -> Result<wire::DocumentContent, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents", &did.to_string(), "content"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Removes the content of a document and of all its versions permanently.
    ///
    /// `POST /workspaces/{id}/documents/{did}/redact`
    pub async fn redact_document(
        &self,
        id: Uuid,
        did: Uuid,
        body: &wire::RedactMemory,
        idempotency_key: Option<&str>,
    ) -> Result<wire::RedactedDocument, ClientError> {
        let path = ["workspaces", &id.to_string(), "documents", &did.to_string(), "redact"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }
}

//! Redactions and erasures.

use orgmem_types::{DryRun, Erase, ListRedactions, Receipt, RedactMemories, RedactionEntry, RedactionResponse};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError, Page};

impl Client {
    /// `POST /workspaces/{id}/memories/redact`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn redact_memories(
        &self,
        id: Uuid,
        request: &RedactMemories,
        dry_run: bool,
    ) -> Result<RedactionResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "redact"];
        let query = DryRun { dry_run: dry_run.then_some(true) };
        self.answer(self.request(Method::POST, &path)?.query(&query).json(request)).await
    }

    /// `GET /workspaces/{id}/redactions`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_redactions(&self, id: Uuid, query: &ListRedactions) -> Result<Page<RedactionEntry>, ClientError> {
        let path = ["workspaces", &id.to_string(), "redactions"];
        self.page(self.request(Method::GET, &path)?.query(query)).await
    }

    /// `POST /admin/erasures`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn erase(&self, request: &Erase, dry_run: bool) -> Result<Receipt, ClientError> {
        let query = DryRun { dry_run: dry_run.then_some(true) };
        self.answer(self.request(Method::POST, &["admin", "erasures"])?.query(&query).json(request)).await
    }
}

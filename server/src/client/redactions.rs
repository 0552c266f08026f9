//! Redactions and erasures.

use orgmem_types::{DryRun, Erase, Receipt, RedactMemories, RedactionResponse};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError};

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

    /// `POST /admin/erasures`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn erase(&self, request: &Erase, dry_run: bool) -> Result<Receipt, ClientError> {
        let query = DryRun { dry_run: dry_run.then_some(true) };
        self.answer(self.request(Method::POST, &["admin", "erasures"])?.query(&query).json(request)).await
    }
}

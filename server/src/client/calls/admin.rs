//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;

use crate::client::{Client, ClientError, RequestParts};

impl Client {
    /// Lets the built-in provider answer the reads of a surface again, at once.
    ///
    /// `POST /admin/providers/{name}/demote`
    pub async fn demote_provider(
        &self,
        name: &str,
        body: &wire::ChangeProvider,
    ) -> Result<wire::ProviderSurface, ClientError> {
        let path = ["admin", "providers", name, "demote"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Erases all data about an end user in an org, or a whole org, and returns the receipt.
    ///
    /// `POST /admin/erasures`
    pub async fn erase_content(
        &self,
        query: &wire::DryRun,
        body: &wire::Erase,
        idempotency_key: Option<&str>,
    ) -> Result<wire::Receipt, ClientError> {
        let path = ["admin", "erasures"];
        let request = self.request(Method::POST, &path)?.query(query).json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Exports the memories of the server, or of one org, as the array that `POST /admin/memories/import` takes.
    ///
    /// `GET /admin/memories/export`
    pub async fn export_memories(
        &self,
        query: &wire::ExportMemories,
    ) -> Result<Vec<wire::ExportedMemory>, ClientError> {
        let path = ["admin", "memories", "export"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Imports memories that another platform or tool exported, each on its own. A memory that exists already is
    /// skipped.
    ///
    /// `POST /admin/memories/import`
    pub async fn import_memories(
        &self,
        query: &wire::DryRun,
        body: &[wire::ExportedMemory],
    ) -> Result<wire::MemoriesImport, ClientError> {
        let path = ["admin", "memories", "import"];
        let request = self.request(Method::POST, &path)?.query(query).json(body);
        self.answer(request).await
    }

    /// Lists the receipts of an org, newest first.
    ///
    /// `GET /admin/erasures`
    pub async fn list_erasures(&self, query: &wire::ListErasures) -> Result<Vec<wire::Receipt>, ClientError> {
        let path = ["admin", "erasures"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Lists the providers with their figures, the built-in one first.
    ///
    /// `GET /admin/providers`
    pub async fn list_providers(&self) -> Result<wire::ProviderList, ClientError> {
        let path = ["admin", "providers"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Lets a provider answer the reads of a surface, if its figures permit it.
    ///
    /// `POST /admin/providers/{name}/promote`
    pub async fn promote_provider(
        &self,
        name: &str,
        body: &wire::ChangeProvider,
    ) -> Result<wire::ProviderSurface, ClientError> {
        let path = ["admin", "providers", name, "promote"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Reads the numbers of the server.
    ///
    /// `GET /admin/stats`
    pub async fn read_admin_stats(&self) -> Result<wire::ServerStats, ClientError> {
        let path = ["admin", "stats"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Lists every org with its numbers; with `days`, also its activity by day, and the facts that call for an action.
    ///
    /// `GET /admin/tree`
    pub async fn read_admin_tree(&self, query: &wire::AdminTreeQuery) -> Result<wire::AdminTree, ClientError> {
        let path = ["admin", "tree"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Applies the current rules for credentials to the next stored rows, some hundred in one transaction.
    ///
    /// `POST /admin/scrub`
    pub async fn scrub_stored(&self, query: &wire::ScrubQuery) -> Result<wire::ScrubResponse, ClientError> {
        let path = ["admin", "scrub"];
        let request = self.request(Method::POST, &path)?.query(query);
        self.answer(request).await
    }
}

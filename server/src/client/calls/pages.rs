//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page};

impl Client {
    /// Compacts the workspace's episodes, or those about one subject, into pages now, and reports what became of them.
    ///
    /// `POST /workspaces/{id}/pages/compact`
    pub async fn compact_pages(
        &self,
        id: Uuid,
        query: &wire::CompactQuery,
        body: &wire::CompactPages,
    ) -> Result<wire::CompactionReport, ClientError> {
        let path = ["workspaces", &id.to_string(), "pages", "compact"];
        let request = self.request(Method::POST, &path)?.query(query).json(body);
        self.answer(request).await
    }

    /// Explains why a page is in the working set or not.
    ///
    /// `GET /workspaces/{id}/pages/{pid}/why`
    pub async fn explain_page(
        &self,
        id: Uuid,
        pid: Uuid,
        query: &wire::ExplainPage,
    ) -> Result<wire::PageExplanation, ClientError> {
        let path = ["workspaces", &id.to_string(), "pages", &pid.to_string(), "why"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Returns the episodes that a page was made of, oldest first.
    ///
    /// `GET /workspaces/{id}/pages/{pid}/sources`
    pub async fn list_page_sources(&self, id: Uuid, pid: Uuid) -> Result<wire::PageSources, ClientError> {
        let path = ["workspaces", &id.to_string(), "pages", &pid.to_string(), "sources"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Lists the workspace's pages, newest first; with `q`, the best matches first. Cold pages only with `tier=cold`.
    ///
    /// `GET /workspaces/{id}/pages`
    pub async fn list_pages(&self, id: Uuid, query: &wire::ListPages) -> Result<Page<wire::Page>, ClientError> {
        let path = ["workspaces", &id.to_string(), "pages"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Returns one page with the parts of its confidence.
    ///
    /// `GET /workspaces/{id}/pages/{pid}`
    pub async fn read_page(&self, id: Uuid, pid: Uuid) -> Result<wire::Page, ClientError> {
        let path = ["workspaces", &id.to_string(), "pages", &pid.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }
}

//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, RequestParts};

impl Client {
    /// Commits one memory into a namespace, by default the workspace's own.
    ///
    /// `POST /workspaces/{id}/v2/memories`
    pub async fn commit_namespace_memory(
        &self,
        id: Uuid,
        body: &wire::CommitToNamespace,
        idempotency_key: Option<&str>,
    ) -> Result<wire::CommittedToNamespace, ClientError> {
        let path = ["workspaces", &id.to_string(), "v2", "memories"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Forgets one memory of the workspace itself, optionally only on an expected version.
    ///
    /// `DELETE /workspaces/{id}/v2/memories/{mid}`
    pub async fn forget_namespace_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "v2", "memories", &mid.to_string()];
        let request = self.request(Method::DELETE, &path)?.if_match(if_match);
        self.answer(request).await
    }

    /// Lists the namespaces that the workspace can read and those that it can write.
    ///
    /// `GET /workspaces/{id}/v2/namespaces`
    pub async fn list_namespaces(&self, id: Uuid) -> Result<wire::Namespaces, ClientError> {
        let path = ["workspaces", &id.to_string(), "v2", "namespaces"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Searches the memories of a namespace, best first; without `q` lists them. A namespace that the workspace cannot
    /// read gives an empty list.
    ///
    /// `GET /workspaces/{id}/v2/memories`
    pub async fn search_namespace(
        &self,
        id: Uuid,
        query: &wire::ListNamespaceMemories,
    ) -> Result<wire::NamespaceMemories, ClientError> {
        let path = ["workspaces", &id.to_string(), "v2", "memories"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }
}

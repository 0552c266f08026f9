//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page};

impl Client {
    /// Lists the operations as this workspace or on it, newest first: caller, action, memories, time. Rows contain
    /// hashes of content, never content.
    ///
    /// `GET /workspaces/{id}/access-log`
    pub async fn read_access_log(
        &self,
        id: Uuid,
        query: &wire::ListAuditRows,
    ) -> Result<Page<wire::AuditRow>, ClientError> {
        let path = ["workspaces", &id.to_string(), "access-log"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Lists the reads and writes of one memory, newest first, in workspaces whose log the caller may read.
    ///
    /// `GET /workspaces/{id}/memories/{mid}/access-log`
    pub async fn read_memory_access_log(
        &self,
        id: Uuid,
        mid: Uuid,
        query: &wire::ListMemoryAuditRows,
    ) -> Result<Page<wire::AuditRow>, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "access-log"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Verifies that the access log of the workspace's org is unchanged, and names the first changed row. For viewers
    /// and operators of the root, and admins.
    ///
    /// `GET /workspaces/{id}/access-log/verify`
    pub async fn verify_access_log(
        &self,
        id: Uuid,
        query: &wire::VerifyAuditLog,
    ) -> Result<wire::AuditVerification, ClientError> {
        let path = ["workspaces", &id.to_string(), "access-log", "verify"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }
}

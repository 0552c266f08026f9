use orgmem_types::{AuditRow, AuditVerification, ListAuditRows, VerifyAuditLog};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError, Page};

/// The audit log.
impl Client {
    /// One page of the operations as a workspace or on it, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_access_log(&self, workspace: Uuid, query: &ListAuditRows) -> Result<Page<AuditRow>, ClientError> {
        let path = ["workspaces", &workspace.to_string(), "access-log"];
        self.page(self.request(Method::GET, &path)?.query(query)).await
    }

    /// Verifies a part of the audit log of a workspace's org.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn verify_access_log(
        &self,
        workspace: Uuid,
        query: &VerifyAuditLog,
    ) -> Result<AuditVerification, ClientError> {
        let path = ["workspaces", &workspace.to_string(), "access-log", "verify"];
        self.answer(self.request(Method::GET, &path)?.query(query)).await
    }
}

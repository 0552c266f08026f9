use orgmem_types::{AuditRow, AuditVerification, ListAuditRows, VerifyAuditLog};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError, Page};

/// The access log.
impl Client {
    /// What was done as a workspace or to it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_access_log(&self, workspace: Uuid, query: &ListAuditRows) -> Result<Page<AuditRow>, ClientError> {
        let path = ["workspaces", &workspace.to_string(), "access-log"];
        self.page(self.request(Method::GET, &path)?.query(query)).await
    }

    /// Whether the access log of a workspace's org is as it was written.
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

//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Records the consent of an end user that sessions of the workspace are read in other ones.
    ///
    /// `POST /workspaces/{id}/grants`
    pub async fn give_grant(
        &self,
        id: Uuid,
        body: &wire::GiveGrant,
        idempotency_key: Option<&str>,
    ) -> Result<wire::GivenGrant, ClientError> {
        let path = ["workspaces", &id.to_string(), "grants"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Lists the grants of the workspace that have not expired, newest first.
    ///
    /// `GET /workspaces/{id}/grants`
    pub async fn list_grants(&self, id: Uuid, query: &wire::ListGrants) -> Result<Page<wire::Grant>, ClientError> {
        let path = ["workspaces", &id.to_string(), "grants"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Revokes a grant. No later read is made under it.
    ///
    /// `DELETE /workspaces/{id}/grants/{gid}`
    pub async fn revoke_grant(&self, id: Uuid, gid: Uuid) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "grants", &gid.to_string()];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }
}

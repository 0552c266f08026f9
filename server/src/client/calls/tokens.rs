//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Issues a token bound to a workspace. The token is only in this response.
    ///
    /// `POST /workspaces/{id}/tokens`
    pub async fn issue_token(
        &self,
        id: Uuid,
        body: &wire::IssueToken,
        idempotency_key: Option<&str>,
    ) -> Result<wire::IssuedToken, ClientError> {
        let path = ["workspaces", &id.to_string(), "tokens"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Lists the unexpired tokens that were issued for a workspace, newest first, without the tokens themselves.
    ///
    /// `GET /workspaces/{id}/tokens`
    pub async fn list_tokens(&self, id: Uuid, query: &wire::PageQuery) -> Result<Page<wire::TokenInfo>, ClientError> {
        let path = ["workspaces", &id.to_string(), "tokens"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Reads the caller's identity, its workspace and its permissions.
    ///
    /// `GET /me`
    pub async fn read_me(&self) -> Result<wire::Me, ClientError> {
        let path = ["me"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Revokes one token. A repeated revocation changes nothing.
    ///
    /// `DELETE /tokens/{jti}`
    pub async fn revoke_token(&self, jti: Uuid) -> Result<wire::RevokedToken, ClientError> {
        let path = ["tokens", &jti.to_string()];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }

    /// Revokes all tokens of a workspace that were issued until now.
    ///
    /// `DELETE /workspaces/{id}/tokens`
    pub async fn revoke_tokens(&self, id: Uuid, query: &wire::DryRun) -> Result<wire::RevokedTokens, ClientError> {
        let path = ["workspaces", &id.to_string(), "tokens"];
        let request = self.request(Method::DELETE, &path)?.query(query);
        self.answer(request).await
    }
}

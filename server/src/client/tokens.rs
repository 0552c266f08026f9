//! Tokens: issue and revoke.

use orgmem_types::{Deleted, IssueToken, IssuedToken, RevokedToken};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError};

impl Client {
    /// `POST /workspaces/{id}/tokens`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn issue_token(&self, id: Uuid, token: &IssueToken) -> Result<IssuedToken, ClientError> {
        self.answer(self.request(Method::POST, &["workspaces", &id.to_string(), "tokens"])?.json(token)).await
    }

    /// `DELETE /tokens/{jti}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn revoke_token(&self, jti: Uuid) -> Result<RevokedToken, ClientError> {
        self.answer(self.request(Method::DELETE, &["tokens", &jti.to_string()])?).await
    }

    /// `DELETE /workspaces/{id}/tokens`: all tokens of the workspace that were issued until now.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn revoke_tokens(&self, id: Uuid) -> Result<Deleted, ClientError> {
        self.answer(self.request(Method::DELETE, &["workspaces", &id.to_string(), "tokens"])?).await
    }
}

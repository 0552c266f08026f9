//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError};

impl Client {
    /// Checks whether two workspaces may communicate: a workspace with itself, siblings, and ancestor with descendant.
    ///
    /// `POST /registry/check-access`
    pub async fn check_access(&self, body: &wire::CheckAccess) -> Result<wire::CheckAccessResponse, ClientError> {
        let path = ["registry", "check-access"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Lists the workspaces that a workspace can read and those that can read it, each with the reason.
    ///
    /// `GET /workspaces/{id}/reach`
    pub async fn read_reach(&self, id: Uuid, query: &wire::ReachQuery) -> Result<wire::ReachResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "reach"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Reads the relation of two workspaces: both directions, each scope, with reasons.
    ///
    /// `GET /workspaces/{id}/reach/{other}`
    pub async fn read_relation(&self, id: Uuid, other: Uuid) -> Result<wire::RelationResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "reach", &other.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }
}

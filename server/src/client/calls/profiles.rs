//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, RequestParts};

impl Client {
    /// Changes a profile. Absent fields keep their values.
    ///
    /// `PATCH /workspaces/{id}/profiles/{pid}`
    pub async fn change_profile(
        &self,
        id: Uuid,
        pid: Uuid,
        query: &wire::DryRun,
        body: &wire::PatchProfile,
    ) -> Result<wire::ChangedProfile, ClientError> {
        let path = ["workspaces", &id.to_string(), "profiles", &pid.to_string()];
        let request = self.request(Method::PATCH, &path)?.query(query).json(body);
        self.answer(request).await
    }

    /// Creates a profile of the workspace together with its seed memories, atomically.
    ///
    /// `POST /workspaces/{id}/profiles`
    pub async fn create_profile(
        &self,
        id: Uuid,
        query: &wire::DryRun,
        body: &wire::CreateProfile,
        idempotency_key: Option<&str>,
    ) -> Result<wire::ChangedProfile, ClientError> {
        let path = ["workspaces", &id.to_string(), "profiles"];
        let request = self.request(Method::POST, &path)?.query(query).json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Deletes a profile other than the default profile. Its memories move to the default profile.
    ///
    /// `DELETE /workspaces/{id}/profiles/{pid}`
    pub async fn delete_profile(&self, id: Uuid, pid: Uuid) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "profiles", &pid.to_string()];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }

    /// Returns the block to put before an agent's prompt, and the memories in it, selected by a profile of the
    /// workspace.
    ///
    /// `POST /workspaces/{id}/context`
    pub async fn inject_context(&self, id: Uuid, body: &wire::InjectContext) -> Result<wire::Context, ClientError> {
        let path = ["workspaces", &id.to_string(), "context"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Lists the profiles of the workspace, the default profile first. There is always a default profile.
    ///
    /// `GET /workspaces/{id}/profiles`
    pub async fn list_profiles(&self, id: Uuid) -> Result<Vec<wire::Profile>, ClientError> {
        let path = ["workspaces", &id.to_string(), "profiles"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reads one profile of the workspace.
    ///
    /// `GET /workspaces/{id}/profiles/{pid}`
    pub async fn read_profile(&self, id: Uuid, pid: Uuid) -> Result<wire::Profile, ClientError> {
        let path = ["workspaces", &id.to_string(), "profiles", &pid.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Summarizes the workspace's own memories of a profile.
    ///
    /// `GET /workspaces/{id}/profiles/{pid}/summary`
    pub async fn summarize_profile(&self, id: Uuid, pid: Uuid) -> Result<wire::ProfileSummary, ClientError> {
        let path = ["workspaces", &id.to_string(), "profiles", &pid.to_string(), "summary"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }
}

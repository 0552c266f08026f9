//! Profiles.

use orgmem_types::{
    Context, CreateProfile, Deleted, DryRun, InjectContext, PatchProfile, Profile, ProfilePreview, ProfileSummary,
};
use reqwest::{Method, RequestBuilder};
use uuid::Uuid;

use super::{Client, ClientError};

impl Client {
    /// `GET /workspaces/{id}/profiles`: all profiles, the default one first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_profiles(&self, id: Uuid) -> Result<Vec<Profile>, ClientError> {
        self.answer(self.request(Method::GET, &["workspaces", &id.to_string(), "profiles"])?).await
    }

    /// `POST /workspaces/{id}/profiles`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn create_profile(&self, id: Uuid, profile: &CreateProfile) -> Result<Profile, ClientError> {
        self.answer(self.of_profiles(Method::POST, id, &[])?.json(profile)).await
    }

    /// `POST /workspaces/{id}/profiles?dry_run=true`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn preview_profile(&self, id: Uuid, profile: &CreateProfile) -> Result<ProfilePreview, ClientError> {
        let request = self.of_profiles(Method::POST, id, &[])?.query(&DryRun { dry_run: Some(true) });
        self.answer(request.json(profile)).await
    }

    /// `PATCH /workspaces/{id}/profiles/{pid}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn change_profile(&self, id: Uuid, profile: Uuid, change: &PatchProfile) -> Result<Profile, ClientError> {
        self.answer(self.of_profiles(Method::PATCH, id, &[&profile.to_string()])?.json(change)).await
    }

    /// `PATCH /workspaces/{id}/profiles/{pid}?dry_run=true`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn preview_profile_change(
        &self,
        id: Uuid,
        profile: Uuid,
        change: &PatchProfile,
    ) -> Result<ProfilePreview, ClientError> {
        let request = self.of_profiles(Method::PATCH, id, &[&profile.to_string()])?;
        self.answer(request.query(&DryRun { dry_run: Some(true) }).json(change)).await
    }

    /// `DELETE /workspaces/{id}/profiles/{pid}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn delete_profile(&self, id: Uuid, profile: Uuid) -> Result<Deleted, ClientError> {
        self.answer(self.of_profiles(Method::DELETE, id, &[&profile.to_string()])?).await
    }

    /// `POST /workspaces/{id}/context`: the block for a prompt.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn inject_context(&self, id: Uuid, request: &InjectContext) -> Result<Context, ClientError> {
        self.answer(self.request(Method::POST, &["workspaces", &id.to_string(), "context"])?.json(request)).await
    }

    fn of_profiles(&self, method: Method, id: Uuid, rest: &[&str]) -> Result<RequestBuilder, ClientError> {
        self.request(method, &[&["workspaces", &id.to_string(), "profiles"], rest].concat())
    }

    /// `GET /workspaces/{id}/profiles/{pid}/summary`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn summarize_profile(&self, id: Uuid, profile: Uuid) -> Result<ProfileSummary, ClientError> {
        let (id, profile) = (id.to_string(), profile.to_string());
        self.answer(self.request(Method::GET, &["workspaces", &id, "profiles", &profile, "summary"])?).await
    }
}

//! Profiles.

use orgmem_types::{Profile, ProfileSummary};
use reqwest::Method;
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

    /// `GET /workspaces/{id}/profiles/{pid}/summary`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn summarize_profile(&self, id: Uuid, profile: Uuid) -> Result<ProfileSummary, ClientError> {
        let (id, profile) = (id.to_string(), profile.to_string());
        self.answer(self.request(Method::GET, &["workspaces", &id, "profiles", &profile, "summary"])?).await
    }
}

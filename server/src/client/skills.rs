use orgmem_types::Skill;
use reqwest::header::{ETAG, IF_NONE_MATCH};
use reqwest::{Method, StatusCode};
use uuid::Uuid;

use super::{Client, ClientError};

impl Client {
    /// The skills that a workspace can use, with the tag of the list; `None` if the list still has the tag `known`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn changed_skills(
        &self,
        workspace: Uuid,
        known: Option<&str>,
    ) -> Result<Option<(String, Vec<Skill>)>, ClientError> {
        let mut request = self.request(Method::GET, &["workspaces", &workspace.to_string(), "skills"])?;
        if let Some(known) = known {
            request = request.header(IF_NONE_MATCH, format!("\"{known}\""));
        }
        let Some(response) = self.send_conditional(request).await? else { return Ok(None) };
        let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        let tag = tag.trim_matches('"').to_owned();
        Ok(Some((tag, self.read(response).await?)))
    }

    /// The package of a skill that a workspace can use, as a tar.gz file; `None` if it cannot use it any more.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn skill_package(&self, workspace: Uuid, name: &str) -> Result<Option<Vec<u8>>, ClientError> {
        let path = ["workspaces", &workspace.to_string(), "skills", name, "package"];
        let response = match self.send(self.request(Method::GET, &path)?).await {
            Ok(response) => response,
            Err(ClientError::Problem(problem)) if problem.status == StatusCode::NOT_FOUND.as_u16() => return Ok(None),
            Err(error) => return Err(error),
        };
        let bytes = response.bytes().await.map_err(|error| self.unreachable(&error))?;
        Ok(Some(bytes.to_vec()))
    }
}

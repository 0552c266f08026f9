//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError};

impl Client {
    /// Approves the draft of a skill of the workspace: its readers use it from now on.
    ///
    /// `POST /workspaces/{id}/skills/{name}/approve`
    pub async fn approve_skill(
        &self,
        id: Uuid,
        name: &str,
        body: &wire::ApproveSkill,
    ) -> Result<wire::Skill, ClientError> {
        let path = ["workspaces", &id.to_string(), "skills", name, "approve"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Changes the rule of an org; for operators of its root. Absent fields get their defaults.
    ///
    /// `PUT /workspaces/{id}/skill-rule`
    pub async fn change_skill_rule(&self, id: Uuid, body: &wire::SkillRule) -> Result<wire::SkillRule, ClientError> {
        let path = ["workspaces", &id.to_string(), "skill-rule"];
        let request = self.request(Method::PUT, &path)?.json(body);
        self.answer(request).await
    }

    /// Returns the difference of two versions of a skill of the workspace; by default of the active version and the
    /// draft.
    ///
    /// `GET /workspaces/{id}/skills/{name}/diff`
    pub async fn diff_skill(
        &self,
        id: Uuid,
        name: &str,
        query: &wire::DiffSkill,
    ) -> Result<wire::SkillDiff, ClientError> {
        let path = ["workspaces", &id.to_string(), "skills", name, "diff"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Drafts a skill from procedures; it is in use after an approval. A draft under the name of a skill of the
    /// workspace is its next version.
    ///
    /// `POST /workspaces/{id}/skills`
    pub async fn draft_skill(&self, id: Uuid, body: &wire::DraftSkill) -> Result<wire::Skill, ClientError> {
        let path = ["workspaces", &id.to_string(), "skills"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Lists the skills that the workspace can use now, by name; or its drafts, its withdrawn skills, or candidates.
    ///
    /// `GET /workspaces/{id}/skills`
    pub async fn list_skills(&self, id: Uuid, query: &wire::ListSkills) -> Result<Vec<wire::Skill>, ClientError> {
        let path = ["workspaces", &id.to_string(), "skills"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Returns how often runs used a procedure, and how they ended.
    ///
    /// `GET /workspaces/{id}/memories/{mid}/evidence`
    pub async fn read_evidence(&self, id: Uuid, mid: Uuid) -> Result<wire::Evidence, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "evidence"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Returns a skill that the workspace can use, or a version of one of its own, with the files of the package.
    ///
    /// `GET /workspaces/{id}/skills/{name}`
    pub async fn read_skill(
        &self,
        id: Uuid,
        name: &str,
        query: &wire::ReadSkill,
    ) -> Result<wire::SkillDetail, ClientError> {
        let path = ["workspaces", &id.to_string(), "skills", name];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Reads the rule that makes candidates, and that judges skills in use.
    ///
    /// `GET /workspaces/{id}/skill-rule`
    pub async fn read_skill_rule(&self, id: Uuid) -> Result<wire::SkillRule, ClientError> {
        let path = ["workspaces", &id.to_string(), "skill-rule"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reports the outcome of a use of a procedure that the end of the run does not show.
    ///
    /// `POST /workspaces/{id}/memories/{mid}/outcome`
    pub async fn report_outcome(
        &self,
        id: Uuid,
        mid: Uuid,
        body: &wire::ReportOutcome,
    ) -> Result<wire::ReportedOutcome, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "outcome"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Withdraws a skill of the workspace: nobody uses it from now on.
    ///
    /// `DELETE /workspaces/{id}/skills/{name}`
    pub async fn withdraw_skill(&self, id: Uuid, name: &str) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "skills", name];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }
}

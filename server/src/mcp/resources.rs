//! Skills as resources and as prompts: those that the workspace can use now.
//!
//! Source: `docs/spec/mcp.md`, "Resources and prompts".

use orgmem_types as wire;
use rmcp::model::{
    CacheScope, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, Prompt,
    PromptMessage, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::json;

use super::tools::{ActsAs, Tools};
use crate::app::{AppError, Etag};
use crate::decode;

const SCHEME: &str = "skill://";
/// The file that an address without a path names.
const MAIN_FILE: &str = "SKILL.md";

/// The caller of a request.
fn acts_as(context: &RequestContext<RoleServer>) -> Result<ActsAs, ErrorData> {
    let parts = context.extensions.get::<http::request::Parts>();
    let acts_as = parts.and_then(|parts| parts.extensions.get::<ActsAs>()).cloned();
    acts_as.ok_or_else(|| ErrorData::internal_error("the request has no caller", None))
}

/// A protocol error with the sentence of a problem.
fn refused(error: &AppError) -> ErrorData {
    if let AppError::Store(error) = error {
        tracing::error!(%error, "a request for skills failed");
    }
    let problem = error.problem();
    match problem.status {
        500.. => ErrorData::internal_error(problem.detail, None),
        _ => ErrorData::invalid_request(problem.detail, None),
    }
}

fn media_type(path: &str) -> &'static str {
    if path.ends_with(".json") { "application/json" } else { "text/markdown" }
}

impl Tools {
    async fn usable_skills(&self, context: &RequestContext<RoleServer>) -> Result<Vec<wire::Skill>, ErrorData> {
        let acts_as = acts_as(context)?;
        let listed = self.app().list_skills(&acts_as.auth, acts_as.workspace, wire::ListSkills::default(), None).await;
        match listed.map_err(|error| refused(&error))? {
            Etag::Changed(_, skills) => Ok(skills),
            Etag::Unchanged(_) => Ok(Vec::new()),
        }
    }

    /// A skill with its files; `None` for one that the workspace cannot use.
    async fn usable_skill(
        &self,
        context: &RequestContext<RoleServer>,
        name: &str,
    ) -> Result<Option<wire::SkillDetail>, ErrorData> {
        let acts_as = acts_as(context)?;
        let read = self.app().read_skill(&acts_as.auth, acts_as.workspace, name, wire::ReadSkill::default()).await;
        match read {
            // a draft of an own skill is not in use
            Ok(detail) if detail.skill.status == wire::SkillStatus::Active => Ok(Some(detail)),
            Ok(_) | Err(AppError::NotFound { .. }) => Ok(None),
            Err(error) => Err(refused(&error)),
        }
    }

    pub(super) async fn skill_resources(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |skill: wire::Skill| {
            Resource::new(format!("{SCHEME}{}", skill.name), skill.name)
                .with_description(skill.description)
                .with_mime_type(media_type(MAIN_FILE))
        };
        let skills = self.usable_skills(context).await?;
        let listed = ListResourcesResult::with_all_items(skills.into_iter().map(resource).collect());
        Ok(listed.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    pub(super) fn skill_templates() -> ListResourceTemplatesResult {
        let template = ResourceTemplate::new(format!("{SCHEME}{{name}}/{{+path}}"), "skill file")
            .with_title("File of a skill")
            .with_description("A file of the package of a skill, such as `references/1.md`");
        ListResourceTemplatesResult::with_all_items(vec![template]).with_ttl_ms(0).with_cache_scope(CacheScope::Private)
    }

    /// # Errors
    /// The error for unknown resources also for a skill that the workspace cannot use.
    pub(super) async fn skill_resource(
        &self,
        context: &RequestContext<RoleServer>,
        uri: &str,
    ) -> Result<ReadResourceResult, ErrorData> {
        let unknown = || {
            let message = format!("unknown resource `{}`; `resources/list` has those of now", decode::shortened(uri));
            ErrorData::resource_not_found(message, Some(json!({"uri": uri})))
        };
        let address = uri.strip_prefix(SCHEME).ok_or_else(unknown)?;
        let (name, path) = address.split_once('/').unwrap_or((address, MAIN_FILE));
        let detail = self.usable_skill(context, name).await?.ok_or_else(unknown)?;
        let file = detail.files.into_iter().find(|file| file.path == path).ok_or_else(unknown)?;
        let contents = ResourceContents::text(file.text, uri).with_mime_type(media_type(path));
        Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    pub(super) async fn skill_prompts(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = |skill: wire::Skill| Prompt::new(skill.name, Some(skill.description), None);
        let skills = self.usable_skills(context).await?;
        let listed = ListPromptsResult::with_all_items(skills.into_iter().map(prompt).collect());
        Ok(listed.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    /// # Errors
    /// The error for unknown prompts also for a skill that the workspace cannot use.
    pub(super) async fn skill_prompt(
        &self,
        context: &RequestContext<RoleServer>,
        name: &str,
    ) -> Result<GetPromptResult, ErrorData> {
        let unknown = || {
            let name = decode::shortened(name);
            ErrorData::invalid_params(format!("unknown prompt `{name}`; `prompts/list` has those of now"), None)
        };
        let detail = self.usable_skill(context, name).await?.ok_or_else(unknown)?;
        let file = detail.files.into_iter().find(|file| file.path == MAIN_FILE).ok_or_else(unknown)?;
        let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, file.text)]);
        result.description = Some(detail.skill.description);
        Ok(result)
    }
}

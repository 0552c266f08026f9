//! The tools. Each calls the same service as REST.

mod documents;
mod entries;
mod memories;
mod namespaces;
mod patterns;
mod sessions;
mod skills;

use std::sync::Arc;

use rmcp::handler::server::common::{AsRequestContext, FromContextPart};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, tool_handler};
use serde_json::Value;
use uuid::Uuid;

use super::answers::{Reply, ToolRefusal};
use super::arguments::ToolArguments;
use super::{lenient, schema};
use crate::app::{App, Idempotency};
use crate::auth::VerifiedClaims;
use crate::decode;

/// The caller of the tools, and the workspace that the calls act as.
#[derive(Clone, Debug)]
pub struct ActsAs {
    /// The claims of the caller.
    pub auth: Arc<VerifiedClaims>,
    /// The workspace.
    pub workspace: Uuid,
    /// The key of the message.
    pub idempotency: Option<Idempotency>,
}

impl ActsAs {
    /// The caller of the message at `index` of a batch, with a key of its own: a key of a request has no space.
    pub(super) fn of_batch(&self, index: usize) -> Self {
        let key_of_message =
            |of_batch: &Idempotency| Idempotency { key: format!("{} {index}", of_batch.key), ..of_batch.clone() };
        Self { idempotency: self.idempotency.as_ref().map(key_of_message), ..self.clone() }
    }
}

impl<'s, S> FromContextPart<ToolCallContext<'s, S>> for ActsAs {
    fn from_context_part(context: &mut ToolCallContext<'s, S>) -> Result<Self, rmcp::ErrorData> {
        let parts = context.as_request_context().extensions.get::<http::request::Parts>();
        let acts_as = parts.and_then(|parts| parts.extensions.get::<Self>()).cloned();
        acts_as.ok_or_else(|| rmcp::ErrorData::internal_error("the request has no caller", None))
    }
}

/// The arguments of a tool. Invalid arguments are a tool error, which the model sees and can correct, instead of a protocol
/// error.
struct Arguments<T>(Result<T, ToolRefusal>);

impl<'s, T: ToolArguments> FromContextPart<ToolCallContext<'s, Tools>> for Arguments<T> {
    fn from_context_part(context: &mut ToolCallContext<'s, Tools>) -> Result<Self, rmcp::ErrorData> {
        let mut arguments = context.arguments.take().unwrap_or_default();
        lenient::normalise(&mut arguments, &schema::of_input::<T>(), T::OTHER_NAMES);
        let arguments = Value::Object(arguments);
        // the same limit as for the body of the equivalent REST call
        let limit = context.service.max_depth;
        if decode::nests_deeper(&arguments, limit) {
            return Ok(Self(Err(ToolRefusal::too_deep(limit))));
        }
        Ok(Self(decode::json_value(&arguments).map_err(ToolRefusal::from)))
    }
}

/// The result of a tool.
type Answer<T> = Result<Reply<T>, ToolRefusal>;

/// The MCP server.
#[derive(Clone)]
pub struct Tools {
    app: Arc<App>,
    max_depth: usize,
    tool_router: ToolRouter<Self>,
}

/// Moves each title from the annotations, its place in the first revisions, to its place in the current ones. Earlier
/// clients show the name instead; twice in the list, titles would cost each client their bytes.
fn with_titles<S: Send + Sync + 'static>(mut tools: ToolRouter<S>) -> ToolRouter<S> {
    for tool in tools.map.values_mut().map(|route| &mut route.attr) {
        tool.title = tool.annotations.as_mut().and_then(|annotations| annotations.title.take());
    }
    tools
}

/// The words of the name of a tool in the order of the alphabet.
fn in_order(name: &str) -> String {
    let mut words: Vec<&str> = name.split(['_', '-', '.', ' ']).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.join("_")
}

impl Tools {
    /// The tools over the services. Arguments nest at most `max_depth` levels of arrays and objects.
    #[must_use]
    pub fn new(app: Arc<App>, max_depth: usize) -> Self {
        let tool_router = Self::memory_tools()
            + Self::namespace_tools()
            + Self::session_tools()
            + Self::document_tools()
            + Self::pattern_tools()
            + Self::skill_tools()
            + Self::entry_tools();
        Self { app, max_depth, tool_router: with_titles(tool_router) }
    }

    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// The error for a name that no tool has.
    fn unknown_tool(&self, name: &str) -> rmcp::ErrorData {
        let sent = name.to_lowercase();
        let nearest = self.tool_router.map.keys().min_by_key(|known| {
            // models swap the words of a name
            let swapped = strsim::damerau_levenshtein(&in_order(&sent), &in_order(known));
            let distance = strsim::damerau_levenshtein(&sent, known).min(swapped);
            // a beginning of a name means this name; equally near names in the order of the alphabet
            (!known.starts_with(&sent), distance, (*known).clone())
        });
        tracing::info!("a call named no tool");
        let remedy = nearest.map_or_else(String::new, |nearest| format!("; the nearest is `{nearest}`"));
        let name = decode::shortened(name);
        rmcp::ErrorData::invalid_params(format!("unknown tool `{name}`{remedy}"), None)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Tools {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, rmcp::ErrorData> {
        if !self.tool_router.has_route(&request.name) {
            return Err(self.unknown_tool(&request.name));
        }
        self.tool_router.call(ToolCallContext::new(self, request, context)).await
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, rmcp::ErrorData> {
        self.skill_resources(&context).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, rmcp::ErrorData> {
        Ok(Self::skill_templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, rmcp::ErrorData> {
        Ok(self.skill_resource(&context, &request.uri).await?.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, rmcp::ErrorData> {
        self.skill_prompts(&context).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, rmcp::ErrorData> {
        Ok(self.skill_prompt(&context, &request.name).await?.into())
    }

    fn get_info(&self) -> ServerConfig {
        let instructions = "Memory for an organisation of agents. Commit facts that you or your team will need again, with \
                            the narrowest sufficient scope. Search before you ask. Your workspace's current position in \
                            the organisation determines which memories you can read. Absent members of results have \
                            their default values.";
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build())
            .with_server_info(Implementation::new("orgmem", env!("CARGO_PKG_VERSION")).with_title("orgmem"))
            .with_instructions(instructions)
    }
}

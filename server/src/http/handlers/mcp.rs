//! MCP over streamable HTTP. What is said inside is the protocol's; who may say it is settled here, as everywhere.

use actix_web::HttpRequest;
use actix_web::web::Data;
use uuid::Uuid;

use super::App;
use crate::http::answer::Answer;
use crate::http::error::HttpError;
use crate::http::extract::{Authenticated, Raw, WorkspacePath};
use crate::http::openapi::{Gone, NoMessage};
use crate::mcp::{ActsAs, McpEndpoint};

/// Calls MCP as the workspace that the token is bound to.
#[utoipa::path(
    post, path = "/mcp", tag = "mcp",
    request_body = Value,
    responses(
        (status = 200, body = Value, description = "a message of the protocol; a list of them for a batch"),
        (status = 202, description = "notifications were taken"),
        NoMessage,
    ),
)]
pub(crate) async fn call_mcp(
    auth: Authenticated,
    app: App,
    endpoint: Data<McpEndpoint>,
    request: HttpRequest,
    body: Raw,
) -> Answer {
    let workspace = auth.identity().workspace.ok_or(HttpError::NoWorkspace)?;
    answer(auth, workspace.uuid(), &app, &endpoint, &request, body).await
}

/// Calls MCP as this workspace.
#[utoipa::path(
    post, path = "/workspaces/{id}/mcp", tag = "mcp",
    params(WorkspacePath),
    request_body = Value,
    responses(
        (status = 200, body = Value, description = "a message of the protocol; a list of them for a batch"),
        (status = 202, description = "notifications were taken"),
        NoMessage,
        Gone,
    ),
)]
pub(crate) async fn call_mcp_as(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    endpoint: Data<McpEndpoint>,
    request: HttpRequest,
    body: Raw,
) -> Answer {
    answer(auth, path.id, &app, &endpoint, &request, body).await
}

/// A token that no longer admits its bearer is refused before the protocol: clients get a new one on 401, while they
/// take what a tool answers for the tool's. So is whoever may not read as the workspace, whom no tool would answer; what
/// a tool asks for beyond that, it says itself.
async fn answer(
    auth: Authenticated,
    workspace: Uuid,
    app: &App,
    endpoint: &McpEndpoint,
    request: &HttpRequest,
    body: Raw,
) -> Answer {
    app.admit_as(&auth, workspace).await?;
    Ok(endpoint.answer(request, body.0, ActsAs { who: auth.shared(), workspace }).await?)
}

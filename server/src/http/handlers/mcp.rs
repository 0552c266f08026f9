//! MCP over streamable HTTP. What is said inside is the protocol's; who may say it is settled here, as everywhere.

use actix_web::HttpRequest;
use actix_web::web::Data;
use uuid::Uuid;

use super::App;
use crate::http::answer::Answer;
use crate::http::error::HttpError;
use crate::http::extract::{Authenticated, Raw, WorkspacePath};
use crate::http::openapi::{Gone, NoMessage};
use crate::mcp::{ActsAs, Endpoint};

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
    who: Authenticated,
    app: App,
    endpoint: Data<Endpoint>,
    request: HttpRequest,
    sent: Raw,
) -> Answer {
    let workspace = who.identity().workspace.ok_or(HttpError::NoWorkspace)?;
    answer(who, workspace.uuid(), &app, &endpoint, &request, sent).await
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
    who: Authenticated,
    at: WorkspacePath,
    app: App,
    endpoint: Data<Endpoint>,
    request: HttpRequest,
    sent: Raw,
) -> Answer {
    answer(who, at.id, &app, &endpoint, &request, sent).await
}

/// A token that no longer admits its bearer is refused before the protocol: clients get a new one on 401, while they
/// take what a tool answers for the tool's. So is whoever may not read as the workspace, whom no tool would answer; what
/// a tool asks for beyond that, it says itself.
async fn answer(
    who: Authenticated,
    workspace: Uuid,
    app: &App,
    endpoint: &Endpoint,
    request: &HttpRequest,
    sent: Raw,
) -> Answer {
    app.admit_as(&who, workspace).await?;
    Ok(endpoint.answer(request, sent.0, ActsAs { who: who.shared(), workspace }).await?)
}

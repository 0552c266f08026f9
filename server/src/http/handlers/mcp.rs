//! MCP over streamable HTTP. Permission to call as a workspace is checked here, before the protocol.

use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest};
use uuid::Uuid;

use super::App;
use crate::http::answer::Answer;
use crate::http::error::HttpError;
use crate::http::extract::{Authenticated, Raw, WorkspacePath};
use crate::http::openapi::{Gone, InvalidMessage};
use crate::http::state::AppState;
use crate::limits::LimitKeys;
use crate::mcp::{ActsAs, McpEndpoint};

/// Calls MCP as the workspace of the token.
#[utoipa::path(
    post, path = "/mcp", tag = "mcp",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body = Value,
    responses(
        (status = 200, body = Value, description = "a message of the protocol; a list of them for a batch"),
        (status = 202, description = "notifications were accepted"),
        InvalidMessage,
    ),
)]
pub(crate) async fn call_mcp(
    auth: Authenticated,
    app: App,
    endpoint: Data<McpEndpoint>,
    state: Data<AppState>,
    request: HttpRequest,
    body: Raw,
) -> Answer {
    let workspace = auth.identity().workspace.ok_or(HttpError::NoWorkspace)?;
    answer(auth, workspace.uuid(), &app, &endpoint, &state, &request, body).await
}

/// Calls MCP as this workspace.
#[utoipa::path(
    post, path = "/workspaces/{id}/mcp", tag = "mcp",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = Value,
    responses(
        (status = 200, body = Value, description = "a message of the protocol; a list of them for a batch"),
        (status = 202, description = "notifications were accepted"),
        InvalidMessage,
        Gone,
    ),
)]
pub(crate) async fn call_mcp_as(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    endpoint: Data<McpEndpoint>,
    state: Data<AppState>,
    request: HttpRequest,
    body: Raw,
) -> Answer {
    answer(auth, path.id, &app, &endpoint, &state, &request, body).await
}

/// Refuses callers that may not read as the workspace before the protocol: on a 401 clients fetch a new token, but they
/// would show a 401 inside a tool result to the model. Tools check further permissions themselves.
async fn answer(
    auth: Authenticated,
    workspace: Uuid,
    app: &App,
    endpoint: &McpEndpoint,
    state: &AppState,
    request: &HttpRequest,
    body: Raw,
) -> Answer {
    app.admit_as(&auth, workspace).await?;
    let keys = request.extensions().get::<LimitKeys>().copied();
    let count = |messages| match keys {
        Some(keys) => state.load.count(keys, messages).map(drop),
        None => Ok(()),
    };
    let Raw { body, idempotency } = body;
    Ok(endpoint.answer(request, body, ActsAs { auth: auth.shared(), workspace, idempotency }, count).await?)
}

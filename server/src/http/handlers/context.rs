//! The context block and the summary of a profile.

use orgmem_types::{Context, InjectContext, ProfileSummary};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, JsonBody, ProfilePath, WorkspacePath};
use crate::http::openapi::Gone;

/// Returns the block to put before an agent's prompt, and the memories in it, selected by a profile of the workspace.
#[utoipa::path(
    post, path = "/workspaces/{id}/context", tag = "profiles",
    params(WorkspacePath),
    request_body = InjectContext,
    responses((status = 200, body = Context, description = "the block and its memories"), Gone),
)]
pub(crate) async fn inject_context(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(request): JsonBody<InjectContext>,
) -> Answer {
    ok(&app.inject_context(&auth, path.id, request).await?)
}

/// Summarizes the workspace's own memories of a profile.
#[utoipa::path(
    get, path = "/workspaces/{id}/profiles/{pid}/summary", tag = "profiles",
    params(ProfilePath),
    responses((status = 200, body = ProfileSummary, description = "the summary"), Gone),
)]
pub(crate) async fn summarize_profile(auth: Authenticated, path: ProfilePath, app: App) -> Answer {
    ok(&app.summarize_profile(&auth, path.id, path.pid).await?)
}

//! The activity log: append, list.

use actix_web::HttpRequest;
use orgmem_types::{AppendEpisode, Episode, ListEpisodes};

use super::App;
use crate::http::answer::{Answer, created, page};
use crate::http::extract::{Authenticated, Posted, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Appends one episode to the workspace's log. It is never changed; a correction is a new one that supersedes.
#[utoipa::path(
    post, path = "/workspaces/{id}/activity", tag = "activity",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = AppendEpisode,
    responses((status = 201, body = Episode, description = "it is appended"), Gone),
)]
pub(crate) async fn append_episode(
    who: Authenticated,
    at: WorkspacePath,
    app: App,
    sent: Posted<AppendEpisode>,
) -> Answer {
    created(&app.append_episode(&who, at.id, sent.body, sent.once).await?)
}

/// Lists the workspace's episodes, newest first. What happens to memory the server notes itself: `memory_write`,
/// `memory_read` (by agents), `memory_forget`, `memory_redact`.
#[utoipa::path(
    get, path = "/workspaces/{id}/activity", tag = "activity",
    params(WorkspacePath, ListEpisodes),
    responses((status = 200, body = Vec<Episode>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_episodes(
    who: Authenticated,
    at: WorkspacePath,
    app: App,
    Query(query): Query<ListEpisodes>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_episodes(&who, at.id, query).await?)
}

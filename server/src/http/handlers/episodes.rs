//! The activity log: append, list.

use actix_web::HttpRequest;
use orgmem_types::{AppendEpisode, Episode, ListEpisodes, RedactMemory, RedactedEpisode};

use super::App;
use crate::http::answer::{Answer, created, ok, page};
use crate::http::extract::{Authenticated, EpisodePath, Posted, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Appends one episode to the workspace's activity. Episodes never change; a correction is a new episode that supersedes
/// the wrong one.
#[utoipa::path(
    post, path = "/workspaces/{id}/activity", tag = "activity",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = AppendEpisode,
    responses((status = 201, body = Episode, description = "the episode"), Gone),
)]
pub(crate) async fn append_episode(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Posted<AppendEpisode>,
) -> Answer {
    created(&app.append_episode(&auth, path.id, body.body, body.idempotency).await?)
}

/// Lists the workspace's episodes, newest first. The server itself records `memory_write`, `memory_read` (by agents),
/// `memory_forget` and `memory_redact`.
#[utoipa::path(
    get, path = "/workspaces/{id}/activity", tag = "activity",
    params(WorkspacePath, ListEpisodes),
    responses((status = 200, body = Vec<Episode>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_episodes(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListEpisodes>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_episodes(&auth, path.id, query).await?)
}

/// Redacts one episode with a reason: its content is deleted permanently; its type, time and corrections remain.
#[utoipa::path(
    post, path = "/workspaces/{id}/activity/{eid}/redact", tag = "activity",
    params(EpisodePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RedactMemory,
    responses((status = 200, body = RedactedEpisode, description = "the episode was redacted"), Gone),
)]
pub(crate) async fn redact_episode(
    auth: Authenticated,
    path: EpisodePath,
    app: App,
    body: Posted<RedactMemory>,
) -> Answer {
    ok(&app.redact_episode(&auth, path.id, path.eid, body.body, body.idempotency).await?)
}

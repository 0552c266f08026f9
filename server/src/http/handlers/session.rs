//! Session search, and the end of sessions.

use actix_web::HttpRequest;
use orgmem_types::{EndedSession, SessionHit, SessionSearch};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, Query, SessionPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Searches the workspace's episodes and its own memories as one list.
#[utoipa::path(
    get, path = "/workspaces/{id}/session-search", tag = "activity",
    params(WorkspacePath, SessionSearch),
    responses((status = 200, body = Vec<SessionHit>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn search_session(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<SessionSearch>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.search_session(&auth, path.id, query).await?)
}

/// Ends a session of the workspace: its memories that are session-only are gone, as by expiry.
#[utoipa::path(
    post, path = "/workspaces/{id}/sessions/{sid}/end", tag = "activity",
    params(SessionPath),
    responses((status = 200, body = EndedSession, description = "the session has ended"), Gone),
)]
pub(crate) async fn end_session(auth: Authenticated, path: SessionPath, app: App) -> Answer {
    ok(&app.end_session(&auth, path.id, path.sid).await?)
}

//! Session search.

use actix_web::HttpRequest;
use orgmem_types::{SessionHit, SessionSearch};

use super::App;
use crate::http::answer::{Answer, page};
use crate::http::extract::{Authenticated, Query, WorkspacePath};
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

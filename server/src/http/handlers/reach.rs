//! Reach: the workspaces that read each other, with the reasons.

use actix_web::HttpRequest;
use orgmem_types::{CheckAccess, CheckAccessResponse, ReachQuery, ReachResponse, RelationResponse};

use super::App;
use crate::http::answer::{Answer, linked, ok};
use crate::http::extract::{Authenticated, JsonBody, Query, RelationPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Lists the workspaces that a workspace can read and those that can read it, each with the reason.
#[utoipa::path(
    get, path = "/workspaces/{id}/reach", tag = "reach",
    params(WorkspacePath, ReachQuery),
    responses((status = 200, body = ReachResponse, description = "one page of the current reach", headers(("Link"))), Gone),
)]
pub(crate) async fn read_reach(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ReachQuery>,
    request: HttpRequest,
) -> Answer {
    let reach = app.read_reach(&auth, path.id, query).await?;
    linked(&request, &reach, reach.next.as_deref())
}

/// Reads the relation of two workspaces: both directions, each scope, with reasons.
#[utoipa::path(
    get, path = "/workspaces/{id}/reach/{other}", tag = "reach",
    params(RelationPath),
    responses((status = 200, body = RelationResponse, description = "the current relation"), Gone),
)]
pub(crate) async fn read_relation(auth: Authenticated, path: RelationPath, app: App) -> Answer {
    ok(&app.read_relation(&auth, path.id, path.other).await?)
}

/// Checks whether two workspaces may communicate: a workspace with itself, siblings, and ancestor with descendant.
#[utoipa::path(
    post, path = "/registry/check-access", tag = "reach",
    request_body = CheckAccess,
    responses((status = 200, body = CheckAccessResponse, description = "the current decision"), Gone),
)]
pub(crate) async fn check_access(auth: Authenticated, app: App, JsonBody(pair): JsonBody<CheckAccess>) -> Answer {
    ok(&app.check_access(&auth, pair).await?)
}

//! Who reads whom, and why.

use orgmem_hierarchy::Scope;
use orgmem_types::{CheckAccess, CheckAccessResponse, ReachResponse, RelationResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, Json, Query, RelationPath, WorkspacePath};
use crate::http::openapi::Gone;

/// The query of a reach.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReachQuery {
    /// One scope; without it all three.
    scope: Option<Scope>,
}

/// Reads whom a workspace can read and who can read it, each with the reason.
#[utoipa::path(
    get, path = "/workspaces/{id}/reach", tag = "reach",
    params(WorkspacePath, ReachQuery),
    responses((status = 200, body = ReachResponse, description = "now"), Gone),
)]
pub(crate) async fn read_reach(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ReachQuery>,
) -> Answer {
    ok(&app.read_reach(&auth, path.id, query.scope).await?)
}

/// Reads how two workspaces stand to each other: both directions, each scope, with reasons.
#[utoipa::path(
    get, path = "/workspaces/{id}/reach/{other}", tag = "reach",
    params(RelationPath),
    responses((status = 200, body = RelationResponse, description = "now"), Gone),
)]
pub(crate) async fn read_relation(auth: Authenticated, path: RelationPath, app: App) -> Answer {
    ok(&app.read_relation(&auth, path.id, path.other).await?)
}

/// Checks whether two workspaces may talk to each other: itself, siblings, ancestor and descendant of one tree may.
#[utoipa::path(
    post, path = "/registry/check-access", tag = "reach",
    request_body = CheckAccess,
    responses((status = 200, body = CheckAccessResponse, description = "now"), Gone),
)]
pub(crate) async fn check_access(auth: Authenticated, app: App, Json(pair): Json<CheckAccess>) -> Answer {
    ok(&app.check_access(&auth, pair).await?)
}

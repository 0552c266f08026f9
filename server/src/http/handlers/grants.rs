//! Grants: the consent of end users that sessions are read in other ones.

use actix_web::HttpRequest;
use orgmem_types::{Deleted, GiveGrant, GivenGrant, Grant, ListGrants};

use super::App;
use crate::http::answer::{Answer, created, ok, page};
use crate::http::extract::{Authenticated, GrantPath, Posted, Query, WorkspacePath};
use crate::http::openapi::{Gone, GrantConflict};

/// Records the consent of an end user that sessions of the workspace are read in other ones.
#[utoipa::path(
    post, path = "/workspaces/{id}/grants", tag = "grants",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = GiveGrant,
    responses((status = 201, body = GivenGrant, description = "the grant"), Gone, GrantConflict),
)]
pub(crate) async fn give_grant(auth: Authenticated, path: WorkspacePath, app: App, body: Posted<GiveGrant>) -> Answer {
    created(&app.give_grant(&auth, path.id, body.body, body.idempotency).await?)
}

/// Lists the grants of the workspace that have not expired, newest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/grants", tag = "grants",
    params(WorkspacePath, ListGrants),
    responses((status = 200, body = Vec<Grant>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_grants(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListGrants>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_grants(&auth, path.id, query).await?)
}

/// Revokes a grant. No later read is made under it.
#[utoipa::path(
    delete, path = "/workspaces/{id}/grants/{gid}", tag = "grants",
    params(GrantPath),
    responses((status = 200, body = Deleted, description = "the grant was revoked"), Gone),
)]
pub(crate) async fn revoke_grant(auth: Authenticated, path: GrantPath, app: App) -> Answer {
    ok(&app.revoke_grant(&auth, path.id, path.gid).await?)
}

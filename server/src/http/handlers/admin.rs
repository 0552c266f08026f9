//! The server as a whole, for admins.

use orgmem_types::{AdminTree, AdminTreeQuery, ServerStats};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, Query};

/// Lists every org with its numbers; with `days`, also its activity by day, and the facts that call for an action.
#[utoipa::path(
    get, path = "/admin/tree", tag = "admin",
    params(AdminTreeQuery),
    responses((status = 200, body = AdminTree, description = "the orgs, by creation")),
)]
pub(crate) async fn read_admin_tree(auth: Authenticated, app: App, Query(query): Query<AdminTreeQuery>) -> Answer {
    ok(&app.admin_tree(&auth, query).await?)
}

/// Reads the numbers of the server.
#[utoipa::path(
    get, path = "/admin/stats", tag = "admin",
    responses((status = 200, body = ServerStats, description = "the current numbers")),
)]
pub(crate) async fn read_admin_stats(auth: Authenticated, app: App) -> Answer {
    ok(&app.admin_stats(&auth).await?)
}

//! The server as a whole, for admins.

use orgmem_types::{AdminTree, ServerStats};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::Authenticated;

/// Lists every org with its numbers.
#[utoipa::path(
    get, path = "/admin/tree", tag = "admin",
    responses((status = 200, body = AdminTree, description = "the orgs, by creation")),
)]
pub(crate) async fn read_admin_tree(auth: Authenticated, app: App) -> Answer {
    ok(&app.admin_tree(&auth).await?)
}

/// Reads the numbers of the server.
#[utoipa::path(
    get, path = "/admin/stats", tag = "admin",
    responses((status = 200, body = ServerStats, description = "the current numbers")),
)]
pub(crate) async fn read_admin_stats(auth: Authenticated, app: App) -> Answer {
    ok(&app.admin_stats(&auth).await?)
}

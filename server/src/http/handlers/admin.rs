//! The server as a whole, for admins.

use orgmem_types::{AdminTree, ServerStats};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::Authenticated;

/// Reads every org, in numbers.
#[utoipa::path(
    get, path = "/admin/tree", tag = "admin",
    responses((status = 200, body = AdminTree, description = "by creation")),
)]
pub(crate) async fn read_admin_tree(auth: Authenticated, app: App) -> Answer {
    ok(&app.admin_tree(&auth).await?)
}

/// Reads the server, in numbers.
#[utoipa::path(
    get, path = "/admin/stats", tag = "admin",
    responses((status = 200, body = ServerStats, description = "now")),
)]
pub(crate) async fn read_admin_stats(auth: Authenticated, app: App) -> Answer {
    ok(&app.admin_stats(&auth).await?)
}

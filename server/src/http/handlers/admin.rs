//! The server as a whole, for admins.

use orgmem_types::{
    AdminTree, AdminTreeQuery, DryRun, ExportedMemory, MemoriesImport, ScrubQuery, ScrubResponse, ServerStats,
};
use serde_json::Value;

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, BulkList, Query};
use crate::http::openapi::Conflict;

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

/// Imports memories that another platform or tool exported, each on its own. A memory that exists already is skipped.
///
/// With `dry_run=true` nothing is imported, and the response lists what would be.
#[utoipa::path(
    post, path = "/admin/memories/import", tag = "admin",
    params(DryRun),
    request_body = Vec<ExportedMemory>,
    responses((status = 200, body = MemoriesImport, description = "the outcome, with the reason of each error"), Conflict),
)]
pub(crate) async fn import_memories(
    auth: Authenticated,
    app: App,
    Query(query): Query<DryRun>,
    body: BulkList<Value>,
) -> Answer {
    ok(&app.import_memories(&auth, body.body, query.dry_run.unwrap_or_default()).await?)
}

/// Applies the current rules for credentials to the next stored rows, some hundred in one transaction.
///
/// With `dry_run=true` nothing is changed, and the response counts what would be.
#[utoipa::path(
    post, path = "/admin/scrub", tag = "admin",
    params(ScrubQuery),
    responses((status = 200, body = ScrubResponse, description = "the counts, and the cursor of the next rows")),
)]
pub(crate) async fn scrub_stored(auth: Authenticated, app: App, Query(query): Query<ScrubQuery>) -> Answer {
    ok(&app.scrub_stored(&auth, query).await?)
}

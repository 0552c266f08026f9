//! Budgets: read, set, remove.

use orgmem_types::{BudgetLimits, Deleted, WorkspaceBudget};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, JsonBody, WorkspacePath};
use crate::http::openapi::{BudgetConflict, Gone};

/// Reads the budgets that bind a workspace, with what is used of each.
#[utoipa::path(
    get, path = "/workspaces/{id}/budget", tag = "workspaces",
    params(WorkspacePath),
    responses((status = 200, body = WorkspaceBudget, description = "its own and the inherited ones"), Gone),
)]
pub(crate) async fn read_budget(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.read_budget(&auth, path.id).await?)
}

/// Sets the budget of a workspace and everything below it.
///
/// The limits replace the earlier ones. A workspace cannot have more than one above it. Its own operator may not set it.
#[utoipa::path(
    put, path = "/workspaces/{id}/budget", tag = "workspaces",
    params(WorkspacePath),
    request_body = BudgetLimits,
    responses((status = 200, body = WorkspaceBudget, description = "its own and the inherited ones"), Gone, BudgetConflict),
)]
pub(crate) async fn set_budget(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(limits): JsonBody<BudgetLimits>,
) -> Answer {
    ok(&app.set_budget(&auth, path.id, limits).await?)
}

/// Removes the budget of a workspace. Those of the workspaces above it remain.
#[utoipa::path(
    delete, path = "/workspaces/{id}/budget", tag = "workspaces",
    params(WorkspacePath),
    responses((status = 200, body = Deleted, description = "the budget was removed, or there was none"), Gone),
)]
pub(crate) async fn remove_budget(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.remove_budget(&auth, path.id).await?)
}

//! Workspaces: create, list, read, change, remove.

use actix_web::HttpRequest;
use orgmem_types::{
    CreateWorkspace, DryRun, ListWorkspaces, PatchWorkspace, PatchedWorkspace, RemoveWorkspace, RemovedWorkspace,
    TreeNode, TreeQuery, Workspace,
};

use super::App;
use crate::http::answer::{Answer, created_at, ok, page, workspace_location};
use crate::http::extract::{Authenticated, JsonBody, Posted, Query, WorkspacePath};
use crate::http::openapi::{Confirmation, Gone, TreeConflict};

/// Creates a workspace below a parent, or a new root.
///
/// Without `parent_id` it becomes the root of a new org, which only an admin may create.
#[utoipa::path(
    post, path = "/workspaces", tag = "workspaces",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body = CreateWorkspace,
    responses((status = 201, body = Workspace, description = "the workspace", headers(("Location"))), Gone, TreeConflict),
)]
pub(crate) async fn create_workspace(auth: Authenticated, app: App, body: Posted<CreateWorkspace>) -> Answer {
    let workspace = app.create_workspace(&auth, body.body, body.idempotency).await?;
    created_at(&workspace_location(workspace.id), &workspace)
}

/// Lists the workspaces of the caller's trees as a flat list, by creation.
#[utoipa::path(
    get, path = "/workspaces", tag = "workspaces",
    params(ListWorkspaces),
    responses((status = 200, body = Vec<Workspace>, description = "one page", headers(("Link")))),
)]
pub(crate) async fn list_workspaces(
    auth: Authenticated,
    app: App,
    Query(query): Query<ListWorkspaces>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_workspaces(&auth, query).await?)
}

/// Reads a workspace: its position in the tree and its counts.
#[utoipa::path(
    get, path = "/workspaces/{id}", tag = "workspaces",
    params(WorkspacePath),
    responses((status = 200, body = Workspace, description = "the workspace"), Gone),
)]
pub(crate) async fn read_workspace(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.read_workspace(&auth, path.id).await?)
}

/// Renames or moves a workspace, or changes its role or metadata.
///
/// Absent fields keep their values. A move includes all descendants, atomically. With `dry_run=true` nothing is changed;
/// the response lists the memories that each affected workspace would gain and lose.
#[utoipa::path(
    patch, path = "/workspaces/{id}", tag = "workspaces",
    params(WorkspacePath, DryRun),
    request_body = PatchWorkspace,
    responses((status = 200, body = PatchedWorkspace, description = "the changed workspace, or the outcome of a `dry_run`"), Gone, TreeConflict),
)]
pub(crate) async fn patch_workspace(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<DryRun>,
    JsonBody(change): JsonBody<PatchWorkspace>,
) -> Answer {
    ok(&match query.dry_run.unwrap_or_default() {
        true => PatchedWorkspace::Planned(Box::new(app.preview_patch(&auth, path.id, change).await?)),
        false => PatchedWorkspace::Done(Box::new(app.patch_workspace(&auth, path.id, change).await?)),
    })
}

/// Removes a workspace. It then reads nothing, no workspace reads it, and its tokens are refused.
///
/// With live children the request must choose `children=promote` or `children=cascade`. With `dry_run=true` nothing is
/// removed; the response lists the memories that each affected workspace would gain and lose.
#[utoipa::path(
    delete, path = "/workspaces/{id}", tag = "workspaces",
    params(WorkspacePath, RemoveWorkspace),
    responses((status = 200, body = RemovedWorkspace, description = "the removed workspace, or the outcome of a `dry_run`"), Gone, Confirmation),
)]
pub(crate) async fn remove_workspace(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<RemoveWorkspace>,
) -> Answer {
    ok(&match query.dry_run.unwrap_or_default() {
        true => RemovedWorkspace::Planned(Box::new(app.preview_removal(&auth, path.id, query).await?)),
        false => RemovedWorkspace::Done(Box::new(app.remove_workspace(&auth, path.id, query).await?)),
    })
}

/// Reads a workspace with its descendants, nested.
#[utoipa::path(
    get, path = "/workspaces/{id}/tree", tag = "workspaces",
    params(WorkspacePath, TreeQuery),
    responses((status = 200, body = TreeNode, description = "the subtree"), Gone),
)]
pub(crate) async fn read_tree(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<TreeQuery>,
) -> Answer {
    ok(&app.read_tree(&auth, path.id, query).await?)
}

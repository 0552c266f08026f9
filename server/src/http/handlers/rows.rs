//! Collections of rows.

use actix_web::HttpRequest;
use orgmem_types::{Collection, Deleted, ListRows, NewRow, PutCollection, RemovedRows, Row, WithdrawRows, WrittenRows};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, CollectionPath, JsonBody, Posted, Query, RowPath, Rows, WorkspacePath};
use crate::http::openapi::{Gone, RowConflict};

/// Lists the collections of the workspace by name.
#[utoipa::path(
    get, path = "/workspaces/{id}/collections", tag = "rows",
    params(WorkspacePath),
    responses((status = 200, body = Vec<Collection>, description = "the collections"), Gone),
)]
pub(crate) async fn list_collections(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.list_collections(&auth, path.id).await?)
}

/// Reads a collection of the workspace.
#[utoipa::path(
    get, path = "/workspaces/{id}/collections/{name}", tag = "rows",
    params(CollectionPath),
    responses((status = 200, body = Collection, description = "the collection"), Gone),
)]
pub(crate) async fn read_collection(auth: Authenticated, path: CollectionPath, app: App) -> Answer {
    ok(&app.read_collection(&auth, path.id, path.name).await?)
}

/// Creates a collection of the workspace, or changes its settings.
#[utoipa::path(
    put, path = "/workspaces/{id}/collections/{name}", tag = "rows",
    params(CollectionPath),
    request_body = PutCollection,
    responses((status = 200, body = Collection, description = "the collection"), Gone, RowConflict),
)]
pub(crate) async fn put_collection(
    auth: Authenticated,
    path: CollectionPath,
    app: App,
    JsonBody(request): JsonBody<PutCollection>,
) -> Answer {
    ok(&app.put_collection(&auth, path.id, path.name, request).await?)
}

/// Deletes a collection of the workspace with its rows.
#[utoipa::path(
    delete, path = "/workspaces/{id}/collections/{name}", tag = "rows",
    params(CollectionPath),
    responses((status = 200, body = Deleted, description = "deleted"), Gone),
)]
pub(crate) async fn delete_collection(auth: Authenticated, path: CollectionPath, app: App) -> Answer {
    ok(&app.delete_collection(&auth, path.id, path.name).await?)
}

/// Lists the rows of a collection by key.
#[utoipa::path(
    get, path = "/workspaces/{id}/collections/{name}/rows", tag = "rows",
    params(CollectionPath, ListRows),
    responses((status = 200, body = Vec<Row>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_rows(
    auth: Authenticated,
    path: CollectionPath,
    app: App,
    Query(query): Query<ListRows>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_rows(&auth, path.id, path.name, query).await?)
}

/// Stores rows by their keys: a JSON array, or one row a line. Bad rows are named by their line, and the good ones are
/// stored.
#[utoipa::path(
    post, path = "/workspaces/{id}/collections/{name}/rows", tag = "rows",
    params(CollectionPath, ("Idempotency-Key" = Option<String>, Header)),
    request_body(content((Vec<NewRow> = "application/json"), (Vec<NewRow> = "application/x-ndjson"))),
    responses((status = 200, body = WrittenRows, description = "the outcome"), Gone, RowConflict),
)]
pub(crate) async fn write_rows(auth: Authenticated, path: CollectionPath, app: App, body: Rows) -> Answer {
    ok(&app.write_rows(&auth, path.id, path.name, body.rows, body.idempotency).await?)
}

/// Deletes a row.
#[utoipa::path(
    delete, path = "/workspaces/{id}/collections/{name}/rows/{key}", tag = "rows",
    params(RowPath),
    responses((status = 200, body = Deleted, description = "deleted"), Gone),
)]
pub(crate) async fn delete_row(auth: Authenticated, path: RowPath, app: App) -> Answer {
    ok(&app.delete_row(&auth, path.id, path.name, path.key).await?)
}

/// Withdraws rows with a reason: deletes them, and lets the next runs of processors count again without them.
#[utoipa::path(
    post, path = "/workspaces/{id}/collections/{name}/rows/withdraw", tag = "rows",
    params(CollectionPath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = WithdrawRows,
    responses((status = 200, body = RemovedRows, description = "counts"), Gone),
)]
pub(crate) async fn withdraw_rows(
    auth: Authenticated,
    path: CollectionPath,
    app: App,
    body: Posted<WithdrawRows>,
) -> Answer {
    ok(&app.withdraw_rows(&auth, path.id, path.name, body.body, body.idempotency).await?)
}

//! Records: the current values of operational truths.

use actix_web::HttpRequest;
use orgmem_types::{
    DeleteRecord, ListRecords, PatchRecord, PushRecords, PutRecord, Record, WrittenRecord, WrittenRecords,
};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, JsonBody, Lines, Query, RecordPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Lists the records of the workspace's tree by entity.
#[utoipa::path(
    get, path = "/workspaces/{id}/records", tag = "records",
    params(WorkspacePath, ListRecords),
    responses((status = 200, body = Vec<Record>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_records(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListRecords>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_records(&auth, path.id, query).await?)
}

/// Reads the record of an entity of the workspace's tree.
#[utoipa::path(
    get, path = "/workspaces/{id}/records/{entity}", tag = "records",
    params(RecordPath),
    responses((status = 200, body = Record, description = "the record"), Gone),
)]
pub(crate) async fn read_record(auth: Authenticated, path: RecordPath, app: App) -> Answer {
    ok(&app.read_record(&auth, path.id, &path.entity).await?)
}

/// Replaces a record of the tree with this root. The newer `as_of` wins, in any order of arrival.
#[utoipa::path(
    put, path = "/workspaces/{id}/records/{entity}", tag = "records",
    params(RecordPath),
    request_body = PutRecord,
    responses((status = 200, body = WrittenRecord, description = "the outcome"), Gone),
)]
pub(crate) async fn put_record(
    auth: Authenticated,
    path: RecordPath,
    app: App,
    JsonBody(request): JsonBody<PutRecord>,
) -> Answer {
    ok(&app.put_record(&auth, path.id, path.entity, request).await?)
}

/// Changes some fields of a record of the tree with this root; `null` removes a field.
#[utoipa::path(
    patch, path = "/workspaces/{id}/records/{entity}", tag = "records",
    params(RecordPath),
    request_body = PatchRecord,
    responses((status = 200, body = WrittenRecord, description = "the outcome"), Gone),
)]
pub(crate) async fn patch_record(
    auth: Authenticated,
    path: RecordPath,
    app: App,
    JsonBody(request): JsonBody<PatchRecord>,
) -> Answer {
    ok(&app.patch_record(&auth, path.id, path.entity, request).await?)
}

/// Deletes a record of the tree with this root. Values that held later remain.
#[utoipa::path(
    delete, path = "/workspaces/{id}/records/{entity}", tag = "records",
    params(RecordPath, DeleteRecord),
    responses((status = 200, body = WrittenRecord, description = "the outcome"), Gone),
)]
pub(crate) async fn delete_record(
    auth: Authenticated,
    path: RecordPath,
    app: App,
    Query(query): Query<DeleteRecord>,
) -> Answer {
    ok(&app.delete_record(&auth, path.id, path.entity, query).await?)
}

/// Writes many records of the tree with this root, all or none: `records`, or one record a line.
#[utoipa::path(
    post, path = "/workspaces/{id}/records", tag = "records",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body(content((PushRecords = "application/json"), (PushRecords = "application/x-ndjson"))),
    responses((status = 200, body = WrittenRecords, description = "the outcome"), Gone),
)]
pub(crate) async fn write_records(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Lines<PushRecords>,
) -> Answer {
    ok(&app.write_records(&auth, path.id, body.body, body.idempotency).await?)
}

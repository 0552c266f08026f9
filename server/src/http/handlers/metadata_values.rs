//! The values of metadata, and the postponement of the end of memories.

use actix_web::HttpRequest;
use orgmem_types::{ListMetadataValues, MetadataValue, TouchMemories, TouchedMemories};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, Bulk, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Lists the distinct values of a member of the metadata of the memories that the workspace can read, in order.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/values", tag = "memories",
    params(WorkspacePath, ListMetadataValues),
    responses((status = 200, body = Vec<MetadataValue>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_metadata_values(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListMetadataValues>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_metadata_values(&auth, path.id, query).await?)
}

/// Sets the end of life of up to 500 memories of the workspace, without a new version; omits those that it cannot change.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/touch", tag = "memories",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = TouchMemories,
    responses((status = 200, body = TouchedMemories, description = "the memories that live on"), Gone),
)]
pub(crate) async fn touch_memories(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Bulk<TouchMemories>,
) -> Answer {
    ok(&app.touch_memories(&auth, path.id, body.body, body.idempotency).await?)
}

//! Edits of memories, and their history.

use actix_web::HttpRequest;
use orgmem_types::{CommittedMemory, ListVersions, MemoryVersion, PatchMemory, RestoreMemory, RestoredMemory};

use super::App;
use crate::http::answer::{Answer, page, versioned};
use crate::http::extract::{Authenticated, Expected, JsonBody, MemoryPath, Posted, Query};
use crate::http::openapi::{EditConflict, Gone};

/// Edits a memory as its author, optionally only on an expected version. The result is a new version.
///
/// Absent fields keep their values, and so do scope and team. A request without changes makes no version.
#[utoipa::path(
    patch, path = "/workspaces/{id}/memories/{mid}", tag = "memories",
    params(MemoryPath, ("If-Match" = Option<String>, Header)),
    request_body = PatchMemory,
    responses(
        (status = 200, body = CommittedMemory, description = "the changed memory", headers(("ETag"))),
        Gone,
        EditConflict,
    ),
)]
pub(crate) async fn edit_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Expected(version): Expected,
    JsonBody(change): JsonBody<PatchMemory>,
) -> Answer {
    let edited = app.edit_memory(&auth, path.id, path.mid, change, version).await?;
    versioned(edited.version, &edited)
}

/// Restores the content of an earlier version of a memory, as its author. The result is a new version.
///
/// Scope, team, pin and expiry do not change.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/{mid}/restore", tag = "memories",
    params(
        MemoryPath,
        ("Idempotency-Key" = Option<String>, Header),
        ("If-Match" = Option<String>, Header),
    ),
    request_body = RestoreMemory,
    responses(
        (status = 200, body = RestoredMemory, description = "the restored memory", headers(("ETag"))),
        Gone,
        EditConflict,
    ),
)]
pub(crate) async fn restore_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Expected(version): Expected,
    body: Posted<RestoreMemory>,
) -> Answer {
    let restored = app.restore_memory(&auth, path.id, path.mid, body.body, version, body.idempotency).await?;
    versioned(restored.version, &restored)
}

/// Lists the versions of a memory, the current version first, each with its author and time.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/{mid}/history", tag = "memories",
    params(MemoryPath, ListVersions),
    responses((status = 200, body = Vec<MemoryVersion>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_versions(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Query(query): Query<ListVersions>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_versions(&auth, path.id, path.mid, query).await?)
}

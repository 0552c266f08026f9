//! Changing memories, and what they said before.

use actix_web::HttpRequest;
use orgmem_types::{CommittedMemory, ListVersions, MemoryVersion, PatchMemory, RestoreMemory, RestoredMemory};

use super::App;
use crate::http::answer::{Answer, page, versioned};
use crate::http::extract::{Authenticated, Expected, Json, MemoryPath, Posted, Query};
use crate::http::openapi::{EditConflict, Gone};

/// Edits a memory as its author: a new version, on the version that is asked for if one is.
///
/// What is absent stays, scope and team stay too. A request that changes nothing makes no version.
#[utoipa::path(
    patch, path = "/workspaces/{id}/memories/{mid}", tag = "memories",
    params(MemoryPath, ("If-Match" = Option<String>, Header)),
    request_body = PatchMemory,
    responses(
        (status = 200, body = CommittedMemory, description = "it is changed", headers(("ETag"))),
        Gone,
        EditConflict,
    ),
)]
pub(crate) async fn edit_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Expected(version): Expected,
    Json(change): Json<PatchMemory>,
) -> Answer {
    let edited = app.edit_memory(&auth, path.id, path.mid, change, version).await?;
    versioned(edited.version, &edited)
}

/// Makes a memory say again what it said in an earlier version, as its author. That is a new version.
///
/// Its scope, team, pin and end stay as they are.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/{mid}/restore", tag = "memories",
    params(
        MemoryPath,
        ("Idempotency-Key" = Option<String>, Header),
        ("If-Match" = Option<String>, Header),
    ),
    request_body = RestoreMemory,
    responses(
        (status = 200, body = RestoredMemory, description = "it is restored", headers(("ETag"))),
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

/// Lists what a memory said and says, the present version first, each with its author and time.
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

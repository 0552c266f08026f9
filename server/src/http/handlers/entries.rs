//! Key/value entries: list, read, put, drop.

use actix_web::HttpRequest;
use orgmem_types::{Deleted, Entry, ListEntries, PutEntry, PutEntryResponse};

use super::App;
use crate::http::answer::{Answer, ok, page, versioned};
use crate::http::extract::{Authenticated, EntryPath, Expected, Posted, Query, WorkspacePath, expected_version};
use crate::http::openapi::{Gone, VersionConflict};

/// Lists live entries by key.
#[utoipa::path(
    get, path = "/workspaces/{id}/memory", tag = "entries",
    params(WorkspacePath, ListEntries),
    responses((status = 200, body = Vec<Entry>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_entries(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListEntries>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_entries(&auth, path.id, query).await?)
}

/// Reads one entry; an expired entry is absent.
#[utoipa::path(
    get, path = "/workspaces/{id}/memory/{key}", tag = "entries",
    params(EntryPath),
    responses((status = 200, body = Entry, description = "the entry", headers(("ETag"))), Gone),
)]
pub(crate) async fn read_entry(auth: Authenticated, path: EntryPath, app: App) -> Answer {
    let entry = app.read_entry(&auth, path.id, &path.key).await?;
    versioned(entry.version, &entry)
}

/// Puts one entry, optionally only on an expected version.
///
/// The expected version is in `if_match_version` or `If-Match`; `If-None-Match: *` is version 0, "must not exist".
#[utoipa::path(
    post, path = "/workspaces/{id}/memory", tag = "entries",
    params(
        WorkspacePath,
        ("Idempotency-Key" = Option<String>, Header),
        ("If-Match" = Option<String>, Header),
        ("If-None-Match" = Option<String>, Header),
    ),
    request_body = PutEntry,
    responses(
        (status = 200, body = PutEntryResponse, description = "the entry was written", headers(("ETag"))),
        Gone,
        VersionConflict,
    ),
)]
pub(crate) async fn put_entry(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Expected(version): Expected,
    body: Posted<PutEntry>,
) -> Answer {
    let if_match_version = expected_version(version, body.body.if_match_version)?;
    let answer = app.put_entry(&auth, path.id, PutEntry { if_match_version, ..body.body }, body.idempotency).await?;
    versioned(answer.version, &answer)
}

/// Drops one entry, optionally only on an expected version. Its version is not used again.
#[utoipa::path(
    delete, path = "/workspaces/{id}/memory/{key}", tag = "entries",
    params(EntryPath, ("If-Match" = Option<String>, Header)),
    responses((status = 200, body = Deleted, description = "the entry was dropped"), Gone, VersionConflict),
)]
pub(crate) async fn drop_entry(auth: Authenticated, path: EntryPath, app: App, Expected(version): Expected) -> Answer {
    ok(&app.drop_entry(&auth, path.id, &path.key, version).await?)
}

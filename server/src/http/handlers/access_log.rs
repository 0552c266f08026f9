//! The access log: read, verify.

use actix_web::HttpRequest;
use orgmem_types::{AuditRow, AuditVerification, ListAuditRows, ListMemoryAuditRows, VerifyAuditLog};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, MemoryPath, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Reads what was done as the workspace or to it, newest first: who, what, which memories, when. It holds hashes of
/// content, never content.
#[utoipa::path(
    get, path = "/workspaces/{id}/access-log", tag = "access log",
    params(WorkspacePath, ListAuditRows),
    responses((status = 200, body = Vec<AuditRow>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn read_access_log(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListAuditRows>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.read_access_log(&auth, path.id, query).await?)
}

/// Reads who read and wrote one memory, newest first, as far as it was done where the caller may look.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/{mid}/access-log", tag = "access log",
    params(MemoryPath, ListMemoryAuditRows),
    responses((status = 200, body = Vec<AuditRow>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn read_memory_access_log(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Query(query): Query<ListMemoryAuditRows>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.read_memory_access_log(&auth, path.id, path.mid, query).await?)
}

/// Checks that the access log of the workspace's org is as it was written, and names the first row that is not. For
/// viewers and operators of the root, and admins.
#[utoipa::path(
    get, path = "/workspaces/{id}/access-log/verify", tag = "access log",
    params(WorkspacePath, VerifyAuditLog),
    responses((status = 200, body = AuditVerification, description = "what was found"), Gone),
)]
pub(crate) async fn verify_access_log(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<VerifyAuditLog>,
) -> Answer {
    ok(&app.verify_access_log(&auth, path.id, query).await?)
}

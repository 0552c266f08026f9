//! The audit log: read, verify.

use actix_web::HttpRequest;
use orgmem_types::{AuditRow, AuditVerification, ListAuditRows, ListMemoryAuditRows, VerifyAuditLog};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, MemoryPath, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Lists the operations as this workspace or on it, newest first: caller, action, memories, time. Rows contain hashes of
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

/// Lists the reads and writes of one memory, newest first, in workspaces whose log the caller may read.
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

/// Verifies that the access log of the workspace's org is unchanged, and names the first changed row. For viewers and
/// operators of the root, and admins.
#[utoipa::path(
    get, path = "/workspaces/{id}/access-log/verify", tag = "access log",
    params(WorkspacePath, VerifyAuditLog),
    responses((status = 200, body = AuditVerification, description = "the result"), Gone),
)]
pub(crate) async fn verify_access_log(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<VerifyAuditLog>,
) -> Answer {
    ok(&app.verify_access_log(&auth, path.id, query).await?)
}

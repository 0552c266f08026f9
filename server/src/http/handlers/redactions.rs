//! Permanent removal of content.

use actix_web::HttpRequest;
use orgmem_types::{
    DryRun, Erase, ListErasures, PageQuery, Receipt, RedactMemories, RedactMemory, RedactedMemory, RedactionEntry,
    RedactionResponse,
};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, MemoryPath, Posted, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Redacts one memory with a reason: its content and all earlier versions are deleted permanently.
///
/// For operators of its author. A repeated call returns the first result. With `dry_run=true` nothing is redacted; the
/// response lists the affected content and its readers.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/{mid}/redact", tag = "memories",
    params(MemoryPath, DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RedactMemory,
    responses((status = 200, body = RedactedMemory, description = "the memory was redacted, or the outcome of a `dry_run`"), Gone),
)]
pub(crate) async fn redact_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Query(query): Query<DryRun>,
    body: Posted<RedactMemory>,
) -> Answer {
    ok(&app
        .redact_memory(&auth, path.id, path.mid, body.body, query.dry_run.unwrap_or_default(), body.idempotency)
        .await?)
}

/// Redacts up to 500 memories for one reason, each independently: a refused memory does not affect the others.
///
/// With `dry_run=true` nothing is redacted; the response lists the affected content and its readers.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/redact", tag = "memories",
    params(WorkspacePath, DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RedactMemories,
    responses((status = 200, body = RedactionResponse, description = "item by item, in the order of the request"), Gone),
)]
pub(crate) async fn redact_memories(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<DryRun>,
    body: Posted<RedactMemories>,
) -> Answer {
    ok(&app.redact_memories(&auth, path.id, body.body, query.dry_run.unwrap_or_default(), body.idempotency).await?)
}

/// Lists the redactions of memories of this workspace and of the workspaces below it, newest first: who, when, why.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/redactions", tag = "memories",
    params(WorkspacePath, PageQuery),
    responses((status = 200, body = Vec<RedactionEntry>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_redactions(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_redactions(&auth, path.id, query).await?)
}

/// Erases all data about an end user in an org, or a whole org, and returns the receipt.
///
/// With `dry_run=true` nothing is erased, and the receipt lists the data that would be.
#[utoipa::path(
    post, path = "/admin/erasures", tag = "admin",
    params(DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = Erase,
    responses((status = 200, body = Receipt, description = "the receipt"), Gone),
)]
pub(crate) async fn erase_content(
    auth: Authenticated,
    app: App,
    Query(query): Query<DryRun>,
    body: Posted<Erase>,
) -> Answer {
    ok(&app.erase(&auth, body.body, query.dry_run.unwrap_or_default(), body.idempotency).await?)
}

/// Lists the receipts of an org, newest first.
#[utoipa::path(
    get, path = "/admin/erasures", tag = "admin",
    params(ListErasures),
    responses((status = 200, body = Vec<Receipt>, description = "the receipts"), Gone),
)]
pub(crate) async fn list_erasures(auth: Authenticated, app: App, Query(query): Query<ListErasures>) -> Answer {
    ok(&app.list_erasures(&auth, query.org_id).await?)
}

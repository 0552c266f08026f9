//! Taking content out for good.

use orgmem_types::{
    DryRun, Erase, ListErasures, Receipt, RedactMemories, RedactMemory, RedactedMemory, RedactionResponse,
};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, MemoryPath, Posted, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Redacts one memory with a reason: its content and all its earlier versions are gone for good.
///
/// For who operates its author. Done again, it tells of the first time. With `dry_run=true` nothing is redacted, and the
/// answer says what would go and who had read it.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/{mid}/redact", tag = "memories",
    params(MemoryPath, DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RedactMemory,
    responses((status = 200, body = RedactedMemory, description = "it is redacted"), Gone),
)]
pub(crate) async fn redact_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Query(how): Query<DryRun>,
    body: Posted<RedactMemory>,
) -> Answer {
    ok(&app
        .redact_memory(&auth, path.id, path.mid, body.body, how.dry_run.unwrap_or_default(), body.idempotency)
        .await?)
}

/// Redacts up to 500 memories for one reason, each on its own: a refused one does not harm the others.
///
/// With `dry_run=true` nothing is redacted, and the answer says what would go and who had read it.
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
    Query(how): Query<DryRun>,
    body: Posted<RedactMemories>,
) -> Answer {
    ok(&app.redact_memories(&auth, path.id, body.body, how.dry_run.unwrap_or_default(), body.idempotency).await?)
}

/// Erases what is stored about an end user in an org, or a whole org; the answer is the receipt.
///
/// With `dry_run=true` nothing is erased, and the receipt says what would be.
#[utoipa::path(
    post, path = "/admin/erasures", tag = "admin",
    params(DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = Erase,
    responses((status = 200, body = Receipt, description = "the receipt"), Gone),
)]
pub(crate) async fn erase_content(
    auth: Authenticated,
    app: App,
    Query(how): Query<DryRun>,
    body: Posted<Erase>,
) -> Answer {
    ok(&app.erase(&auth, body.body, how.dry_run.unwrap_or_default(), body.idempotency).await?)
}

/// Lists the receipts of an org, the newest first.
#[utoipa::path(
    get, path = "/admin/erasures", tag = "admin",
    params(ListErasures),
    responses((status = 200, body = Vec<Receipt>, description = "the receipts"), Gone),
)]
pub(crate) async fn list_erasures(auth: Authenticated, app: App, Query(of): Query<ListErasures>) -> Answer {
    ok(&app.list_erasures(&auth, of.org_id).await?)
}

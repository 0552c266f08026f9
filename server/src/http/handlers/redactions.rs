//! Taking content out for good.

use orgmem_types::{
    DryRun, Erase, ListErasures, Receipt, RedactMemories, RedactMemory, RedactedMemory, RedactionAnswer,
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
    who: Authenticated,
    at: MemoryPath,
    app: App,
    Query(how): Query<DryRun>,
    sent: Posted<RedactMemory>,
) -> Answer {
    ok(&app.redact_memory(&who, at.id, at.mid, sent.body, how.dry_run.unwrap_or_default(), sent.once).await?)
}

/// Redacts up to 500 memories for one reason, each on its own: a refused one does not harm the others.
///
/// With `dry_run=true` nothing is redacted, and the answer says what would go and who had read it.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/redact", tag = "memories",
    params(WorkspacePath, DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RedactMemories,
    responses((status = 200, body = RedactionAnswer, description = "item by item, in the order of the request"), Gone),
)]
pub(crate) async fn redact_memories(
    who: Authenticated,
    at: WorkspacePath,
    app: App,
    Query(how): Query<DryRun>,
    sent: Posted<RedactMemories>,
) -> Answer {
    ok(&app.redact_memories(&who, at.id, sent.body, how.dry_run.unwrap_or_default(), sent.once).await?)
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
    who: Authenticated,
    app: App,
    Query(how): Query<DryRun>,
    sent: Posted<Erase>,
) -> Answer {
    ok(&app.erase(&who, sent.body, how.dry_run.unwrap_or_default(), sent.once).await?)
}

/// Lists the receipts of an org, the newest first.
#[utoipa::path(
    get, path = "/admin/erasures", tag = "admin",
    params(ListErasures),
    responses((status = 200, body = Vec<Receipt>, description = "the receipts"), Gone),
)]
pub(crate) async fn list_erasures(who: Authenticated, app: App, Query(of): Query<ListErasures>) -> Answer {
    ok(&app.list_erasures(&who, of.org_id).await?)
}

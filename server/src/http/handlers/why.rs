//! How many memories there are, and why one is found or not.

use orgmem_types::{CountMemories, MemoryCount, RecallExplanation, RecallQuery};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, MemoryPath, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Counts the memories that the workspace can read and that match.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/count", tag = "memories",
    params(WorkspacePath, CountMemories),
    responses((status = 200, body = MemoryCount, description = "the count"), Gone),
)]
pub(crate) async fn count_memories(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<CountMemories>,
) -> Answer {
    ok(&app.count_memories(&auth, path.id, query).await?)
}

/// Says why the workspace finds a memory by a query, or does not: the one cause, by the code that decides.
///
/// Of what it cannot read the reason is told to those alone whose role covers its author too; to others it is absent.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/{mid}/why", tag = "memories",
    params(MemoryPath, RecallQuery),
    responses((status = 200, body = RecallExplanation, description = "the cause"), Gone),
)]
pub(crate) async fn explain_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Query(query): Query<RecallQuery>,
) -> Answer {
    ok(&app.explain_memory(&auth, path.id, path.mid, query).await?)
}

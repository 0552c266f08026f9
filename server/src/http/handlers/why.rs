//! The count of memories, and the explanation of search results.

use orgmem_types::{CountMemories, MemoryCount, RecallExplanation, RecallQuery};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, MemoryPath, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Counts the matching memories that the workspace can read.
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

/// Explains why a query of the workspace finds a memory or does not: the single cause, computed by the code that searches.
///
/// For a memory that the workspace cannot read, the caller needs a role that covers its author; otherwise it is absent.
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

//! Scoped memories: commit, search, read, forget.

use actix_web::HttpRequest;
use orgmem_types::{
    BatchResponse, CommitBatch, CommitMemory, CommittedMemory, Deleted, ListMemories, Memory, OrgMatches, ReadMemory,
    ReadMemoryQuery, SearchOrgs,
};

use super::App;
use crate::http::answer::{Answer, created_at, ok, page, versioned};
use crate::http::extract::{Authenticated, Bulk, Expected, MemoryPath, Posted, Query, WorkspacePath};
use crate::http::openapi::{EditConflict, Gone, MemoryConflict};

/// Commits one memory as the workspace. The next search finds it, unless it is pending in an open run.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories", tag = "memories",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = CommitMemory,
    responses(
        (status = 201, body = CommittedMemory, description = "the memory", headers(("Location"))),
        Gone,
        MemoryConflict,
    ),
)]
pub(crate) async fn commit_memory(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Posted<CommitMemory>,
) -> Answer {
    let memory = app.commit_memory(&auth, path.id, body.body, body.idempotency).await?;
    let location = match memory.run_id.filter(|_| memory.pending) {
        Some(run) => format!("/workspaces/{}/runs/{run}", path.id),
        None => format!("/workspaces/{}/memories/{}", path.id, memory.id),
    };
    created_at(&location, &memory)
}

/// Commits up to 500 memories, each independently: a refused memory does not affect the others.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/batch", tag = "memories",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = CommitBatch,
    responses((status = 200, body = BatchResponse, description = "item by item, in the order of the request"), Gone),
)]
pub(crate) async fn commit_batch(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Bulk<CommitBatch>,
) -> Answer {
    ok(&app.commit_batch(&auth, path.id, body.body, body.idempotency).await?)
}

/// Searches the memories that the workspace can read, best first; without `q` lists them, newest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories", tag = "memories",
    params(WorkspacePath, ListMemories),
    responses((status = 200, body = Vec<Memory>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn search_memories(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListMemories>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.search_memories(&auth, path.id, query).await?)
}

/// Searches the memories of all workspaces that the caller may read, org by org, best first in each.
#[utoipa::path(
    get, path = "/search", tag = "memories",
    params(SearchOrgs),
    responses((status = 200, body = Vec<OrgMatches>, description = "the orgs with matches", headers(("Link")))),
)]
pub(crate) async fn search_orgs(
    auth: Authenticated,
    app: App,
    Query(query): Query<SearchOrgs>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.search_orgs(&auth, query).await?)
}

/// Reads one memory that the workspace can read. For a redacted memory that it could read, returns a tombstone.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/{mid}", tag = "memories",
    params(MemoryPath, ReadMemoryQuery),
    responses(
        (status = 200, body = ReadMemory, description = "the memory, or its tombstone", headers(("ETag"))),
        Gone,
    ),
)]
pub(crate) async fn read_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Query(query): Query<ReadMemoryQuery>,
) -> Answer {
    match app.read_memory(&auth, path.id, path.mid, query.sessions).await? {
        ReadMemory::Readable(memory) => versioned(memory.version, &memory),
        ReadMemory::Redacted(tombstone) => versioned(tombstone.version, &tombstone),
    }
}

/// Forgets one memory, optionally only on an expected version: its content is deleted from every table and index.
#[utoipa::path(
    delete, path = "/workspaces/{id}/memories/{mid}", tag = "memories",
    params(MemoryPath, ("If-Match" = Option<String>, Header)),
    responses((status = 200, body = Deleted, description = "the memory was deleted"), Gone, EditConflict),
)]
pub(crate) async fn forget_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Expected(version): Expected,
) -> Answer {
    ok(&app.forget_memory(&auth, path.id, path.mid, None, version).await?)
}

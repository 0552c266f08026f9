//! Memories by namespace.

use actix_web::HttpRequest;
use orgmem_types::{
    CommitToNamespace, CommittedToNamespace, Deleted, ListNamespaceMemories, NamespaceMemories, Namespaces,
};

use super::App;
use crate::http::answer::{Answer, created_at, linked, ok};
use crate::http::extract::{Authenticated, Expected, MemoryPath, Posted, Query, WorkspacePath};
use crate::http::openapi::{EditConflict, Gone, MemoryConflict};

/// Lists the namespaces that the workspace can read and those that it can write.
#[utoipa::path(
    get, path = "/workspaces/{id}/v2/namespaces", tag = "namespaces",
    params(WorkspacePath),
    responses((status = 200, body = Namespaces, description = "the current namespaces, narrowest first"), Gone),
)]
pub(crate) async fn list_namespaces(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.list_namespaces(&auth, path.id).await?)
}

/// Commits one memory into a namespace, by default the workspace's own.
#[utoipa::path(
    post, path = "/workspaces/{id}/v2/memories", tag = "namespaces",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = CommitToNamespace,
    responses(
        (status = 201, body = CommittedToNamespace, description = "the memory", headers(("Location"))),
        Gone,
        MemoryConflict,
    ),
)]
pub(crate) async fn commit_namespace_memory(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Posted<CommitToNamespace>,
) -> Answer {
    let memory = app.commit_namespace_memory(&auth, path.id, body.body, body.idempotency).await?;
    let location = match memory.run_id.filter(|_| memory.pending) {
        Some(run) => format!("/workspaces/{}/runs/{run}", path.id),
        None => format!("/workspaces/{}/memories/{}", path.id, memory.id),
    };
    created_at(&location, &memory)
}

/// Searches the memories of a namespace, best first; without `q` lists them. A namespace that the workspace cannot read
/// gives an empty list.
#[utoipa::path(
    get, path = "/workspaces/{id}/v2/memories", tag = "namespaces",
    params(WorkspacePath, ListNamespaceMemories),
    responses((status = 200, body = NamespaceMemories, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn search_namespace(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListNamespaceMemories>,
    request: HttpRequest,
) -> Answer {
    let found = app.search_namespace(&auth, path.id, query).await?;
    linked(&request, &found, found.next.as_deref())
}

/// Forgets one memory of the workspace itself, optionally only on an expected version.
#[utoipa::path(
    delete, path = "/workspaces/{id}/v2/memories/{mid}", tag = "namespaces",
    params(MemoryPath, ("If-Match" = Option<String>, Header)),
    responses((status = 200, body = Deleted, description = "the memory was deleted"), Gone, EditConflict),
)]
pub(crate) async fn forget_namespace_memory(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    Expected(version): Expected,
) -> Answer {
    ok(&app.forget_namespace_memory(&auth, path.id, path.mid, version).await?)
}

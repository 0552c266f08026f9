//! Pages: the compressed view of a workspace's episodes.

use actix_web::HttpRequest;
use orgmem_types::{
    CompactPages, CompactQuery, CompactionReport, ExplainPage, ListPages, Page, PageExplanation, PageSources,
};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, JsonBody, PagePath, Query, WorkspacePath};
use crate::http::openapi::Gone;

/// Lists the workspace's pages, newest first; with `q`, the best matches first. Cold pages only with `tier=cold`.
#[utoipa::path(
    get, path = "/workspaces/{id}/pages", tag = "pages",
    params(WorkspacePath, ListPages),
    responses((status = 200, body = Vec<Page>, description = "one page of the list", headers(("Link"))), Gone),
)]
pub(crate) async fn list_pages(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListPages>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_pages(&auth, path.id, query).await?)
}

/// Returns one page with the parts of its confidence.
#[utoipa::path(
    get, path = "/workspaces/{id}/pages/{pid}", tag = "pages",
    params(PagePath),
    responses((status = 200, body = Page, description = "the page"), Gone),
)]
pub(crate) async fn read_page(auth: Authenticated, path: PagePath, app: App) -> Answer {
    ok(&app.read_page(&auth, path.id, path.pid).await?)
}

/// Returns the episodes that a page was made of, oldest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/pages/{pid}/sources", tag = "pages",
    params(PagePath),
    responses((status = 200, body = PageSources, description = "the episodes"), Gone),
)]
pub(crate) async fn list_page_sources(auth: Authenticated, path: PagePath, app: App) -> Answer {
    ok(&app.list_page_sources(&auth, path.id, path.pid).await?)
}

/// Explains why a page is in the working set or not.
#[utoipa::path(
    get, path = "/workspaces/{id}/pages/{pid}/why", tag = "pages",
    params(PagePath, ExplainPage),
    responses((status = 200, body = PageExplanation, description = "the cause"), Gone),
)]
pub(crate) async fn explain_page(
    auth: Authenticated,
    path: PagePath,
    app: App,
    Query(query): Query<ExplainPage>,
) -> Answer {
    ok(&app.explain_page(&auth, path.id, path.pid, query).await?)
}

/// Compacts the workspace's episodes, or those about one subject, into pages now, and reports what became of them.
#[utoipa::path(
    post, path = "/workspaces/{id}/pages/compact", tag = "pages",
    params(WorkspacePath, CompactQuery),
    request_body = CompactPages,
    responses((status = 200, body = CompactionReport, description = "the report"), Gone),
)]
pub(crate) async fn compact_pages(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<CompactQuery>,
    JsonBody(request): JsonBody<CompactPages>,
) -> Answer {
    ok(&app.compact_pages(&auth, path.id, request, query.dry_run).await?)
}

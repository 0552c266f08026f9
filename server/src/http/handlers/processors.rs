//! Processors: definitions that distil rows into facts.

use actix_web::HttpRequest;
use orgmem_types::{
    DefineProcessor, Deleted, DryRun, FindPatterns, ListProcessorRuns, Patterns, Processor, ProcessorRun,
};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, JsonBody, ProcessorPath, Query, WorkspacePath};
use crate::http::openapi::{Gone, RowConflict};

/// Lists the processors of the workspace, and the built-in definitions that it can activate.
#[utoipa::path(
    get, path = "/workspaces/{id}/processors", tag = "processors",
    params(WorkspacePath),
    responses((status = 200, body = Vec<Processor>, description = "the processors"), Gone),
)]
pub(crate) async fn list_processors(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.list_processors(&auth, path.id).await?)
}

/// Defines a processor of the workspace, or activates a built-in one. A changed definition computes all facts again.
#[utoipa::path(
    post, path = "/workspaces/{id}/processors", tag = "processors",
    params(WorkspacePath),
    request_body = DefineProcessor,
    responses((status = 200, body = Processor, description = "the processor"), Gone, RowConflict),
)]
pub(crate) async fn define_processor(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(request): JsonBody<DefineProcessor>,
) -> Answer {
    ok(&app.define_processor(&auth, path.id, request).await?)
}

/// Reads a processor of the workspace, or a built-in definition.
#[utoipa::path(
    get, path = "/workspaces/{id}/processors/{name}", tag = "processors",
    params(ProcessorPath),
    responses((status = 200, body = Processor, description = "the processor"), Gone),
)]
pub(crate) async fn read_processor(auth: Authenticated, path: ProcessorPath, app: App) -> Answer {
    ok(&app.read_processor(&auth, path.id, path.name).await?)
}

/// Deletes a processor. Its facts are superseded.
#[utoipa::path(
    delete, path = "/workspaces/{id}/processors/{name}", tag = "processors",
    params(ProcessorPath),
    responses((status = 200, body = Deleted, description = "deleted"), Gone),
)]
pub(crate) async fn delete_processor(auth: Authenticated, path: ProcessorPath, app: App) -> Answer {
    ok(&app.delete_processor(&auth, path.id, path.name).await?)
}

/// Runs a processor now, or reports what a run would do.
#[utoipa::path(
    post, path = "/workspaces/{id}/processors/{name}/run", tag = "processors",
    params(ProcessorPath, DryRun),
    responses((status = 200, body = ProcessorRun, description = "the report"), Gone, RowConflict),
)]
pub(crate) async fn run_processor(
    auth: Authenticated,
    path: ProcessorPath,
    app: App,
    Query(query): Query<DryRun>,
) -> Answer {
    ok(&app.run_processor(&auth, path.id, path.name, query.dry_run.unwrap_or_default()).await?)
}

/// Lists the last runs of a processor, newest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/processors/{name}/runs", tag = "processors",
    params(ProcessorPath, ListProcessorRuns),
    responses((status = 200, body = Vec<ProcessorRun>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_processor_runs(
    auth: Authenticated,
    path: ProcessorPath,
    app: App,
    Query(query): Query<ListProcessorRuns>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_processor_runs(&auth, path.id, path.name, query).await?)
}

/// Finds the facts that bear on the files of a change, the most confident first.
#[utoipa::path(
    post, path = "/workspaces/{id}/patterns", tag = "processors",
    params(WorkspacePath),
    request_body = FindPatterns,
    responses((status = 200, body = Patterns, description = "the facts"), Gone),
)]
pub(crate) async fn find_patterns(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(request): JsonBody<FindPatterns>,
) -> Answer {
    ok(&app.find_patterns(&auth, path.id, request).await?)
}

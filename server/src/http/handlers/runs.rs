//! Gated runs: start, list, read, add outputs, finish.

use actix_web::HttpRequest;
use orgmem_types::{FinishRun, ListRuns, ReadRun, Run, RunDetail, RunOutput, StagedOutput, StartRun};

use super::App;
use crate::http::answer::{Answer, created_at, linked, ok, page};
use crate::http::extract::{Authenticated, Bulk, Posted, Query, RunPath, WorkspacePath};
use crate::http::openapi::{Gone, RunConflict};

/// Starts a run of the workspace: memories committed with its `run_id` are pending until it is completed.
#[utoipa::path(
    post, path = "/workspaces/{id}/runs", tag = "runs",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = StartRun,
    responses((status = 201, body = Run, description = "the open run", headers(("Location"))), Gone),
)]
pub(crate) async fn start_run(auth: Authenticated, path: WorkspacePath, app: App, body: Posted<StartRun>) -> Answer {
    let run = app.start_run(&auth, path.id, body.body, body.idempotency).await?;
    created_at(&format!("/workspaces/{}/runs/{}", path.id, run.run_id), &run)
}

/// Lists the runs of the workspace, newest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/runs", tag = "runs",
    params(WorkspacePath, ListRuns),
    responses((status = 200, body = Vec<Run>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_runs(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListRuns>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_runs(&auth, path.id, query).await?)
}

/// Reads one run and a page of its pending memories, which no other call returns.
#[utoipa::path(
    get, path = "/workspaces/{id}/runs/{rid}", tag = "runs",
    params(RunPath, ReadRun),
    responses((status = 200, body = RunDetail, description = "the run", headers(("Link"))), Gone),
)]
pub(crate) async fn read_run(
    auth: Authenticated,
    path: RunPath,
    app: App,
    Query(query): Query<ReadRun>,
    request: HttpRequest,
) -> Answer {
    let (run, next) = app.read_run(&auth, path.id, path.rid, query).await?;
    linked(&request, &run, next.as_deref())
}

/// Accepts the output of a node of the run, and stages every memory in its `__lf_memory_writes`, atomically.
#[utoipa::path(
    post, path = "/workspaces/{id}/runs/{rid}/outputs", tag = "runs",
    params(RunPath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = RunOutput,
    responses((status = 200, body = StagedOutput, description = "the staged memories"), Gone, RunConflict),
)]
pub(crate) async fn stage_output(auth: Authenticated, path: RunPath, app: App, body: Bulk<RunOutput>) -> Answer {
    ok(&app.stage_output(&auth, path.id, path.rid, body.body, body.idempotency).await?)
}

/// Ends a run: `completed` commits all pending memories at once, `failed` and `cancelled` drop them. A repeated call with
/// the same status changes nothing.
#[utoipa::path(
    post, path = "/workspaces/{id}/runs/{rid}/finish", tag = "runs",
    params(RunPath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = FinishRun,
    responses((status = 200, body = Run, description = "the ended run"), Gone, RunConflict),
)]
pub(crate) async fn finish_run(auth: Authenticated, path: RunPath, app: App, body: Posted<FinishRun>) -> Answer {
    ok(&app.finish_run(&auth, path.id, path.rid, body.body, body.idempotency).await?)
}

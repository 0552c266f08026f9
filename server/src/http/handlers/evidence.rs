//! Evidence of procedures: counts of uses, and reports of outcomes.

use orgmem_types::{Evidence, ReportOutcome, ReportedOutcome};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, JsonBody, MemoryPath};
use crate::http::openapi::{EvidenceConflict, Gone};

/// Returns how often runs used a procedure, and how they ended.
#[utoipa::path(
    get, path = "/workspaces/{id}/memories/{mid}/evidence", tag = "skills",
    params(MemoryPath),
    responses((status = 200, body = Evidence, description = "the evidence"), Gone, EvidenceConflict),
)]
pub(crate) async fn read_evidence(auth: Authenticated, path: MemoryPath, app: App) -> Answer {
    ok(&app.read_evidence(&auth, path.id, path.mid).await?)
}

/// Reports the outcome of a use of a procedure that the end of the run does not show.
#[utoipa::path(
    post, path = "/workspaces/{id}/memories/{mid}/outcome", tag = "skills",
    params(MemoryPath),
    request_body = ReportOutcome,
    responses((status = 200, body = ReportedOutcome, description = "the report"), Gone, EvidenceConflict),
)]
pub(crate) async fn report_outcome(
    auth: Authenticated,
    path: MemoryPath,
    app: App,
    JsonBody(request): JsonBody<ReportOutcome>,
) -> Answer {
    ok(&app.report_outcome(&auth, path.id, path.mid, request).await?)
}

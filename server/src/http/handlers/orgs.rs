//! Whole orgs.

use orgmem_types::{ImportNode, ImportQuery, ImportResponse, ImportTemplate};

use super::App;
use crate::http::answer::{Answer, created_at, ok, workspace_location};
use crate::http::extract::{Authenticated, Document, Query};
use crate::http::openapi::Conflict;

/// Reads the demo org as a document for `POST /orgs/import`, with times relative to now.
#[utoipa::path(
    get, path = "/orgs/demo", tag = "workspaces",
    responses((status = 200, body = ImportNode, description = "the document of the org")),
)]
pub(crate) async fn read_demo(auth: Authenticated, app: App) -> Answer {
    ok(&app.read_demo(&auth).await?)
}

/// Imports an org from one document, atomically. A repeated import adds nothing twice.
#[utoipa::path(
    post, path = "/orgs/import", tag = "workspaces",
    params(ImportQuery, ("Idempotency-Key" = Option<String>, Header)),
    request_body(content((ImportNode = "application/json"), (ImportNode = "application/yaml"))),
    responses(
        (status = 200, body = ImportResponse, description = "the outcome of a `dry_run`; or every workspace existed"),
        (status = 201, body = ImportResponse, description = "workspaces were created", headers(("Location"))),
        Conflict,
    ),
)]
pub(crate) async fn import_org(
    auth: Authenticated,
    app: App,
    Query(query): Query<ImportQuery>,
    body: Document<ImportNode>,
) -> Answer {
    imported(&app.import_org(&auth, body.body, query.dry_run, query.ungated, body.idempotency).await?)
}

/// Imports an org from a template, for clients of an older platform. A repeated import adds nothing twice.
#[utoipa::path(
    post, path = "/org/import", tag = "workspaces",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content((ImportTemplate = "application/json"), (ImportTemplate = "application/yaml"))),
    responses(
        (status = 200, body = ImportResponse, description = "every workspace existed"),
        (status = 201, body = ImportResponse, description = "workspaces were created", headers(("Location"))),
        Conflict,
    ),
)]
pub(crate) async fn import_template(auth: Authenticated, app: App, body: Document<ImportTemplate>) -> Answer {
    imported(&app.import_template(&auth, body.body, body.idempotency).await?)
}

fn imported(answer: &ImportResponse) -> Answer {
    if answer.dry_run || answer.workspaces_created == 0 {
        return ok(answer);
    }
    created_at(&workspace_location(answer.org_id), answer)
}

//! Whole orgs.

use orgmem_types::{ImportNode, ImportResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::App;
use crate::http::answer::{Answer, created_at, ok, workspace_place};
use crate::http::extract::{Authenticated, Document, Query};
use crate::http::openapi::Conflict;

/// Reads the demo org as it looks now, as `POST /orgs/import` takes it.
#[utoipa::path(
    get, path = "/orgs/demo", tag = "workspaces",
    responses((status = 200, body = ImportNode, description = "the document of the org")),
)]
pub(crate) async fn read_demo(auth: Authenticated, app: App) -> Answer {
    ok(&app.read_demo(&auth).await?)
}

/// The query of an import.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportQuery {
    /// Only say what would be done.
    #[serde(default)]
    dry_run: bool,
}

/// Imports a whole org from one document, all or nothing. Importing it again adds nothing twice.
#[utoipa::path(
    post, path = "/orgs/import", tag = "workspaces",
    params(ImportQuery, ("Idempotency-Key" = Option<String>, Header)),
    request_body(content((ImportNode = "application/json"), (ImportNode = "application/yaml"))),
    responses(
        (status = 200, body = ImportResponse, description = "what a `dry_run` would do; or no workspace was missing"),
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
    let answer = app.import_org(&auth, body.body, query.dry_run, body.idempotency).await?;
    if answer.dry_run || answer.workspaces_created == 0 {
        return ok(&answer);
    }
    created_at(&workspace_place(answer.org_id), &answer)
}

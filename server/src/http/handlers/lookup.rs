//! Lookup by id.

use orgmem_types::Located;

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, LookupPath};
use crate::http::openapi::{Conflict, Gone};

/// Finds the workspace of a profile or a memory by its id.
#[utoipa::path(
    get, path = "/lookup/{id}", tag = "workspaces",
    params(LookupPath),
    responses((status = 200, body = Located, description = "its workspace"), Gone, Conflict),
)]
pub(crate) async fn locate_item(auth: Authenticated, path: LookupPath, app: App) -> Answer {
    ok(&app.locate(&auth, path.id).await?)
}

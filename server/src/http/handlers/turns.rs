//! Turns of conversations.

use orgmem_types::{AddTurn, Turn};

use super::App;
use crate::http::answer::{Answer, created, ok};
use crate::http::extract::{Authenticated, Posted, TurnPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Stores a turn of a conversation: each message as an episode. Where a language model is configured, the facts that the
/// turn states become memories later; `GET …/turns/{tid}` says which.
#[utoipa::path(
    post, path = "/workspaces/{id}/turns", tag = "activity",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = AddTurn,
    responses((status = 201, body = Turn, description = "the turn"), Gone),
)]
pub(crate) async fn add_turn(auth: Authenticated, path: WorkspacePath, app: App, body: Posted<AddTurn>) -> Answer {
    created(&app.add_turn(&auth, path.id, body.body, body.idempotency).await?)
}

/// Reads what became of a turn.
#[utoipa::path(
    get, path = "/workspaces/{id}/turns/{tid}", tag = "activity",
    params(TurnPath),
    responses((status = 200, body = Turn, description = "the turn"), Gone),
)]
pub(crate) async fn read_turn(auth: Authenticated, path: TurnPath, app: App) -> Answer {
    ok(&app.read_turn(&auth, path.id, path.tid).await?)
}

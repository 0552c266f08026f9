//! Tokens, and who the caller is.

use actix_web::HttpRequest;
use orgmem_types::{Deleted, IssueToken, IssuedToken, KeptToken, ListTokens, Me};

use super::App;
use crate::http::answer::{Answer, created, ok, page};
use crate::http::extract::{Authenticated, Posted, Query, TokenPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Reads who the caller is, what it is bound to and what it may do.
#[utoipa::path(
    get, path = "/me", tag = "tokens",
    responses((status = 200, body = Me, description = "the caller")),
)]
pub(crate) async fn read_me(who: Authenticated, app: App) -> Answer {
    ok(&app.me(&who).await?)
}

/// Issues a token bound to a workspace. It is told once.
#[utoipa::path(
    post, path = "/workspaces/{id}/tokens", tag = "tokens",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = IssueToken,
    responses((status = 201, body = IssuedToken, description = "the token"), Gone),
)]
pub(crate) async fn issue_token(who: Authenticated, at: WorkspacePath, app: App, sent: Posted<IssueToken>) -> Answer {
    created(&app.issue_token(&who, at.id, sent.body, sent.once).await?)
}

/// Lists the tokens that were issued for a workspace and have not expired, newest first; never the tokens themselves.
#[utoipa::path(
    get, path = "/workspaces/{id}/tokens", tag = "tokens",
    params(WorkspacePath, ListTokens),
    responses((status = 200, body = Vec<KeptToken>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_tokens(
    who: Authenticated,
    at: WorkspacePath,
    app: App,
    Query(query): Query<ListTokens>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_tokens(&who, at.id, query).await?)
}

/// Revokes one token. Revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/tokens/{jti}", tag = "tokens",
    params(TokenPath),
    responses((status = 200, body = Deleted, description = "it is refused from now on")),
)]
pub(crate) async fn revoke_token(who: Authenticated, at: TokenPath, app: App) -> Answer {
    ok(&app.revoke_token(&who, at.jti).await?)
}

/// Revokes all tokens of a workspace that were issued until now.
#[utoipa::path(
    delete, path = "/workspaces/{id}/tokens", tag = "tokens",
    params(WorkspacePath),
    responses((status = 200, body = Deleted, description = "they are refused from now on"), Gone),
)]
pub(crate) async fn revoke_tokens(who: Authenticated, at: WorkspacePath, app: App) -> Answer {
    ok(&app.revoke_tokens(&who, at.id).await?)
}

//! Tokens, and the identity of the caller.

use actix_web::HttpRequest;
use orgmem_types::{DryRun, IssueToken, IssuedToken, Me, PageQuery, RevokedToken, RevokedTokens, TokenInfo};

use super::App;
use crate::http::answer::{Answer, created, ok, page};
use crate::http::extract::{Authenticated, Posted, Query, TokenPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Reads the caller's identity, its workspace and its permissions.
#[utoipa::path(
    get, path = "/me", tag = "tokens",
    responses((status = 200, body = Me, description = "the caller")),
)]
pub(crate) async fn read_me(auth: Authenticated, app: App) -> Answer {
    ok(&app.me(&auth).await?)
}

/// Issues a token bound to a workspace. The token is only in this response.
#[utoipa::path(
    post, path = "/workspaces/{id}/tokens", tag = "tokens",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = IssueToken,
    responses((status = 201, body = IssuedToken, description = "the token"), Gone),
)]
pub(crate) async fn issue_token(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    body: Posted<IssueToken>,
) -> Answer {
    created(&app.issue_token(&auth, path.id, body.body, body.idempotency).await?)
}

/// Lists the unexpired tokens that were issued for a workspace, newest first, without the tokens themselves.
#[utoipa::path(
    get, path = "/workspaces/{id}/tokens", tag = "tokens",
    params(WorkspacePath, PageQuery),
    responses((status = 200, body = Vec<TokenInfo>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_tokens(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_tokens(&auth, path.id, query).await?)
}

/// Revokes one token. A repeated revocation changes nothing.
#[utoipa::path(
    delete, path = "/tokens/{jti}", tag = "tokens",
    params(TokenPath),
    responses((status = 200, body = RevokedToken, description = "the token is revoked")),
)]
pub(crate) async fn revoke_token(auth: Authenticated, path: TokenPath, app: App) -> Answer {
    ok(&app.revoke_token(&auth, path.jti).await?)
}

/// Revokes all tokens of a workspace that were issued until now.
///
/// With `dry_run=true` nothing is revoked; the response counts the tokens and the open event streams that would end.
#[utoipa::path(
    delete, path = "/workspaces/{id}/tokens", tag = "tokens",
    params(WorkspacePath, DryRun),
    responses((status = 200, body = RevokedTokens, description = "the tokens are revoked, or the outcome of a `dry_run`"), Gone),
)]
pub(crate) async fn revoke_tokens(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<DryRun>,
) -> Answer {
    ok(&match query.dry_run.unwrap_or_default() {
        true => RevokedTokens::Planned(app.preview_revocation(&auth, path.id).await?),
        false => RevokedTokens::Done(app.revoke_tokens(&auth, path.id).await?),
    })
}

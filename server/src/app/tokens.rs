//! Tokens: issue, list, revoke.

use std::sync::Arc;

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::drafts::{check_end_user, check_session};
use orgmem_policies::scrub::{Scrubbed, Scrubber};
use orgmem_policies::{ActPass, EndUser, Permission, Refusal, ServerAction, ServerPass, TokenPass};
use orgmem_store::{ReadPlan, ReadTx, SERVER, TokenRecord};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::Call;
use super::watch_events::Streams;
use super::wire::{role, role_of};
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::{TokenGrant, VerifiedClaims};

/// Default and maximum size of a page of tokens.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

impl App {
    /// Issues a token bound to the workspace. An admin may request an admin token, which is not bound.
    ///
    /// For a repeated request the claims are stored, never the token: it is signed again.
    ///
    /// # Errors
    /// [`AppError`]: a role that the caller may not grant, an invalid lifetime or subject, a server that issues no
    /// tokens.
    pub async fn issue_token(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::IssueToken,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::IssuedToken, AppError> {
        let (authority, scrubber) = (self.auth.clone(), self.scrubber);
        let wire::IssueToken { role: requested_role, expires_in, subject, end_user, session_id } = request;
        let user = bound_user(end_user.as_deref(), session_id.as_deref(), scrubber)?;
        let decide = move |call: &mut super::call::WriteCall<'_>| -> Result<TokenGrant, AppError> {
            let id = call.workspace;
            let pass =
                call.pass(|caller, tree| TokenPass::bound_to(caller, tree, id, role_of(requested_role), &user))?;
            let (subject, is_generated) = match &subject {
                Some(subject) => (subject.clone(), false),
                None => (format!("{}:{}", pass.role(), call.names(&[id])?.of(id)), true),
            };
            let (subject, _) = scrubber.scrub(&subject);
            // names are limited in characters and subjects in bytes: a generated subject is truncated, not rejected
            let subject = if is_generated { TokenGrant::fitting(subject.as_str()) } else { subject.as_str() };
            let issued_at = call.tx.token_time(&pass)?;
            let grant = authority.grant(&pass, subject, expires_in, Uuid::new_v4(), issued_at)?;
            authority.sign(&grant)?;
            call.tx.record_token(&pass, grant.jti(), grant.subject(), issued_at, grant.expires_at())?;
            Ok(grant)
        };
        let grant = self.write(auth.call(workspace).idempotent(idempotency), decide).await?;
        Ok(wire::IssuedToken {
            token: self.auth.sign(&grant)?,
            jti: grant.jti(),
            role: role(grant.role()),
            workspace_id: grant.workspace().map(WorkspaceId::uuid),
            subject: grant.subject().to_owned(),
            end_user: grant.end_user().map(str::to_owned),
            session_id: grant.session().map(str::to_owned),
            expires_at: grant.expires_at(),
        })
    }

    /// The records of unexpired tokens that were issued for the workspace, newest first. The tokens themselves are not
    /// stored.
    pub async fn list_tokens(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::PageQuery,
    ) -> Result<Listing<wire::TokenInfo>, AppError> {
        let limit = cursor::limit(request.limit, PAGE, PAGE_MAX);
        let before = cursor::decode_timed("tokens", request.cursor.as_deref(), |&(issued_at, _)| issued_at)?;
        let org = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), |call| {
                call.manages_tokens()?;
                Ok(call.org)
            })
            .await?;
        self.write_reads_of(org).await;
        let streams = Arc::clone(&self.streams);
        self.read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.manages_tokens()?;
            let rows = call.tx.tokens_of(&pass, before, limit + 1)?;
            let page = Listing::cut(rows, limit, "tokens", |token| (token.issued_at, token.jti));
            Ok(page.map(|token| to_wire(token, &streams)))
        })
        .await
    }

    /// Revokes a token immediately, on every server. An admin may revoke any token; others only tokens that were issued
    /// here, for a workspace that their role covers.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the token is unknown or the caller may not revoke it.
    pub async fn revoke_token(&self, auth: &VerifiedClaims, jti: Uuid) -> Result<wire::RevokedToken, AppError> {
        let org = self
            .read_server(auth, ReadPlan::PointLookup, move |tx, caller| match tx.token(jti)? {
                Some(token) if caller.knows(token.org) => Ok(token.org),
                _ => {
                    ServerPass::grant(caller, ServerAction::ManageAdminTokens)
                        .map_err(|_| AppError::TOKEN_NOT_FOUND)?;
                    Ok(SERVER)
                }
            })
            .await?;
        self.write(auth.call(org.uuid()).in_org(org), move |call| {
            let token = call.tx.token(jti)?;
            match token.and_then(|token| token.workspace) {
                Some(workspace) => {
                    let grant =
                        |caller: &_, tree: &_| ActPass::grant(caller, Permission::ManageTokens, tree, workspace);
                    let pass = call.pass(grant).map_err(|_| AppError::TOKEN_NOT_FOUND)?;
                    call.tx.revoke_token(&pass, jti)?;
                }
                None => {
                    let pass = ServerPass::grant(&call.caller, ServerAction::ManageAdminTokens)
                        .map_err(|_: Refusal| AppError::TOKEN_NOT_FOUND)?;
                    call.tx.revoke_any_token(&pass, jti)?;
                }
            }
            Ok(wire::RevokedToken { status: wire::DeletedStatus::Deleted, known: token.is_some() })
        })
        .await
    }

    /// Revokes all tokens of the workspace that were issued until now, by any issuer.
    pub async fn revoke_tokens(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<wire::Deleted, AppError> {
        self.write(auth.call(workspace), move |call| {
            let pass = call.manages_tokens()?;
            call.tx.revoke_tokens_of(&pass)?;
            Ok(wire::Deleted::done())
        })
        .await
    }

    /// The numbers of tokens and event streams that [`revoke_tokens`](Self::revoke_tokens) would end; changes nothing.
    ///
    /// # Errors
    /// As for [`revoke_tokens`](Self::revoke_tokens).
    pub async fn preview_revocation(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
    ) -> Result<wire::RevocationPreview, AppError> {
        let streams = Arc::clone(&self.streams);
        self.read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.manages_tokens()?;
            let tokens = call.tx.tokens_in_force(&pass)?;
            Ok(wire::RevocationPreview { dry_run: true, tokens, streams: streams.of_workspace(call.workspace) })
        })
        .await
    }
}

/// The end user that a token is bound to, in the form in which memories have it.
fn bound_user(subject: Option<&str>, session: Option<&str>, scrubber: &Scrubber) -> Result<EndUser, AppError> {
    let as_given = |field, given: Option<&str>, stored: Option<&Scrubbed>| match given == stored.map(Scrubbed::as_str) {
        true => Ok(()),
        false => {
            let expected = "a name that is stored as it is, without outer white space and unlike a credential".into();
            Err(AppError::Field { field, expected })
        }
    };
    let stored_subject = subject.map(|subject| check_end_user(subject, scrubber)).transpose()?;
    let stored_session = session.map(|session| check_session(session, scrubber)).transpose()?;
    as_given("end_user", subject, stored_subject.as_ref())?;
    as_given("session_id", session, stored_session.as_ref())?;
    Ok(EndUser::named(subject, session))
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    fn manages_tokens(&mut self) -> Result<ActPass, AppError> {
        let workspace = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::ManageTokens, tree, workspace))
    }
}

fn to_wire(token: TokenRecord, streams: &Streams) -> wire::TokenInfo {
    wire::TokenInfo {
        jti: token.jti,
        role: role(token.role),
        subject: token.subject,
        end_user: token.end_user,
        session_id: token.session_id,
        issued_at: token.issued_at,
        expires_at: token.expires_at,
        revoked_at: token.revoked_at,
        last_used_at: token.last_used_at,
        streams: streams.of_token(token.jti),
    }
}

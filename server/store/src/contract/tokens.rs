//! The registry of tokens: which were issued here, and which are refused though their signature holds.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{ActPass, Role, ServerPass, TokenPass};
use uuid::Uuid;

use crate::StoreError;

/// What stands for the server itself where an org is asked for: the org of admin tokens, and of revocations of tokens
/// that were not issued here.
pub const SERVER: OrgId = OrgId::of_root(WorkspaceId::NIL);

/// A token that this server, or one that shares its database, issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownToken {
    /// The org it is bound to; [`SERVER`] for an admin's.
    pub org: OrgId,
    /// The workspace it is bound to; none for an admin's.
    pub workspace: Option<WorkspaceId>,
}

/// What is kept of a token: never the token itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRecord {
    /// Its id.
    pub jti: Uuid,
    /// What it may be used for.
    pub role: Role,
    /// The name for the log.
    pub subject: String,
    /// The second that it was issued in.
    pub issued_at: DateTime<Utc>,
    /// From this instant on it is refused anyway.
    pub expires_at: DateTime<Utc>,
    /// Since when it is refused though it has not expired.
    pub revoked_at: Option<DateTime<Utc>>,
    /// When the newest row of the access log was made that it is in; none where there never was one.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// Reading the registry.
pub trait ReadTokens {
    /// A token issued here, revoked or not; none for those that a platform signed itself, and none once it has expired
    /// and was swept.
    fn token(&mut self, jti: Uuid) -> Result<Option<KnownToken>, StoreError>;

    /// The tokens that were issued here for the workspace of `pass` and have not expired, newest first: those that
    /// follow `before`, which is when one was issued, and its id.
    fn tokens_of(
        &mut self,
        pass: &ActPass,
        before: Option<(DateTime<Utc>, Uuid)>,
        most: usize,
    ) -> Result<Vec<TokenRecord>, StoreError>;

    /// How many tokens that were issued here for the workspace of `pass` are accepted now.
    fn tokens_in_force(&mut self, pass: &ActPass) -> Result<i64, StoreError>;
}

/// Changing the registry. Every server refuses a revoked token from the next transaction on.
///
/// Source: product.md, section 3.
pub trait WriteTokens {
    /// The second that a token issued now, under this pass, is to carry as its `iat`.
    ///
    /// # Returns
    /// This second. When all tokens of the workspace were revoked within it, the first that the revocation leaves out:
    /// `iat` counts in whole seconds, and the new token must work. It is a second ahead at most, unless they are revoked
    /// more than once in a second.
    fn token_time(&mut self, pass: &TokenPass) -> Result<DateTime<Utc>, StoreError>;

    /// Records a token that is about to be issued: its id, the name for the log, when it was issued as
    /// [`token_time`](Self::token_time) said, and when it is refused anyway. The token itself is kept nowhere.
    fn record_token(
        &mut self,
        pass: &TokenPass,
        jti: Uuid,
        subject: &str,
        issued_at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Revokes one token of the workspace that `pass` is for, if it was issued here; says whether it was.
    fn revoke_token(&mut self, pass: &ActPass, jti: Uuid) -> Result<bool, StoreError>;

    /// Revokes any token, whoever issued it, whatever it is bound to; for a job of [`SERVER`]. Of one that was not
    /// issued here it is not known when it expires, so it is refused for longer than any token may live.
    fn revoke_any_token(&mut self, pass: &ServerPass, jti: Uuid) -> Result<(), StoreError>;

    /// Revokes all tokens of one workspace that were issued until now, whoever issued them.
    fn revoke_tokens_of(&mut self, pass: &ActPass) -> Result<(), StoreError>;
}

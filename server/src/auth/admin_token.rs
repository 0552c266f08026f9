//! The file `admin.token` in the data folder, for the first access.

use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_policies::{Caller, Refusal, Role, TokenPass};
use secrecy::ExposeSecret;
use uuid::Uuid;

use super::{Auth, KeyError, SignError, TokenGrant, private_file};

const FILE: &str = "admin.token";

/// A token with less remaining lifetime is replaced at the start, because the server may run for long.
const MIN_REMAINING: TimeDelta = TimeDelta::days(30);

/// The admin token's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminToken {
    /// The file, with the token and a line feed.
    pub path: PathBuf,
    /// Whether it was just written.
    pub is_new: bool,
    /// The id of the token. The store knows whether it was revoked.
    pub jti: Uuid,
}

/// The reason why there is no admin token.
#[derive(Debug, thiserror::Error)]
pub enum AdminTokenError {
    /// The file cannot be read, written or trusted.
    #[error(transparent)]
    File(#[from] KeyError),
    /// The token cannot be signed.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The policy refuses the token.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Auth {
    /// Ensures that the data folder has an admin token with at least 30 days left: the existing one, otherwise a new one
    /// with the maximum lifetime. A user who can read it can also read the secret next to it.
    ///
    /// # Returns
    /// `None` if this server issues no tokens, because only keys of other issuers are configured.
    ///
    /// # Errors
    /// [`AdminTokenError`], usually because of the file.
    ///
    /// # Source
    /// `docs/spec/callers.md`, "The admin token".
    pub fn ensure_admin_token(
        &self,
        data_dir: &Path,
        now: DateTime<Utc>,
    ) -> Result<Option<AdminToken>, AdminTokenError> {
        if !self.can_sign() {
            return Ok(None);
        }
        let path = data_dir.join(FILE);
        let existing = private_file::read(&path)?;
        match existing.and_then(|text| self.usable_admin_token(text.expose_secret().trim(), now)) {
            Some(jti) => Ok(Some(AdminToken { path, is_new: false, jti })),
            None => self.renew_admin_token(data_dir, now).map(Some),
        }
    }

    /// Replaces the admin token, for example after a revocation.
    ///
    /// # Errors
    /// [`AdminTokenError`]; also for a server that issues no tokens.
    pub fn renew_admin_token(&self, data_dir: &Path, now: DateTime<Utc>) -> Result<AdminToken, AdminTokenError> {
        let path = data_dir.join(FILE);
        let pass = TokenPass::admin(&Caller::system("write admin.token"))?;
        let grant = TokenGrant::with_lifetime(&pass, FILE, self.max_lifetime(), Uuid::new_v4(), now);
        private_file::replace(&path, &format!("{}\n", self.sign(&grant)?))?;
        Ok(AdminToken { path, is_new: true, jti: grant.jti() })
    }

    /// The id of `token`, if it is an admin token with enough lifetime left.
    fn usable_admin_token(&self, token: &str, now: DateTime<Utc>) -> Option<Uuid> {
        let claims = self.verify(token, now).ok()?;
        let lasts = claims.expires_at() - now > MIN_REMAINING;
        (claims.identity().role == Role::Admin && lasts).then_some(claims.identity().jti)
    }
}

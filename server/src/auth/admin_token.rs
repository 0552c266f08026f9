//! The file `admin.token` in the data folder: how the first person gets in.

use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_policies::{Caller, Refusal, Role, TokenPass};
use secrecy::ExposeSecret;
use uuid::Uuid;

use super::{Auth, KeyError, SignError, TokenGrant, private_file};

const FILE: &str = "admin.token";

/// A token that ends sooner is replaced at the start, as the server may run for long.
const REPLACED_BEFORE: TimeDelta = TimeDelta::days(30);

/// Where the admin token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminToken {
    /// The file, which holds the token and a line feed.
    pub path: PathBuf,
    /// Whether it was written just now.
    pub is_new: bool,
    /// Its id. Whether it was revoked is for the store to know.
    pub jti: Uuid,
}

/// Why there is no admin token.
#[derive(Debug, thiserror::Error)]
pub enum AdminTokenError {
    /// The file cannot be read, written or trusted.
    #[error(transparent)]
    File(#[from] KeyError),
    /// The token cannot be signed.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The server may not issue it to itself.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Auth {
    /// Sees to it that the data folder has an admin token that is good for a while: the one there, or else a new one
    /// with the longest life allowed. Who can read it could read the secret beside it as well.
    ///
    /// # Returns
    /// Where it is; `None` when this server issues no tokens, because only others' keys are configured.
    ///
    /// # Errors
    /// [`AdminTokenError`], mostly because of the file.
    ///
    /// # Source
    /// product.md, section 3: the first start writes an admin token into the data folder and says where.
    pub fn ensure_admin_token(
        &self,
        data_dir: &Path,
        now: DateTime<Utc>,
    ) -> Result<Option<AdminToken>, AdminTokenError> {
        if !self.can_sign() {
            return Ok(None);
        }
        let path = data_dir.join(FILE);
        let kept = private_file::read(&path)?;
        match kept.and_then(|text| self.good_admin_token(text.expose_secret().trim(), now)) {
            Some(jti) => Ok(Some(AdminToken { path, is_new: false, jti })),
            None => self.renew_admin_token(data_dir, now).map(Some),
        }
    }

    /// Puts a new admin token in the place of whatever is there, as when that was revoked.
    ///
    /// # Errors
    /// [`AdminTokenError`]; a server that issues no tokens is one.
    pub fn renew_admin_token(&self, data_dir: &Path, now: DateTime<Utc>) -> Result<AdminToken, AdminTokenError> {
        let path = data_dir.join(FILE);
        let pass = TokenPass::admin(&Caller::system("write admin.token"))?;
        let grant = TokenGrant::lasting(&pass, FILE, self.max_lifetime(), Uuid::new_v4(), now);
        private_file::replace(&path, &format!("{}\n", self.sign(&grant)?))?;
        Ok(AdminToken { path, is_new: true, jti: grant.jti() })
    }

    /// The id of a token that is an admin's, and good for a while.
    fn good_admin_token(&self, token: &str, now: DateTime<Utc>) -> Option<Uuid> {
        let claims = self.verify(token, now).ok()?;
        let lasts = claims.expires_at() - now > REPLACED_BEFORE;
        (claims.identity().role == Role::Admin && lasts).then_some(claims.identity().jti)
    }
}

//! The one-time code in the link that the server prints at its start, for the first sign-in to the console.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use super::{AdminToken, KeyError, private_file};

/// Long enough for a person, short enough for a line that stays in a log.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// A code that can be exchanged once, within ten minutes, for the admin token.
pub struct StartCode {
    pending: Mutex<Option<PendingCode>>,
}

struct PendingCode {
    code: String,
    expires_at: DateTime<Utc>,
    /// The file of the admin token.
    file: PathBuf,
}

/// The reason why a code is refused.
#[derive(Debug, thiserror::Error)]
pub enum StartCodeRefusal {
    /// The code is wrong, used or expired.
    #[error(
        "the link was used already, or is older than 10 minutes; restart the server to print a new one, or sign in with a \
         token"
    )]
    Spent,
    /// The admin token cannot be read.
    #[error(transparent)]
    Token(#[from] KeyError),
}

impl StartCode {
    /// A new code of 256 random bits, or none without an admin token.
    #[must_use]
    pub fn new(admin_token: Option<&AdminToken>, now: DateTime<Utc>) -> Self {
        let pending = admin_token.map(|token| PendingCode {
            code: URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
            expires_at: now + LIFETIME,
            file: token.path.clone(),
        });
        Self { pending: Mutex::new(pending) }
    }

    /// The code, unless it was used.
    #[must_use]
    pub fn shown(&self) -> Option<String> {
        self.pending.lock().as_ref().map(|pending| pending.code.clone())
    }

    /// Exchanges the code for the admin token. The right code is spent even if the exchange fails.
    ///
    /// # Errors
    /// [`StartCodeRefusal::Spent`] if the code is wrong, used or expired; [`StartCodeRefusal::Token`] if the file cannot be
    /// read.
    ///
    /// # Source
    /// `docs/spec/console.md`.
    pub fn exchange(&self, code: &str, now: DateTime<Utc>) -> Result<SecretString, StartCodeRefusal> {
        let taken = {
            let mut pending = self.pending.lock();
            let matches = |pending: &mut PendingCode| bool::from(pending.code.as_bytes().ct_eq(code.as_bytes()));
            pending.take_if(matches)
        };
        let pending = taken.filter(|pending| now < pending.expires_at).ok_or(StartCodeRefusal::Spent)?;
        let token = private_file::read(&pending.file)?.ok_or(StartCodeRefusal::Spent)?;
        Ok(token.expose_secret().trim().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_code(dir: &std::path::Path, now: DateTime<Utc>) -> StartCode {
        let path = dir.join("admin.token");
        private_file::replace(&path, "a.b.c\n").expect("written");
        StartCode::new(Some(&AdminToken { path, is_new: true, jti: uuid::Uuid::nil() }), now)
    }

    #[test]
    fn code_is_valid_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let now = DateTime::UNIX_EPOCH;
        let codes = start_code(dir.path(), now);
        let code = codes.shown().expect("a code");
        assert!(matches!(codes.exchange("another", now), Err(StartCodeRefusal::Spent)));
        assert_eq!(codes.exchange(&code, now).expect("the token").expose_secret(), "a.b.c");
        assert!(matches!(codes.exchange(&code, now), Err(StartCodeRefusal::Spent)));
        assert_eq!(codes.shown(), None);
    }

    #[test]
    fn code_expires() {
        let dir = tempfile::tempdir().expect("a folder");
        let now = DateTime::UNIX_EPOCH;
        let codes = start_code(dir.path(), now);
        let code = codes.shown().expect("a code");
        assert!(matches!(codes.exchange(&code, now + LIFETIME), Err(StartCodeRefusal::Spent)));
    }

    #[test]
    fn without_admin_token_there_is_no_code() {
        let codes = StartCode::new(None, DateTime::UNIX_EPOCH);
        assert_eq!(codes.shown(), None);
        assert!(matches!(codes.exchange("", DateTime::UNIX_EPOCH), Err(StartCodeRefusal::Spent)));
    }
}

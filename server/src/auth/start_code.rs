//! The code of the link that the server prints when it starts: how the first person gets into the console.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use super::{AdminToken, KeyError, private_file};

/// Long enough to find the terminal, short enough for a line that stays in a log.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// A code that is exchanged once, and soon, for the admin token.
pub struct StartCode {
    waiting: Mutex<Option<PendingCode>>,
}

struct PendingCode {
    code: String,
    until: DateTime<Utc>,
    /// Where the admin token is.
    file: PathBuf,
}

/// Why a code is not taken.
#[derive(Debug, thiserror::Error)]
pub enum StartCodeRefusal {
    /// It is another, or there is none any more.
    #[error(
        "the link was used already, or is older than 10 minutes; restarting the server prints a new one, and a token \
         signs in as well"
    )]
    Spent,
    /// The admin token cannot be read.
    #[error(transparent)]
    Token(#[from] KeyError),
}

impl StartCode {
    /// A new code of 256 random bits; none where there is no admin token to be had for it.
    #[must_use]
    pub fn new(admin_token: Option<&AdminToken>, now: DateTime<Utc>) -> Self {
        let waiting = admin_token.map(|token| PendingCode {
            code: URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
            until: now + LIFETIME,
            file: token.path.clone(),
        });
        Self { waiting: Mutex::new(waiting) }
    }

    /// The code, as long as nobody has used it.
    #[must_use]
    pub fn shown(&self) -> Option<String> {
        self.waiting.lock().as_ref().map(|waiting| waiting.code.clone())
    }

    /// The admin token for the code. Whatever comes of it, the right code is good for one try.
    ///
    /// # Errors
    /// [`StartCodeRefusal::Spent`] when it is not the code, or too late; [`StartCodeRefusal::Token`] when the file cannot
    /// be read.
    ///
    /// # Source
    /// console.md, section 3: the first start prints a link whose fragment carries a one-time code.
    pub fn exchange(&self, code: &str, now: DateTime<Utc>) -> Result<SecretString, StartCodeRefusal> {
        let taken = {
            let mut waiting = self.waiting.lock();
            let is_it = |waiting: &mut PendingCode| bool::from(waiting.code.as_bytes().ct_eq(code.as_bytes()));
            waiting.take_if(is_it)
        };
        let waiting = taken.filter(|waiting| now < waiting.until).ok_or(StartCodeRefusal::Spent)?;
        let token = private_file::read(&waiting.file)?.ok_or(StartCodeRefusal::Spent)?;
        Ok(token.expose_secret().trim().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(dir: &std::path::Path, now: DateTime<Utc>) -> StartCode {
        let path = dir.join("admin.token");
        private_file::replace(&path, "a.b.c\n").expect("written");
        StartCode::new(Some(&AdminToken { path, is_new: true, jti: uuid::Uuid::nil() }), now)
    }

    #[test]
    fn the_code_is_good_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let now = DateTime::UNIX_EPOCH;
        let codes = made(dir.path(), now);
        let code = codes.shown().expect("a code");
        assert!(matches!(codes.exchange("another", now), Err(StartCodeRefusal::Spent)));
        assert_eq!(codes.exchange(&code, now).expect("the token").expose_secret(), "a.b.c");
        assert!(matches!(codes.exchange(&code, now), Err(StartCodeRefusal::Spent)));
        assert_eq!(codes.shown(), None);
    }

    #[test]
    fn the_code_ends() {
        let dir = tempfile::tempdir().expect("a folder");
        let now = DateTime::UNIX_EPOCH;
        let codes = made(dir.path(), now);
        let code = codes.shown().expect("a code");
        assert!(matches!(codes.exchange(&code, now + LIFETIME), Err(StartCodeRefusal::Spent)));
    }

    #[test]
    fn without_an_admin_token_there_is_no_code() {
        let codes = StartCode::new(None, DateTime::UNIX_EPOCH);
        assert_eq!(codes.shown(), None);
        assert!(matches!(codes.exchange("", DateTime::UNIX_EPOCH), Err(StartCodeRefusal::Spent)));
    }
}

//! Signing tokens with the server's own secret.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;

use super::TokenGrant;
use super::secrets::OwnSecret;

/// Why no token can be issued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// There are foreign keys alone.
    #[error("this server issues no tokens, as only others' keys are configured; get one there, or set `jwt.secret`")]
    NoSecret,
    /// The cryptographic library failed.
    #[error("the token cannot be signed: {0}")]
    Failed(#[from] jsonwebtoken::errors::Error),
}

pub(super) struct Signer {
    header: Header,
    key: EncodingKey,
}

#[derive(Serialize)]
struct Payload<'a> {
    iss: &'a str,
    aud: &'a str,
    #[serde(flatten)]
    grant: &'a TokenGrant,
}

impl Signer {
    pub(super) fn new(secret: &OwnSecret) -> Self {
        let header = Header { kid: Some(secret.kid()), ..Header::new(Algorithm::HS256) };
        Self { header, key: EncodingKey::from_secret(secret.bytes()) }
    }

    /// The token that says what `grant` does: the same bytes every time.
    pub(super) fn sign(&self, grant: &TokenGrant, iss: &str, aud: &str) -> Result<String, SignError> {
        Ok(jsonwebtoken::encode(&self.header, &Payload { iss, aud, grant }, &self.key)?)
    }
}

//! Signs tokens with the server's own secret.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;

use super::TokenGrant;
use super::secrets::OwnSecret;

/// The reason why a token cannot be signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// Only keys of other issuers are configured.
    #[error(
        "this server issues no tokens, because only keys of other issuers are configured; get a token there, or set `jwt.secret`"
    )]
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

    /// Signs `grant`. The result is deterministic.
    pub(super) fn sign(&self, grant: &TokenGrant, iss: &str, aud: &str) -> Result<String, SignError> {
        Ok(jsonwebtoken::encode(&self.header, &Payload { iss, aud, grant }, &self.key)?)
    }
}

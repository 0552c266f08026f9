//! The keys in force, and the tokens verified with them.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use moka::sync::Cache;
use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};

use super::claims::Rules;
use super::key::Key;
use super::{TokenRefusal, VerifiedClaims};

/// Tokens remembered. At some 500 bytes each this is 5 MB when full.
const VERIFIED_TOKENS: u64 = 10_000;

/// A set of keys. It never changes: rotation puts another in its place, and with it goes what the old keys verified.
pub(super) struct KeyRing {
    keys: Vec<Key>,
    /// Whether keys are missing that could not be fetched.
    incomplete: bool,
    /// By the SHA-256 of the token, so that no token is kept.
    verified: Cache<[u8; 32], Arc<VerifiedClaims>>,
}

/// The members of a JOSE header that matter here.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<IgnoredAny>,
}

impl KeyRing {
    /// The ring of these keys; `incomplete` when others are to come.
    pub(super) fn new(keys: Vec<Key>, incomplete: bool) -> Self {
        Self { keys, incomplete, verified: Cache::new(VERIFIED_TOKENS) }
    }

    /// Verifies `token`, or remembers having done so; its times are checked every time.
    pub(super) fn verify(
        &self,
        token: &str,
        rules: &Rules,
        now: DateTime<Utc>,
    ) -> Result<Arc<VerifiedClaims>, TokenRefusal> {
        let digest: [u8; 32] = Sha256::digest(token).into();
        if let Some(claims) = self.verified.get(&digest) {
            claims.check_times(rules, now)?;
            return Ok(claims);
        }
        let claims = Arc::new(VerifiedClaims::read(&self.signed_payload(token)?, rules, now)?);
        self.verified.insert(digest, Arc::clone(&claims));
        Ok(claims)
    }

    /// The payload of `token`, which one of the keys has signed.
    fn signed_payload(&self, token: &str) -> Result<Vec<u8>, TokenRefusal> {
        let (message, signature) = token.rsplit_once('.').ok_or(TokenRefusal::NotAToken)?;
        let (header, payload) = message.split_once('.').ok_or(TokenRefusal::NotAToken)?;
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| TokenRefusal::NotAToken)?;
        let payload = decoded(payload)?;
        if header.crit.is_some() {
            return Err(TokenRefusal::CriticalHeader);
        }
        if self.candidates(&header)?.iter().any(|key| key.verifies(message, signature)) {
            Ok(payload)
        } else {
            Err(TokenRefusal::WrongSignature)
        }
    }

    /// The keys that may have signed a token with this header: that of its `kid`, or all when it names none. Each
    /// verifies with its own algorithm alone; the header's is compared with it and chooses nothing.
    fn candidates(&self, header: &Header) -> Result<Vec<&Key>, TokenRefusal> {
        let is_named = |key: &&Key| header.kid.is_none() || key.kid == header.kid;
        let named: Vec<_> = self.keys.iter().filter(is_named).collect();
        let is_known = !named.is_empty();
        match named.into_iter().filter(|key| key.algorithm.name() == header.alg).collect::<Vec<_>>() {
            found if !found.is_empty() => Ok(found),
            _ if self.incomplete => Err(TokenRefusal::KeysUnavailable),
            _ if is_known => Err(TokenRefusal::WrongAlgorithm),
            _ => Err(TokenRefusal::UnknownKey),
        }
    }
}

/// The bytes of one part of a token.
pub(super) fn decoded(part: &str) -> Result<Vec<u8>, TokenRefusal> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenRefusal::NotAToken)
}

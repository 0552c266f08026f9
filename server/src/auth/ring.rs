//! The current keys, and a cache of verified tokens.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use moka::sync::Cache;
use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};

use super::claims::Rules;
use super::trust::{Trust, TrustedKey};
use super::{TokenRefusal, VerifiedClaims};

/// Capacity of the cache: about 5 MB at 500 bytes per token.
const VERIFIED_TOKENS: u64 = 10_000;

/// An immutable set of keys. Rotation replaces it, and with it the cache of the tokens that the old keys verified.
pub(super) struct KeyRing {
    keys: Vec<TrustedKey>,
    /// Whether the keys of the identity provider were not fetched yet.
    incomplete: bool,
    /// By the SHA-256 of the token, so that memory contains no tokens.
    verified: Cache<[u8; 32], Arc<VerifiedClaims>>,
}

/// The relevant members of a JOSE header.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<IgnoredAny>,
}

impl KeyRing {
    pub(super) fn new(keys: Vec<TrustedKey>, incomplete: bool) -> Self {
        Self { keys, incomplete, verified: Cache::new(VERIFIED_TOKENS) }
    }

    /// Verifies `token`. Signature and claims are cached, its times are checked every time.
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
        let (payload, trust) = self.signed_payload(token)?;
        let claims = Arc::new(VerifiedClaims::read(&payload, trust, rules, now)?);
        self.verified.insert(digest, Arc::clone(&claims));
        Ok(claims)
    }

    /// The payload of `token` and the requirements of the key that signed it.
    fn signed_payload(&self, token: &str) -> Result<(Vec<u8>, &Trust), TokenRefusal> {
        let (message, signature) = token.rsplit_once('.').ok_or(TokenRefusal::NotAToken)?;
        let (header, payload) = message.split_once('.').ok_or(TokenRefusal::NotAToken)?;
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| TokenRefusal::NotAToken)?;
        let payload = decoded(payload)?;
        if header.crit.is_some() {
            return Err(TokenRefusal::CriticalHeader);
        }
        let signer = self.candidates(&header)?.into_iter().find(|known| known.key.verifies(message, signature));
        signer.map(|known| (payload, &*known.trust)).ok_or(TokenRefusal::WrongSignature)
    }

    /// The keys that may have signed a token with this header: the key with its `kid`, or all keys if it has none. A key
    /// verifies only with its own algorithm, which must equal the algorithm of the header.
    fn candidates(&self, header: &Header) -> Result<Vec<&TrustedKey>, TokenRefusal> {
        let is_named = |known: &&TrustedKey| header.kid.is_none() || known.key.kid == header.kid;
        let named: Vec<_> = self.keys.iter().filter(is_named).collect();
        let is_known = !named.is_empty();
        match named.into_iter().filter(|known| known.key.algorithm.name() == header.alg).collect::<Vec<_>>() {
            found if !found.is_empty() => Ok(found),
            _ if self.incomplete => Err(TokenRefusal::KeysUnavailable),
            _ if is_known => Err(TokenRefusal::WrongAlgorithm),
            _ => Err(TokenRefusal::UnknownKey),
        }
    }
}

/// Decodes one part of a token.
pub(super) fn decoded(part: &str) -> Result<Vec<u8>, TokenRefusal> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenRefusal::NotAToken)
}

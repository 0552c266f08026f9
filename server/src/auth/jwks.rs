//! Parses the key sets of identity providers.

use jsonwebtoken::DecodingKey;
use serde::Deserialize;
use serde_json::Value;

use super::key::{Key, Pinned};

/// More keys than any provider uses at once.
const MAX_KEYS: usize = 100;

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

/// The relevant members of a JWK.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// Parses a key set. Keys for other purposes or of unknown types are ignored, so the result may be empty.
///
/// # Errors
/// The reason why the set is unusable. A symmetric key makes the whole set unusable, because with a published secret
/// anybody can forge tokens.
///
/// # Source
/// RFC 7517, section 5; RFC 7518, section 6; RFC 8037, section 2.
pub(super) fn parse(text: &[u8]) -> Result<Vec<Key>, &'static str> {
    let set: KeySet = serde_json::from_slice(text).map_err(|_| "it is not a JSON object with a list `keys`")?;
    if set.keys.len() > MAX_KEYS {
        return Err("it has more than 100 keys");
    }
    let jwks: Vec<Jwk> = set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect();
    if jwks.iter().any(|jwk| jwk.kty == "oct") {
        return Err("it holds a symmetric key (`kty` is `oct`), which must never be published");
    }
    Ok(jwks.iter().filter_map(key_of).collect())
}

/// The key of a JWK, if it verifies signatures with an accepted algorithm.
fn key_of(jwk: &Jwk) -> Option<Key> {
    let (algorithm, decoding) = match (jwk.kty.as_str(), jwk.crv.as_deref()) {
        ("RSA", _) => (Pinned::Rs256, DecodingKey::from_rsa_components(jwk.n.as_ref()?, jwk.e.as_ref()?)),
        ("EC", Some("P-256")) => (Pinned::Es256, DecodingKey::from_ec_components(jwk.x.as_ref()?, jwk.y.as_ref()?)),
        ("OKP", Some("Ed25519")) => (Pinned::EdDsa, DecodingKey::from_ed_components(jwk.x.as_ref()?)),
        _ => return None,
    };
    let for_signatures = jwk.usage.as_deref().is_none_or(|usage| usage == "sig");
    let for_algorithm = jwk.alg.as_deref().is_none_or(|name| name == algorithm.name());
    if !for_signatures || !for_algorithm {
        return None;
    }
    Key::public(jwk.kid.clone(), algorithm, decoding.ok()?).ok()
}

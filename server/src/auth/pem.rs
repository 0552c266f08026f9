//! Public keys from PEM files.

use std::path::Path;

use jsonwebtoken::DecodingKey;

use super::KeyError;
use super::key::{Key, Pinned};

/// Reads the public key in a PEM file. Its `kid` is the name of the file without the extension.
///
/// # Errors
/// [`KeyError::Unreadable`] or [`KeyError::Unusable`].
pub(super) fn read(path: &Path) -> Result<Key, KeyError> {
    let text = std::fs::read_to_string(path).map_err(|source| KeyError::unreadable(path, source))?;
    let kid = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    parse(kid, &text).map_err(|reason| KeyError::Unusable { location: path.display().to_string(), reason })
}

fn parse(kid: Option<String>, pem: &str) -> Result<Key, &'static str> {
    if pem.contains("PRIVATE KEY") {
        return Err("it is a private key; the server needs only the public key");
    }
    if !pem.contains("BEGIN PUBLIC KEY") && !pem.contains("BEGIN RSA PUBLIC KEY") {
        return Err("it is not a PEM file with a public key");
    }
    let bytes = pem.as_bytes();
    let attempts = [
        (Pinned::Rs256, DecodingKey::from_rsa_pem(bytes)),
        (Pinned::Es256, DecodingKey::from_ec_pem(bytes)),
        (Pinned::EdDsa, DecodingKey::from_ed_pem(bytes)),
    ];
    let parsed = attempts.into_iter().find_map(|(algorithm, attempt)| Some((algorithm, attempt.ok()?)));
    let (algorithm, decoding) = parsed.ok_or("the key is not RSA, EC on P-256 or Ed25519")?;
    Key::public(kid, algorithm, decoding)
}

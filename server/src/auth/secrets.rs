//! The server's own secrets: configured, or made on the first start and kept in the data folder.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use orgmem_policies::chain::SealKey;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use super::key::Key;
use super::{KeyError, private_file};
use crate::config::{AccessLogSettings, Settings};

/// The file in the data folder.
const FILE: &str = "jwt.secret";

/// RFC 7518, section 3.2.
const SECRET_BYTES: usize = 32;

/// The file of the secret that vouches for the access log.
const SEAL_FILE: &str = "seal.key";

/// A secret that signs or verifies with HS256.
pub(super) struct OwnSecret(SecretString);

impl OwnSecret {
    pub(super) fn new(secret: SecretString) -> Self {
        Self(secret)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }

    /// What tokens call it. It tells no more of the secret than any token signed with it.
    pub(super) fn kid(&self) -> String {
        let digest = Sha256::new().chain_update("orgmem kid\0").chain_update(self.bytes()).finalize();
        hex::encode(digest.iter().take(8).copied().collect::<Vec<_>>())
    }

    pub(super) fn key(&self) -> Key {
        Key::of_secret(self.kid(), self.bytes())
    }
}

/// The secrets kept in the data folder, one a line: the first signs, all verify. To rotate, put a new line above the
/// others and start again; take the old one away when its last token has expired.
///
/// # Returns
/// At least one; when the file is not there yet, a secret of 256 random bits that now is in it.
///
/// # Errors
/// [`KeyError`] when the file cannot be read or written, is readable by others, or holds a secret that is too short.
pub(super) fn kept_in(data_dir: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    kept_at(&data_dir.join(FILE))
}

fn kept_at(path: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    let text = match private_file::read(path)? {
        Some(text) => text,
        None => {
            let secret = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
            private_file::create(path, &format!("{secret}\n"))?;
            // Read back: another server on this folder may have been first.
            private_file::read(path)?.unwrap_or_default()
        }
    };
    let lines = text.expose_secret().lines().map(str::trim).filter(|line| !line.is_empty());
    let secrets: Vec<_> = lines.map(|line| OwnSecret::new(line.into())).collect();
    if secrets.is_empty() || secrets.iter().any(|secret| secret.bytes().len() < SECRET_BYTES) {
        let reason = "each line must be a secret of at least 32 bytes; remove the file to have one made";
        return Err(KeyError::Unusable { what: path.display().to_string(), reason });
    }
    Ok(secrets)
}

/// The keys that vouch for the access log, the one that seals first: from the settings, or else from the data folder,
/// where one is made on the first start.
///
/// # Errors
/// As [`kept_in`] gives them.
pub(crate) fn seal_keys(settings: &Settings) -> Result<Vec<SealKey>, KeyError> {
    let AccessLogSettings { key, previous_keys, .. } = &settings.access_log;
    let configured = key.iter().chain(&settings.jwt.secret).chain(previous_keys).chain(&settings.jwt.previous_secret);
    let mut keys: Vec<SealKey> = configured.map(|secret| SealKey::new(secret.expose_secret().as_bytes())).collect();
    if key.is_none() && settings.jwt.secret.is_none() {
        let kept = kept_at(&settings.data_dir.join(SEAL_FILE))?;
        keys.splice(0..0, kept.iter().map(|secret| SealKey::new(secret.bytes())));
    }
    Ok(keys)
}

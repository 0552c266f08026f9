//! The server's own secrets: from the settings, or created at the first start in the data folder.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use orgmem_policies::chain::SealKey;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use super::key::Key;
use super::{KeyError, private_file};
use crate::config::{AccessLogSettings, Settings};

const FILE: &str = "jwt.secret";

/// RFC 7518, section 3.2.
const SECRET_BYTES: usize = 32;

/// The file of the secret that seals the audit log.
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

    /// The `kid`, a truncated hash. It reveals no more about the secret than any signed token.
    pub(super) fn kid(&self) -> String {
        let digest = Sha256::new().chain_update("orgmem kid\0").chain_update(self.bytes()).finalize();
        hex::encode(digest.iter().take(8).copied().collect::<Vec<_>>())
    }

    pub(super) fn key(&self) -> Key {
        Key::from_secret(self.kid(), self.bytes())
    }
}

/// The secrets in the data folder, one per line: the first signs, all verify. To rotate, insert a new first line and
/// restart; remove the old line when its last token has expired.
///
/// # Returns
/// At least one secret. A missing file is created with a secret of 256 random bits.
///
/// # Errors
/// [`KeyError`] if the file cannot be read or written, is readable by other users, or contains a secret that is too short.
pub(super) fn in_folder(data_dir: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    in_file(&data_dir.join(FILE))
}

/// The secrets in the data folder if its file exists, otherwise none.
///
/// # Errors
/// Those of [`in_folder`].
pub(super) fn existing_in_folder(data_dir: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    let path = data_dir.join(FILE);
    if path.exists() { in_file(&path) } else { Ok(Vec::new()) }
}

fn in_file(path: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    let text = match private_file::read(path)? {
        Some(text) => text,
        None => {
            let secret = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
            private_file::create(path, &format!("{secret}\n"))?;
            // read it back, because another server with this folder may have created it first
            private_file::read(path)?.unwrap_or_default()
        }
    };
    let lines = text.expose_secret().lines().map(str::trim).filter(|line| !line.is_empty());
    let secrets: Vec<_> = lines.map(|line| OwnSecret::new(line.into())).collect();
    if secrets.is_empty() || secrets.iter().any(|secret| secret.bytes().len() < SECRET_BYTES) {
        let reason = "each line must be a secret of at least 32 bytes; remove the file to create a new one";
        return Err(KeyError::Unusable { location: path.display().to_string(), reason });
    }
    Ok(secrets)
}

/// The keys of the audit log, the sealing key first: from the settings, otherwise from the data folder, where the first
/// start creates one.
///
/// # Errors
/// Those of [`in_folder`].
pub(crate) fn seal_keys(settings: &Settings) -> Result<Vec<SealKey>, KeyError> {
    let AccessLogSettings { key, previous_keys, .. } = &settings.access_log;
    let configured = key.iter().chain(&settings.jwt.secret).chain(previous_keys).chain(&settings.jwt.previous_secret);
    let mut keys: Vec<SealKey> = configured.map(|secret| SealKey::new(secret.expose_secret().as_bytes())).collect();
    if key.is_none() && settings.jwt.secret.is_none() {
        let secrets = in_file(&settings.data_dir.join(SEAL_FILE))?;
        keys.splice(0..0, secrets.iter().map(|secret| SealKey::new(secret.bytes())));
    }
    Ok(keys)
}

/// The keys that sealed rows of the audit log, as [`seal_keys`], but makes no key.
pub(crate) fn existing_seal_keys(settings: &Settings) -> Result<Vec<SealKey>, KeyError> {
    let is_configured = settings.access_log.key.is_some() || settings.jwt.secret.is_some();
    if is_configured || settings.data_dir.join(SEAL_FILE).exists() { seal_keys(settings) } else { Ok(Vec::new()) }
}

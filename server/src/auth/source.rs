//! The source of a key set.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use super::KeyError;
use crate::config::Jwks;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const TIMEOUT: Duration = Duration::from_secs(10);
const SET_BYTES: usize = 1 << 20;

pub(super) enum KeySource {
    File(PathBuf),
    Provider { address: String, client: Client },
}

impl KeySource {
    pub(super) fn new(location: Jwks) -> Result<Self, KeyError> {
        let address = match location {
            Jwks::File(path) => return Ok(Self::File(path)),
            Jwks::Address(address) => address,
        };
        // a redirect could lead from https to http
        let builder = Client::builder().connect_timeout(CONNECT_TIMEOUT).timeout(TIMEOUT).redirect(Policy::none());
        let client = builder.build().map_err(|error| unreachable(&address, &error))?;
        Ok(Self::Provider { address, client })
    }

    /// The file or address, for messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Provider { address, .. } => address.clone(),
        }
    }

    /// Fetches the text of the set, at most 1 MiB.
    ///
    /// # Errors
    /// [`KeyError::Unreadable`] or [`KeyError::Unreachable`]; [`KeyError::Unusable`] if it is larger.
    pub(super) async fn read(&self) -> Result<Vec<u8>, KeyError> {
        match self {
            Self::File(path) => tokio::fs::read(path).await.map_err(|source| KeyError::unreadable(path, source)),
            Self::Provider { address, client } => fetch(address, client).await,
        }
    }
}

async fn fetch(address: &str, client: &Client) -> Result<Vec<u8>, KeyError> {
    let failed = |error: reqwest::Error| unreachable(address, &error);
    let mut response = client.get(address).send().await.map_err(failed)?;
    if !response.status().is_success() {
        let reason = format!("it returned {}", response.status());
        return Err(KeyError::Unreachable { address: address.to_owned(), reason });
    }
    let mut text = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        text.extend_from_slice(&chunk);
        if text.len() > SET_BYTES {
            return Err(KeyError::Unusable { location: address.to_owned(), reason: "it is larger than 1 MiB" });
        }
    }
    Ok(text)
}

/// The innermost cause is the reason; the outer errors only say that sending failed.
fn unreachable(address: &str, error: &reqwest::Error) -> KeyError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    KeyError::Unreachable { address: address.to_owned(), reason: cause.to_string() }
}

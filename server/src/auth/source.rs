//! Where a key set is read from, again and again.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use super::KeyError;
use crate::config::Jwks;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const TIMEOUT: Duration = Duration::from_secs(10);
const SET_BYTES: usize = 1 << 20;

/// A place of a key set.
pub(super) enum KeySource {
    File(PathBuf),
    Provider { address: String, client: Client },
}

impl KeySource {
    pub(super) fn new(place: Jwks) -> Result<Self, KeyError> {
        let address = match place {
            Jwks::File(path) => return Ok(Self::File(path)),
            Jwks::Address(address) => address,
        };
        // A redirect could lead anywhere, also from https to http.
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

    /// The text of the set as it is now, at most 1 MiB.
    ///
    /// # Errors
    /// [`KeyError::Unreadable`], [`KeyError::Unreachable`] or [`KeyError::Unusable`] when it is larger.
    pub(super) async fn read(&self) -> Result<Vec<u8>, KeyError> {
        match self {
            Self::File(path) => tokio::fs::read(path).await.map_err(|source| KeyError::unreadable(path, source)),
            Self::Provider { address, client } => fetch(address, client).await,
        }
    }
}

async fn fetch(address: &str, client: &Client) -> Result<Vec<u8>, KeyError> {
    let failed = |error: reqwest::Error| unreachable(address, &error);
    let mut answer = client.get(address).send().await.map_err(failed)?;
    if !answer.status().is_success() {
        let reason = format!("it answers {}", answer.status());
        return Err(KeyError::Unreachable { address: address.to_owned(), reason });
    }
    let mut text = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(failed)? {
        text.extend_from_slice(&chunk);
        if text.len() > SET_BYTES {
            return Err(KeyError::Unusable { what: address.to_owned(), reason: "it is larger than 1 MiB" });
        }
    }
    Ok(text)
}

/// With the innermost cause: the outer ones say no more than that sending failed.
fn unreachable(address: &str, error: &reqwest::Error) -> KeyError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    KeyError::Unreachable { address: address.to_owned(), reason: cause.to_string() }
}

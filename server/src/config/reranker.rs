//! Settings of the reranker.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use super::reader::SettingsReader;
use super::{ConfigError, forms};

/// The reranker of searches.
#[derive(Clone, Debug)]
pub struct RerankerSettings {
    /// Its location; `None` means no reranking.
    pub source: Option<RerankerSource>,
    /// The name of the model at an endpoint; `None` for an endpoint that has only one.
    pub model: Option<String>,
    /// The API key of an endpoint.
    pub key: Option<SecretString>,
    /// How long a search waits for scores.
    pub timeout: Duration,
}

/// The location of a reranker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RerankerSource {
    /// A folder with a cross-encoder.
    Folder(PathBuf),
    /// An endpoint at this http(s) address.
    Address(String),
}

impl RerankerSettings {
    pub(super) fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            source: from.optional("reranker", &forms::RERANKER)?,
            model: from.optional("reranking.model", &forms::NOT_BLANK)?,
            key: from.optional("reranking.key", &forms::KEY)?,
            timeout: Duration::from_millis(from.whole("reranking.timeout_ms", 10..=10_000_u64)?),
        })
    }
}

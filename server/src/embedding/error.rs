//! Errors of embedders.

use std::path::PathBuf;
use std::time::Duration;

use orgmem_embed::ModelError;

/// An embedder with which the server cannot start. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum EmbedderError {
    #[error("`embedder`: {0}")]
    Model(#[from] ModelError),
    #[error("`embedder` is an address, so `embedding.model` must name a model")]
    NoModelNamed,
    #[error("`embedder`: cannot download {what} from {address}: {why}; put the files of the model into `{}`, or set `embedder` to a folder that has them", folder.display())]
    Download { what: String, address: String, why: String, folder: PathBuf },
    /// The HTTP client or the thread cannot be created.
    #[error("`embedder`: {0}")]
    Client(String),
    /// The models in the store cannot be read.
    #[error("{0}")]
    Store(String),
}

/// Texts that were not embedded.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum EmbedError {
    /// Temporary.
    #[error("{why}")]
    Failing {
        why: String,
        /// The `Retry-After` of the endpoint.
        wait: Option<Duration>,
    },
    /// Permanent for these texts.
    #[error("{0}")]
    Refused(String),
}

impl EmbedError {
    pub(super) fn failing(why: impl Into<String>) -> Self {
        Self::Failing { why: why.into(), wait: None }
    }
}

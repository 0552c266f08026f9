//! Why an embedder cannot be used, and why it did not embed.

use std::path::PathBuf;
use std::time::Duration;

use orgmem_embed::ModelError;

/// Why the server cannot start with this embedder. Each text is one line for whoever runs it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedderError {
    /// The model cannot be opened.
    #[error("`embedder`: {0}")]
    Model(#[from] ModelError),
    /// An endpoint serves many models.
    #[error("`embedder` is an address, so `embedding.model` must say which model it is to use")]
    NoModelNamed,
    /// The model cannot be had from the hub.
    #[error("`embedder`: cannot download {what} from {address}: {why}; put the files of the model into `{}`, or set `embedder` to a folder that has them", folder.display())]
    Download {
        /// The file.
        what: String,
        /// Where it was looked for.
        address: String,
        /// Why not.
        why: String,
        /// Where it would go.
        folder: PathBuf,
    },
    /// The client, or the thread that embeds, cannot be made.
    #[error("`embedder`: {0}")]
    Client(String),
    /// The store cannot tell which models it has vectors of.
    #[error("{0}")]
    Store(String),
}

/// Why texts were not embedded.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum EmbedError {
    /// It does not work now, and may later.
    #[error("{why}")]
    Failing {
        /// Why not.
        why: String,
        /// How long it asks to be left alone.
        wait: Option<Duration>,
    },
    /// It will not take these texts, as they are.
    #[error("{0}")]
    Refused(String),
}

impl EmbedError {
    pub(super) fn failing(why: impl Into<String>) -> Self {
        Self::Failing { why: why.into(), wait: None }
    }
}

//! Errors of models.

use std::io;
use std::path::PathBuf;

/// Why a model cannot be opened, or a text cannot be embedded.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// A file has an invalid format or content.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// The fault.
        what: String,
    },
    /// The architecture is not supported.
    #[error(
        "{}: {what}; sentence models of the BERT and XLM-R families and static embeddings work, such as all-MiniLM-L6-v2",
        path.display()
    )]
    Unsupported {
        /// Path of the configuration.
        path: PathBuf,
        /// The unsupported setting.
        what: String,
    },
    /// The model is not a cross-encoder of a supported architecture.
    #[error(
        "{}: {what}; cross-encoders of the BERT and XLM-R families with one label work, such as ms-marco-MiniLM-L6-v2",
        path.display()
    )]
    NoCrossEncoder {
        /// Path of the file.
        path: PathBuf,
        /// The unsupported setting or the absent tensor.
        what: String,
    },
    /// The tokenizer refuses a text.
    #[error("cannot split a text into tokens: {0}")]
    Tokens(String),
}

impl ModelError {
    /// The same error with the architectures that a cross-encoder may have.
    pub(crate) fn of_cross_encoder(self) -> Self {
        match self {
            Self::Unsupported { path, what } => Self::NoCrossEncoder { path, what },
            other => other,
        }
    }
}

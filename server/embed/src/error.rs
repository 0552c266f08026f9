//! Why a model folder cannot be used.

use std::io;
use std::path::PathBuf;

/// Why a model cannot be opened, or a text not be embedded.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A file is not what its name says.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A model of another make.
    #[error("{}: {what}; a model of the BERT family such as all-MiniLM-L6-v2 works", path.display())]
    Unsupported {
        /// The file that says so.
        path: PathBuf,
        /// What is not supported.
        what: String,
    },
    /// The tokenizer refuses a text.
    #[error("cannot split a text into tokens: {0}")]
    Tokens(String),
}

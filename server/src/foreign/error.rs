use std::io;
use std::path::Path;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ForeignError {
    /// A record is not of the format. The position is a line, a record or a path.
    #[error("{at}: {reason}")]
    Record { at: String, reason: String },
    /// The file cannot be opened or read.
    #[error("cannot read {at}: {reason}")]
    File { at: String, reason: String },
    /// The receiver of the memories is gone.
    #[error("the import was stopped")]
    Stopped,
}

impl ForeignError {
    pub(super) fn record(at: impl Into<String>, reason: impl ToString) -> Self {
        Self::Record { at: at.into(), reason: reason.to_string() }
    }

    pub(super) fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::File { at: format!("`{}`", path.display()), reason: error.to_string() }
    }
}

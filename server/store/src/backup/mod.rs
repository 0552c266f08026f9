//! Backups of a SQLite database into a folder, and their restore.
//!
//! A backup is an image of the database file, cut into chunks that are stored by their hash, and a manifest that lists
//! them. Backups share equal chunks, so a backup after the first one writes the chunks that changed.
//!
//! Source: `docs/spec/backup.md`.

mod create;
mod folder;
mod manifest;
mod restore;
mod retention;

use std::io;
use std::path::{Path, PathBuf};

pub use create::{BackedUp, BackupOptions, backup};
pub use folder::{BackupListing, list_backups};
pub use restore::{RestoreOptions, Restored, Restoring};
pub use retention::Retention;

use crate::{OpenError, StoreError, TransferError};

/// The failure of a backup or a restore. Each message is one line.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read or written.
    #[error("cannot use `{}`: {source}", .path.display())]
    #[allow(missing_docs, reason = "the message explains the fields")]
    Io { path: PathBuf, source: io::Error },
    /// A file of the backup is not as it was written.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// The request cannot be met. Nothing was changed.
    #[error("{0}")]
    Refused(String),
}

impl From<TransferError> for BackupError {
    fn from(error: TransferError) -> Self {
        match error {
            TransferError::Open(error) => Self::Open(error),
            TransferError::Store(error) => Self::Store(error),
            error => Self::Refused(error.to_string()),
        }
    }
}

/// [`BackupError::Io`] for a file.
fn io_error(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    move |source| BackupError::Io { path: path.to_owned(), source }
}

//! The errors of a store.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// The failure of a store operation. Cheap to clone: a failed commit fails every job of its group.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or cannot write: a full disk, a lost connection. Nothing was changed; a retry may
    /// succeed later.
    #[error("the store is not available: {0}")]
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// The write queue is full or a lock was not available. A retry may succeed soon.
    #[error("the store has too much to write at the moment; try again")]
    Busy,
    /// The store is shutting down.
    #[error("the store is closing")]
    Closed,
    /// A row has a value that this server does not write.
    #[error("cannot read a row of `{table}`, key {key}: {reason}")]
    #[allow(missing_docs, reason = "the message explains the fields")]
    Unreadable { table: &'static str, key: String, reason: String },
    /// The database rejected a statement because of a defect in this server.
    #[error("the database refused a statement: {0}")]
    Failed(Arc<dyn Error + Send + Sync>),
    /// A job panicked. Its writes were rolled back.
    #[error("a job of the store panicked: {0}")]
    Panicked(String),
    /// The transaction needs a new snapshot. The store retries; callers never see this error.
    #[doc(hidden)]
    #[error("the snapshot is to be taken again")]
    Retry,
}

/// The failure to open a store.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server uses the data folder.
    #[error("another server uses `{}`; stop it, or name another data folder", .path.display())]
    InUse {
        /// The lock file.
        path: PathBuf,
    },
    /// The data folder is not writable.
    #[error("cannot use `{}`: {source}", .path.display())]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The database cannot be reached, or its settings do not guarantee durability.
    #[error("cannot open the database: {0}")]
    Database(String),
    /// A migration failed.
    #[error("cannot migrate the database: {0}")]
    Migration(String),
    /// The schema is newer than this server; contains the unknown migration.
    #[error("the database was migrated by a newer server (`{0}` is unknown here); start that one")]
    Newer(String),
    /// The database is an incomplete copy; contains its source.
    #[error("the database is an incomplete copy of `{0}`; complete it with the same `orgmem migrate` as before")]
    Incomplete(String),
}

impl StoreError {
    pub(crate) fn unavailable(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(Arc::from(reason.into()))
    }

    /// [`StoreError::Unreadable`] for the row of `table` with this key.
    pub fn unreadable(table: &'static str, key: impl std::fmt::Debug, reason: impl ToString) -> Self {
        Self::Unreadable { table, key: format!("{key:?}"), reason: reason.to_string() }
    }

    /// Converts the payload of a panic.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panicked(text.unwrap_or_else(|| "no message".into()))
    }
}

//! What can go wrong in a store.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// Why the store could not do what it was asked. Cheap to clone: one failed commit answers every write of its group.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or cannot write now: a full disk, a lost connection. Nothing was changed; the
    /// same call may succeed later. Nobody's fault who calls.
    #[error("the store is not available: {0}")]
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// More is waiting to be written than the store takes on. The same call may succeed in a moment.
    #[error("the store has too much to write at the moment; try again")]
    Busy,
    /// The store is shutting down.
    #[error("the store is closing")]
    Closed,
    /// A row is not as this server writes it.
    #[error("cannot read a row of `{table}`, key {key}: {reason}")]
    Unreadable {
        /// The table.
        table: &'static str,
        /// The row's key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The database refused a statement, for a reason that lies in this server.
    #[error("the database refused a statement: {0}")]
    Failed(Arc<dyn Error + Send + Sync>),
    /// What was asked of the store panicked. Its writes were undone.
    #[error("a job of the store panicked: {0}")]
    Panicked(String),
    /// The snapshot is to be taken again. The store does so itself; it never leaves it.
    #[doc(hidden)]
    #[error("the snapshot is to be taken again")]
    Retry,
}

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has the data folder.
    #[error("another server uses `{}`; stop it, or name another data folder", .path.display())]
    InUse {
        /// The file that it holds locked.
        path: PathBuf,
    },
    /// The data folder cannot be written to.
    #[error("cannot use `{}`: {source}", .path.display())]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The database cannot be reached, or its settings are not what durability needs.
    #[error("cannot open the database: {0}")]
    Database(String),
    /// The schema could not be brought up to date.
    #[error("cannot migrate the database: {0}")]
    Migration(String),
    /// The schema is newer than this server.
    #[error("the database was migrated by a newer server (`{0}` is unknown here); start that one")]
    Newer(String),
}

impl StoreError {
    pub(crate) fn unavailable(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(Arc::from(reason.into()))
    }

    /// A row of `table` that is not as this server writes it.
    pub fn unreadable(table: &'static str, key: impl std::fmt::Debug, reason: impl ToString) -> Self {
        Self::Unreadable { table, key: format!("{key:?}"), reason: reason.to_string() }
    }

    /// Turns what a panic left behind into an error.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panicked(text.unwrap_or_else(|| "no message".into()))
    }
}

//! What the databases' errors mean for a caller.

use std::fmt::Debug;
use std::sync::Arc;

use diesel::result::{DatabaseErrorKind, Error};

use crate::StoreError;

/// What the databases say when it is the machine, the disk or the network that failed, and not the statement. Neither
/// gives a code through diesel; SQLite's texts are fixed, PostgreSQL's are those of its default language.
const PASSING: [&str; 20] = [
    "database or disk is full",
    "disk I/O error",
    "unable to open database file",
    "attempt to write a readonly database",
    "database is locked",
    "out of memory",
    "No space left on device",
    "Disk quota exceeded",
    "Read-only file system",
    "could not extend file",
    "could not write",
    "could not fsync",
    "too many clients",
    "remaining connection slots",
    "the database system is",
    "terminating connection",
    "server closed the connection",
    "no connection to the server",
    "connection to server",
    "canceling statement",
];

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match &error {
            Error::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => Self::Busy,
            Error::DatabaseError(
                DatabaseErrorKind::ClosedConnection
                | DatabaseErrorKind::UnableToSendCommand
                | DatabaseErrorKind::ReadOnlyTransaction,
                _,
            )
            | Error::BrokenTransactionManager
            | Error::RollbackErrorOnCommit { .. } => Self::Unavailable(Arc::new(error)),
            // of a lock that somebody else holds for long, the others of a group know nothing: each is tried by itself
            Error::DatabaseError(_, info)
                if ["deadlock detected", "lock timeout"].iter().any(|text| info.message().contains(text)) =>
            {
                Self::Busy
            }
            Error::DatabaseError(_, info) if PASSING.iter().any(|text| info.message().contains(text)) => {
                Self::Unavailable(Arc::new(error))
            }
            _ => Self::Failed(Arc::new(error)),
        }
    }
}

/// Says which row it was that could not be read.
pub(crate) trait RowContext<T> {
    fn row_context(self, table: &'static str, key: impl Debug) -> Result<T, StoreError>;
}

impl<T> RowContext<T> for Result<T, Error> {
    fn row_context(self, table: &'static str, key: impl Debug) -> Result<T, StoreError> {
        self.map_err(|error| match error {
            Error::DeserializationError(reason) => StoreError::unreadable(table, key, reason),
            other => other.into(),
        })
    }
}

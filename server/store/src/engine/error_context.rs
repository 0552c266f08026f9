//! Conversion of database errors into store errors. The language of the database's messages does not matter: on
//! PostgreSQL the kind of the error and the position in the statement decide, on SQLite the code, which is found by its
//! message in SQLite's own table.

use std::ffi::{CStr, c_int};
use std::fmt::Debug;
use std::sync::Arc;

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};
use libsqlite3_sys as ffi;

use crate::StoreError;

/// SQLite's codes for failures of the machine or the disk, as opposed to the statement. Extended codes have the message
/// of their primary code.
const SQLITE_MACHINE: [c_int; 8] = [
    ffi::SQLITE_FULL,
    ffi::SQLITE_IOERR,
    ffi::SQLITE_CANTOPEN,
    ffi::SQLITE_READONLY,
    ffi::SQLITE_BUSY,
    ffi::SQLITE_LOCKED,
    ffi::SQLITE_NOMEM,
    ffi::SQLITE_PROTOCOL,
];

/// SQLite's codes for defects of the statement or of the file.
const SQLITE_DEFECT: [c_int; 10] = [
    ffi::SQLITE_ERROR,
    ffi::SQLITE_INTERNAL,
    ffi::SQLITE_CORRUPT,
    ffi::SQLITE_NOTADB,
    ffi::SQLITE_TOOBIG,
    ffi::SQLITE_CONSTRAINT,
    ffi::SQLITE_MISMATCH,
    ffi::SQLITE_MISUSE,
    ffi::SQLITE_RANGE,
    ffi::SQLITE_SCHEMA,
];

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        use DatabaseErrorKind as Kind;
        match &error {
            Error::DatabaseError(Kind::SerializationFailure, _) => Self::Busy,
            Error::DatabaseError(Kind::ClosedConnection | Kind::UnableToSendCommand | Kind::ReadOnlyTransaction, _)
            | Error::BrokenTransactionManager
            | Error::RollbackErrorOnCommit { .. } => Self::Unavailable(Arc::new(error)),
            Error::DatabaseError(Kind::Unknown, info) if !is_defect(&**info) => Self::Unavailable(Arc::new(error)),
            _ => Self::Failed(Arc::new(error)),
        }
    }
}

/// Whether an error without a kind of its own is a defect of the statement.
///
/// diesel has kinds for constraints and closed connections and hides the code of every other error. PostgreSQL gives a
/// position for statements that it cannot parse or plan, and none for a full disk, a lock timeout, a deadlock, a
/// cancelled statement or a shutdown.
fn is_defect(info: &dyn DatabaseErrorInformation) -> bool {
    info.statement_position().is_some() || SQLITE_DEFECT.iter().any(|code| sqlite_message(*code) == info.message())
}

impl StoreError {
    /// Whether a failed transaction was rolled back by PostgreSQL, so that each of its jobs may be tried separately: a
    /// lock timeout, a deadlock, a full disk. After a lost connection nobody knows whether the commit took place.
    pub(super) fn is_rolled_back(&self) -> bool {
        let Self::Unavailable(error) = self else { return true };
        let Some(Error::DatabaseError(DatabaseErrorKind::Unknown, info)) = error.downcast_ref() else { return false };
        !SQLITE_MACHINE.iter().any(|code| sqlite_message(*code) == info.message())
    }
}

/// The message of a code, from SQLite's own table, in which every text is static and in English.
#[expect(unsafe_code, reason = "the binding of a function that is safe for every argument")]
fn sqlite_message(code: c_int) -> &'static str {
    // SAFETY: `sqlite3_errstr` returns a static string, terminated by NUL, for every code
    let message = unsafe { CStr::from_ptr(ffi::sqlite3_errstr(code)) };
    message.to_str().unwrap_or_default()
}

/// Adds the table and the key to the error of an unreadable row.
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

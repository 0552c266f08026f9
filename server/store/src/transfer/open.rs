//! Connections for whole rows, outside of a running store.

use std::sync::Arc;

use super::rows::Rows;
use crate::sqlite::{self, LockFile};
use crate::{OpenError, Store, StoreConfig, SystemClock, examine, postgres};

/// A database that can be written. No server uses a SQLite file meanwhile.
pub(super) struct Target {
    pub(super) rows: Box<dyn Rows>,
    _lock: Option<LockFile>,
}

/// Opens a database to read it, also while a server uses it.
///
/// # Errors
/// [`OpenError::Database`] when it does not exist, or when its schema is not the one of this program.
pub(crate) fn source(config: &StoreConfig) -> Result<Box<dyn Rows>, OpenError> {
    let examined = examine(config)?.ok_or_else(|| OpenError::Database("it does not exist".into()))?;
    if let Some(pending) = examined.pending.first() {
        let reason = format!("its schema is older than this program (`{pending}` is missing); start the server once");
        return Err(OpenError::Database(reason));
    }
    Ok(match config {
        StoreConfig::Sqlite { path, .. } => Box::new(sqlite::row_reader(path)?),
        StoreConfig::Postgres { url, .. } => Box::new(postgres::row_reader(url)?),
    })
}

/// Opens a database to write it, and creates or migrates it first. Locks a SQLite file.
pub(super) fn target(config: &StoreConfig) -> Result<Target, OpenError> {
    Store::open(config, Arc::new(SystemClock))?.close();
    locked(config)
}

/// The same for a database whose schema is current.
pub(super) fn locked(config: &StoreConfig) -> Result<Target, OpenError> {
    match config {
        StoreConfig::Sqlite { path, .. } => {
            let (rows, lock) = sqlite::row_writer(path)?;
            Ok(Target { rows: Box::new(rows), _lock: Some(lock) })
        }
        StoreConfig::Postgres { url, .. } => Ok(Target { rows: Box::new(postgres::row_writer(url)?), _lock: None }),
    }
}

/// Whether the database has a schema. A SQLite file without one is the rest of a program that was killed while it created the
/// file.
pub(super) fn has_schema(config: &StoreConfig) -> Result<bool, OpenError> {
    Ok(examine(config)?.is_some_and(|examined| !examined.applied.is_empty()))
}

/// Keeps servers away from a database that is read: the lock of a SQLite file. None when a server uses it.
pub(super) fn hold(config: &StoreConfig) -> Result<Option<Hold>, OpenError> {
    match config {
        StoreConfig::Sqlite { path, .. } if path.exists() => {
            Ok(sqlite::lock_if_free(path)?.map(|lock| Hold(Some(lock))))
        }
        StoreConfig::Sqlite { .. } | StoreConfig::Postgres { .. } => Ok(Some(Hold(None))),
    }
}

/// See [`hold`].
pub(super) struct Hold(#[expect(dead_code, reason = "locked as long as it is open")] Option<LockFile>);

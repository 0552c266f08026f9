//! Opening of the database file: the lock file, the settings for durability and for erasure, and their verification.

use std::fs::{File, OpenOptions, TryLockError};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::Pool;
use diesel::sql_types::{BigInt, Text};
use parking_lot::Mutex;

use super::page::MAX_PAGES;
use super::tx::rows::{RowConnection, incomplete_copy};
use super::upgrade::{self, MARK};
use super::{Conn, Sqlite, vfs};
use crate::engine::{Core, Engine};
use crate::{OpenError, StoreError, migrations};

/// Releases before 3.51.3 can corrupt the WAL when two connections write and checkpoint concurrently.
const MIN_RELEASE: (u32, u32, u32) = (3, 51, 3);

/// No memory map: a disk error in it would end the process instead of failing one read. 2 MB of pages per connection.
const EVERY_CONNECTION: &str = "PRAGMA busy_timeout = 30000; PRAGMA cache_size = -2000; PRAGMA mmap_size = 0; \
     PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON;";

/// Without the two settings of `fullfsync`, macOS leaves synced data in the cache of the drive. Other systems ignore them.
const WRITER: &str = "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; \
     PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -8000;";

/// Pages that are not part of a b-tree must not resemble one (see [`page`](super::page)).
const PAGE_LIMIT: &str = "PRAGMA max_page_count";

const READER: &str = "PRAGMA query_only = ON;";

/// Opens or creates the file at `path` and migrates its schema. Returns the applied migrations too.
pub(crate) fn open(path: &Path, readers: NonZeroU32, core: Core) -> Result<(Engine<Sqlite>, Vec<String>), OpenError> {
    let path = absolute(path)?;
    let lock = lock(&path)?;
    let url = vfs::url(&path)?;
    let failed = |error: StoreError| OpenError::Database(format!("`{}`: {error}", path.display()));
    let mut conn = connect(&url).map_err(failed)?;
    check_release(&mut conn).map_err(OpenError::Database)?;
    check_pages(&mut conn).map_err(failed)?;
    let is_new = number(&mut conn, "SELECT page_count AS value FROM pragma_page_count").map_err(failed)? == 0;
    conn.batch_execute("PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL;")
        .map_err(|error| failed(error.into()))?;
    set_writer(&mut conn).map_err(failed)?;
    let applied = migrations::run(&mut conn, migrations::SQLITE)?;
    if let Some(source) = incomplete_copy(&mut conn).map_err(failed)? {
        return Err(OpenError::Incomplete(source));
    }
    // the WAL may still have data that was deleted just before a crash
    conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").map_err(|error| failed(error.into()))?;
    if number(&mut conn, "SELECT application_id AS value FROM pragma_application_id").map_err(failed)? != MARK {
        if !is_new {
            drop(conn);
            remove_residue(&path)?;
            conn = writer(&url).map_err(failed)?;
        }
        conn.batch_execute(&format!("PRAGMA application_id = {MARK}")).map_err(|error| failed(error.into()))?;
    }
    let readers = Pool::builder()
        .max_size(readers.get())
        .min_idle(Some(1))
        .idle_timeout(Some(Duration::from_secs(60)))
        .max_lifetime(None)
        .connection_timeout(Duration::from_secs(5))
        .test_on_check_out(false);
    let sqlite = Sqlite { url, turn: Mutex::default(), _lock: lock };
    let engine = Engine::start(sqlite, core, readers, 1).map_err(failed)?;
    Ok((engine, applied))
}

/// Opens a connection for whole rows that reads only, also next to a server.
pub(crate) fn row_reader(path: &Path) -> Result<RowConnection, OpenError> {
    let path = absolute(path)?;
    let failed = |error: StoreError| OpenError::Database(format!("`{}`: {error}", path.display()));
    if !path.exists() {
        return Err(OpenError::Database(format!("`{}` does not exist", path.display())));
    }
    Ok(RowConnection { conn: reader(&vfs::url(&path)?).map_err(failed)? })
}

/// Opens a connection for whole rows that writes, and locks the database. Its schema is current.
pub(crate) fn row_writer(path: &Path) -> Result<(RowConnection, LockFile), OpenError> {
    let path = absolute(path)?;
    let lock = lock(&path)?;
    let failed = |error: StoreError| OpenError::Database(format!("`{}`: {error}", path.display()));
    Ok((RowConnection { conn: writer(&vfs::url(&path)?).map_err(failed)? }, lock))
}

/// Verifies the structure of a database file. Returns the first fault.
pub(crate) fn check_file(path: &Path) -> Result<Option<String>, OpenError> {
    let RowConnection { mut conn } = row_reader(path)?;
    let checked = text(&mut conn, "SELECT quick_check AS value FROM pragma_quick_check");
    let found = checked.map_err(|error| OpenError::Database(format!("`{}`: {error}", path.display())))?;
    Ok((found != "ok").then_some(found))
}

/// Removes the residue that an earlier version of the server left in the file. No connection is open.
fn remove_residue(path: &Path) -> Result<(), OpenError> {
    tracing::info!(file = %path.display(), "removes copies of deleted data that an earlier version left in the file");
    let changed =
        upgrade::remove_residue(path).map_err(|source| OpenError::Folder { path: path.to_owned(), source })?;
    tracing::info!(pages = changed, "the file has no copies of deleted data; this was necessary only once");
    Ok(())
}

fn connect(url: &str) -> Result<Conn, StoreError> {
    Conn::establish(url).map_err(|error| StoreError::Unavailable(Arc::new(error)))
}

/// Opens a read-only connection.
pub(super) fn reader(url: &str) -> Result<Conn, StoreError> {
    let mut conn = connect(url)?;
    conn.batch_execute(EVERY_CONNECTION)?;
    conn.batch_execute(READER)?;
    Ok(conn)
}

/// Opens a connection with durable commits.
pub(super) fn writer(url: &str) -> Result<Conn, StoreError> {
    let mut conn = connect(url)?;
    set_writer(&mut conn)?;
    Ok(conn)
}

fn set_writer(conn: &mut Conn) -> Result<(), StoreError> {
    conn.batch_execute(EVERY_CONNECTION)?;
    conn.batch_execute(WRITER)?;
    conn.batch_execute(&format!("{PAGE_LIMIT} = {MAX_PAGES}"))?;
    check_durability(conn)?;
    check_writable(conn)
}

/// Verifies that commits are durable.
fn check_durability(conn: &mut Conn) -> Result<(), StoreError> {
    let journal = text(conn, "SELECT journal_mode AS value FROM pragma_journal_mode")?;
    if journal != "wal" {
        return Err(StoreError::unavailable(format!(
            "the file does not keep its journal mode: `{journal}`, not `wal`"
        )));
    }
    for (name, expected) in [("synchronous", 2), ("fullfsync", 1), ("checkpoint_fullfsync", 1)] {
        let value = number(conn, &format!("SELECT {name} AS value FROM pragma_{name}"))?;
        if value != expected {
            let reason = format!("the file does not keep its settings: `{name}` is {value}, not {expected}");
            return Err(StoreError::unavailable(reason));
        }
    }
    Ok(())
}

/// Verifies that the file has only pages whose type is certain: no pointer maps, and not too many pages.
fn check_pages(conn: &mut Conn) -> Result<(), StoreError> {
    if number(conn, "SELECT auto_vacuum AS value FROM pragma_auto_vacuum")? != 0 {
        let reason = "it was created with auto_vacuum; run `PRAGMA auto_vacuum = NONE; VACUUM` in it";
        return Err(StoreError::unavailable(reason));
    }
    let pages = number(conn, "SELECT page_count AS value FROM pragma_page_count")?;
    if pages > i64::from(MAX_PAGES) {
        let reason = format!("it has {pages} pages, and at most {MAX_PAGES} are supported; use PostgreSQL");
        return Err(StoreError::unavailable(reason));
    }
    Ok(())
}

/// Verifies that the connection can write. If the disk is not writable, SQLite opens the file read-only, and only the
/// first statement of a transaction fails. Such a connection would stay read-only after the disk has recovered.
fn check_writable(conn: &mut Conn) -> Result<(), StoreError> {
    let version = number(conn, "SELECT user_version AS value FROM pragma_user_version")?;
    Ok(conn.batch_execute(&format!("BEGIN IMMEDIATE; PRAGMA user_version = {version}; ROLLBACK;"))?)
}

fn absolute(path: &Path) -> Result<PathBuf, OpenError> {
    std::path::absolute(path).map_err(|source| OpenError::Folder { path: path.to_owned(), source })
}

/// The locked lock file.
pub(crate) struct LockFile(File);

impl Drop for LockFile {
    /// Unlocks explicitly: a child process between fork and exec has a copy of the descriptor, and would hold the lock on.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Locks the database if no server uses it.
pub(crate) fn lock_if_free(path: &Path) -> Result<Option<LockFile>, OpenError> {
    match lock(&absolute(path)?) {
        Ok(lock) => Ok(Some(lock)),
        Err(OpenError::InUse { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Locks the lock file next to the database.
fn lock(database: &Path) -> Result<LockFile, OpenError> {
    let path = database.with_extension("lock");
    let folder = |source| OpenError::Folder { path: path.clone(), source };
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(LockFile(file)),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path }),
        Err(TryLockError::Error(source)) => Err(OpenError::Folder { path, source }),
    }
}

fn check_release(conn: &mut Conn) -> Result<(), String> {
    let release = text(conn, "SELECT sqlite_version() AS value").map_err(|error| error.to_string())?;
    let mut parts = release.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    let found = (next(), next(), next());
    if found < MIN_RELEASE {
        let (major, minor, patch) = MIN_RELEASE;
        return Err(format!("SQLite {release} can damage its log; {major}.{minor}.{patch} or newer is needed"));
    }
    Ok(())
}

#[derive(QueryableByName)]
struct PragmaValue {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

#[derive(QueryableByName)]
struct TextValue {
    #[diesel(sql_type = Text)]
    value: String,
}

fn number(conn: &mut Conn, query: &str) -> Result<i64, StoreError> {
    Ok(diesel::sql_query(query).get_result::<PragmaValue>(conn)?.value)
}

fn text(conn: &mut Conn, query: &str) -> Result<String, StoreError> {
    Ok(diesel::sql_query(query).get_result::<TextValue>(conn)?.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writer_without_a_setting_for_durability_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = vfs::url(&folder.path().join("data.db")).expect("a URL");
        connect(&url).and_then(|mut conn| Ok(conn.batch_execute("PRAGMA journal_mode = WAL")?)).expect("a file");
        let mut conn = writer(&url).expect("a writer");
        check_durability(&mut conn).expect("durable");
        for name in ["synchronous", "fullfsync", "checkpoint_fullfsync"] {
            conn.batch_execute(&format!("PRAGMA {name} = OFF")).expect("it is set");
            let error = check_durability(&mut conn).expect_err("not durable").to_string();
            assert!(error.contains(name), "{error}");
            conn.batch_execute(WRITER).expect("it is set");
        }
    }
}

//! Copies of the database file, also while a server writes to it, by SQLite's online backup.
//!
//! diesel does not give access to the backup interface, so this module has connections of its own. Both open their files
//! through the [file system](super::vfs) of the store, so that the copy has no residue of moved rows either.
#![expect(unsafe_code, reason = "SQLite's backup interface is C")]

use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::ptr::{null, null_mut};

use chrono::{DateTime, Utc};
use libsqlite3_sys::{
    SQLITE_DONE, SQLITE_OK, SQLITE_OPEN_CREATE, SQLITE_OPEN_NOMUTEX, SQLITE_OPEN_READWRITE, SQLITE_OPEN_URI, sqlite3,
    sqlite3_backup_finish, sqlite3_backup_init, sqlite3_backup_pagecount, sqlite3_backup_remaining,
    sqlite3_backup_step, sqlite3_close, sqlite3_errmsg, sqlite3_exec, sqlite3_open_v2,
};

use super::vfs;
use crate::columns::whole_micros;
use crate::{OpenError, StoreError};

/// Pages between two reports of the progress.
const STEP: c_int = 1024;

/// The snapshot begins with the first read. A checkpoint of the server waits for its end before it truncates the log.
const BEGIN: &CStr = c"PRAGMA busy_timeout = 30000; PRAGMA query_only = ON; BEGIN; SELECT count(*) FROM sqlite_schema;";

/// The copy is synchronised or dropped as a whole, so it needs no journal.
const TARGET: &CStr = c"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;";

struct Connection(*mut sqlite3);

impl Connection {
    fn open(path: &Path, flags: c_int) -> Result<Self, OpenError> {
        let failed = |reason: &str| OpenError::Database(format!("`{}`: {reason}", path.display()));
        let path = std::path::absolute(path).map_err(|source| OpenError::Folder { path: path.to_owned(), source })?;
        let url = CString::new(vfs::url(&path)?).map_err(|_| failed("its path has a NUL"))?;
        let mut handle = null_mut();
        let flags = flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
        // SAFETY: `url` is a C string, and `handle` is written in any case. The name of the file system is in the URL.
        let opened = unsafe { sqlite3_open_v2(url.as_ptr(), &raw mut handle, flags, null()) };
        // a failed connection is closed too
        let connection = Self(handle);
        if opened == SQLITE_OK { Ok(connection) } else { Err(failed(&connection.message())) }
    }

    fn execute(&self, statements: &CStr) -> Result<(), StoreError> {
        // SAFETY: the connection is open, the statements are a C string, and there is no callback.
        let done = unsafe { sqlite3_exec(self.0, statements.as_ptr(), None, null_mut(), null_mut()) };
        if done == SQLITE_OK { Ok(()) } else { Err(self.failure()) }
    }

    fn failure(&self) -> StoreError {
        StoreError::unavailable(self.message())
    }

    fn message(&self) -> String {
        if self.0.is_null() {
            return "out of memory".to_owned();
        }
        // SAFETY: the connection is open; the message is a C string that lives until the next call.
        unsafe { CStr::from_ptr(sqlite3_errmsg(self.0)) }.to_string_lossy().into_owned()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the connection is not used any more; null is allowed.
        unsafe { sqlite3_close(self.0) };
    }
}

/// Copies the database at `from` into the new file `to`, as it is at one moment, with the contents of its write-ahead log.
/// Returns a time at which all writes acknowledged before the call are in the copy. `progress` receives the number of
/// copied pages and of all pages.
///
/// # Errors
/// [`OpenError`] when the database cannot be opened; [`StoreError`] within when it cannot be read, or `to` cannot be
/// written.
///
/// # Complexity
/// O(size of the database); the memory does not depend on it.
pub(crate) fn copy(
    from: &Path,
    to: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Result<DateTime<Utc>, StoreError>, OpenError> {
    let source = Connection::open(from, 0)?;
    let target = Connection::open(to, SQLITE_OPEN_CREATE)?;
    Ok(copy_pages(&source, &target, progress))
}

fn copy_pages(
    source: &Connection,
    target: &Connection,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<DateTime<Utc>, StoreError> {
    source.execute(BEGIN)?;
    let taken_at = whole_micros(Utc::now());
    target.execute(TARGET)?;
    // SAFETY: both connections are open, differ, and outlive the backup, which this function finishes.
    let backup = unsafe { sqlite3_backup_init(target.0, c"main".as_ptr(), source.0, c"main".as_ptr()) };
    if backup.is_null() {
        return Err(target.failure());
    }
    let count = |pages: c_int| u64::try_from(pages).unwrap_or_default();
    let stepped = loop {
        // SAFETY: the backup is not finished. It reads the snapshot of the open transaction, so it never begins again.
        let stepped = unsafe { sqlite3_backup_step(backup, STEP) };
        // SAFETY: the backup is not finished.
        let (all, remaining) = unsafe { (sqlite3_backup_pagecount(backup), sqlite3_backup_remaining(backup)) };
        progress(count(all - remaining), count(all));
        if stepped != SQLITE_OK {
            break stepped;
        }
    };
    // SAFETY: the backup is finished once.
    let finished = unsafe { sqlite3_backup_finish(backup) };
    if stepped == SQLITE_DONE && finished == SQLITE_OK { Ok(taken_at) } else { Err(target.failure()) }
}

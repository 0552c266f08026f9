//! Interrupts statements of a connection from other threads.
//!
//! diesel does not reveal its handle of the database. SQLite passes the handle of each new connection to an extension,
//! on the thread that opens the connection.
#![expect(unsafe_code, reason = "SQLite's interface to extensions is C")]

use std::cell::Cell;
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;
use std::sync::{Arc, Once};

use libsqlite3_sys as ffi;

use super::{Conn, open};
use crate::StoreError;
use crate::engine::Interrupt;

thread_local! {
    /// The handle of the connection that this thread opened last.
    static OPENED: Cell<*mut ffi::sqlite3> = const { Cell::new(null_mut()) };
}

unsafe extern "C" fn note_handle(
    handle: *mut ffi::sqlite3,
    _: *mut *mut c_char,
    _: *const ffi::sqlite3_api_routines,
) -> c_int {
    OPENED.set(handle);
    ffi::SQLITE_OK
}

/// Opens a read connection that other threads can interrupt.
pub(super) fn reader(url: &str) -> Result<(Conn, Arc<dyn Interrupt>), StoreError> {
    static REGISTRATION: Once = Once::new();
    // SAFETY: the function has the type that SQLite expects, and lives as long as the process.
    REGISTRATION.call_once(|| unsafe {
        ffi::sqlite3_auto_extension(Some(note_handle));
    });
    OPENED.set(null_mut());
    let conn = open::reader(url)?;
    Ok((conn, Arc::new(Handle(OPENED.replace(null_mut())))))
}

struct Handle(*mut ffi::sqlite3);

// SAFETY: `sqlite3_interrupt` may be called from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Interrupt for Handle {
    fn interrupt(&self) {
        if !self.0.is_null() {
            // SAFETY: the engine interrupts a connection only while a read uses it, so the connection is open.
            unsafe { ffi::sqlite3_interrupt(self.0) }
        }
    }

    fn is_instant(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;

    use super::*;
    use crate::sqlite::vfs;

    #[test]
    fn running_statement_is_interrupted_and_its_connection_stays_usable() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = vfs::url(&folder.path().join("data.db")).expect("a URL");
        let (mut conn, handle) = reader(&url).expect("a connection");
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
        let mut conn = std::thread::scope(|scope| {
            let running = scope.spawn(move || {
                conn.batch_execute(endless).expect_err("it is interrupted");
                conn
            });
            // an interruption before the statement begins has no effect
            while !running.is_finished() {
                handle.interrupt();
                std::thread::yield_now();
            }
            running.join().expect("no panic")
        });
        conn.batch_execute("SELECT 1").expect("a result");
    }
}

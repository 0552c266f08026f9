//! The embedded database: one file, one writer, readers that never wait for it.

mod clean;
mod insert;
mod open;
mod org_rows;
#[path = "../tx/mod.rs"]
mod tx;

use std::fs::File;

use diesel::SqliteConnection;
use parking_lot::{Mutex, MutexGuard};

use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Backend, Core, ResidueSet, Retry, WriteJob};

pub(crate) use open::open;
use tx::transactions;

/// A connection to the file.
pub(crate) type Conn = SqliteConnection;

/// Nobody else writes to the file.
const SOLE_WRITER: bool = true;

const BEGIN_READ: &str = "BEGIN DEFERRED";
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";
/// By which it is seen whether a transaction still stands, and whether it can be carried out then.
const PROBE: (&str, bool) = ("BEGIN", false);

/// So few rows are looked up one by one: a statement that names several is planned anew for each number of them.
const ONE_BY_ONE: usize = 64;

/// As the index of pinned memories says it.
const PINNED: &str = "pin = 1";

/// As the index of default profiles says it.
const IS_DEFAULT: &str = "is_default = 1";

/// Whether a memory expires later than so many microseconds after it was written; their number follows.
const EXPIRES_LATER: &str = "expires_at > updated_at + ";

/// Free pages included.
const SIZE_IN_BYTES: &str = "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)";

/// An open database file.
pub(crate) struct Sqlite {
    url: String,
    /// Kept open for as long as the store is: closing any handle of the file would give up SQLite's locks on it.
    file: File,
    /// Whoever writes to the file has it: the writer for a group, the cleaner while it empties the log.
    turn: Mutex<()>,
    /// Held for as long as there is a connection, so that no second server opens it.
    _lock: File,
}

impl Backend for Sqlite {
    type Conn = Conn;

    const READS_INLINE: bool = true;
    const SOLE_WRITER: bool = SOLE_WRITER;

    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        Some(self.turn.lock())
    }

    fn clean(&self, conn: &mut Option<Conn>, traces: &ResidueSet) -> Result<bool, StoreError> {
        clean::clean(self, conn, traces)
    }

    fn connect_reader(&self) -> Result<Conn, StoreError> {
        open::reader(&self.url)
    }

    fn connect_writer(&self) -> Result<Conn, StoreError> {
        open::writer(&self.url)
    }

    fn begin_read(conn: &mut Conn) -> Result<(), StoreError> {
        transactions::begin_read(conn, BEGIN_READ)
    }

    fn read(conn: &mut Conn, core: &Core, inline: bool, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry> {
        transactions::read(conn, core, inline, look)
    }

    fn recall(core: &Core, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry> {
        transactions::recall(core, look)
    }

    fn begin_write(conn: &mut Conn) -> Result<(), StoreError> {
        transactions::begin(conn, BEGIN_WRITE)
    }

    fn commit(conn: &mut Conn, core: &Core, jobs: &mut [Box<dyn WriteJob>]) -> Result<usize, StoreError> {
        tx::commit_group(conn, core, jobs)
    }
}

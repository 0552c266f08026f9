//! SQLite: the embedded database, one file with one writer. Readers never wait for the writer.

mod clean;
mod image;
mod insert;
mod interrupt;
mod one_of;
mod open;
mod org_rows;
mod page;
#[cfg(test)]
mod planner_tests;
#[path = "../tx/mod.rs"]
mod tx;
mod upgrade;
mod vfs;

use std::sync::Arc;
use std::time::Duration;

use diesel::SqliteConnection;
use orgmem_hierarchy::OrgId;
use parking_lot::{Mutex, MutexGuard};

use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Backend, CleaningPolicy, Core, Interrupt, Lease, Retry, TableSet, WriteJob, WriteQueue};

pub(crate) use image::copy;
pub(crate) use open::{LockFile, check_file, lock_if_free, open, row_reader, row_writer};
use tx::transactions;
pub(crate) use vfs::url;

pub(crate) type Conn = SqliteConnection;

/// The server locks the file and has one writer thread.
const SOLE_WRITER: bool = true;

const BEGIN_READ: &str = "BEGIN DEFERRED";
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";
/// A statement that probes whether the transaction is still open, and whether it succeeds in an open transaction.
const PROBE: (&str, bool) = ("BEGIN", false);

/// Maximum number of rows that are read one by one: a statement with several keys is prepared for each number of keys.
const MAX_SINGLE_READS: usize = 64;

/// The condition of the index of episodes that name the kind or session of their target.
const NAMES_TARGET: &str = "names_target = 1 AND target_id IS NOT NULL";

/// The expression in the index of pinned memories.
const PINNED: &str = "pin = 1";

/// The expression in the index of memories by time.
const UNPINNED: &str = "status = 'live' AND pin = 0";

/// Partitions whose newest memories are read by one statement: a statement for several is prepared for each number.
const LISTS_PER_STATEMENT: usize = 1;

/// The expression in the index of default profiles.
const IS_DEFAULT: &str = "is_default = 1";

/// The condition of the partial index on session-only memories.
const SESSION_ONLY: &str = "session_only = 1 AND content IS NOT NULL";

/// The condition that a memory expires more than a number of microseconds after its write. The number must be appended.
const EXPIRES_AFTER_SQL: &str = "expires_at > updated_at + ";

/// Rows in one statement that inserts whole rows: a prepared statement for one row costs least.
const ROWS_PER_INSERT: usize = 1;

/// The lock of the file excludes other servers.
const OTHER_SERVERS: &str = "SELECT 0 AS i";
const LOCK_OUT_SERVERS: &str = "";

/// The number of tables that mark an incomplete copy.
const MARKERS: &str = "SELECT count(*) AS i FROM sqlite_schema WHERE name = '__orgmem_copy'";

/// Executed after a bulk load.
const AFTER_BULK_LOAD: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// Includes free pages.
const SIZE_IN_BYTES: &str = "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)";

pub(crate) struct Sqlite {
    url: String,
    /// The write lock of the file, held by the writer for each group and by the cleaner for the truncation of the WAL.
    turn: Mutex<()>,
    /// Locked as long as any connection is open, so that no second server opens the database.
    _lock: LockFile,
}

impl Backend for Sqlite {
    type Conn = Conn;

    const READS_INLINE: bool = true;
    const SOLE_WRITER: bool = SOLE_WRITER;
    // each clean-up makes the writer wait, so consecutive deletions share a few
    const CLEANING: CleaningPolicy =
        CleaningPolicy { max_delay: Some(Duration::from_secs(2)), min_rest: Duration::from_millis(800), rest_ratio: 0 };

    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        Some(self.turn.lock())
    }

    fn clean(&self, conn: &mut Option<Conn>, _: &TableSet) -> Result<bool, StoreError> {
        clean::clean(self, conn)
    }

    fn connect_reader(&self) -> Result<(Conn, Arc<dyn Interrupt>), StoreError> {
        interrupt::reader(&self.url)
    }

    fn connect_writer(&self) -> Result<Conn, StoreError> {
        open::writer(&self.url)
    }

    fn begin_read(conn: &mut Conn) -> Result<(), StoreError> {
        transactions::begin_read(conn, BEGIN_READ)
    }

    fn read(
        conn: &mut Conn,
        core: &Core,
        lease: Option<Lease<'_>>,
        look: &mut dyn FnMut(&mut dyn ReadTx),
    ) -> Option<Retry> {
        transactions::read(conn, core, lease, look)
    }

    fn recall(core: &Core, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry> {
        transactions::recall(core, look)
    }

    fn recall_current(
        &self,
        conn: &mut Conn,
        core: &Core,
        org: OrgId,
        look: &mut dyn FnMut(&mut dyn ReadTx),
    ) -> Option<Retry> {
        transactions::recall_current(conn, core, org, look)
    }

    fn begin_write(conn: &mut Conn) -> Result<(), StoreError> {
        transactions::begin(conn, BEGIN_WRITE)
    }

    fn commit(
        conn: &mut Conn,
        core: &Core,
        jobs: &mut [Box<dyn WriteJob>],
        queue: &WriteQueue,
    ) -> Result<usize, StoreError> {
        tx::commit_group(conn, core, jobs, queue)
    }
}

//! The embedded database: one file, one writer, readers that never wait for it.

mod clean;
mod insert;
mod open;
mod org_rows;

#[path = "../shared/audit_log.rs"]
mod audit_log;
#[path = "../shared/audit_ranges.rs"]
mod audit_ranges;
#[path = "../shared/audit_records.rs"]
mod audit_records;
#[path = "../shared/chain.rs"]
mod chain;
#[path = "../shared/checking.rs"]
mod checking;
#[path = "../shared/embeddings.rs"]
mod embeddings;
#[path = "../shared/entries.rs"]
mod entries;
#[path = "../shared/episodes.rs"]
mod episodes;
#[path = "../shared/erasures.rs"]
mod erasures;
#[path = "../shared/events.rs"]
mod events;
#[path = "../shared/group.rs"]
mod group;
#[path = "../shared/idempotency.rs"]
mod idempotency;
#[path = "../shared/listing.rs"]
mod listing;
#[path = "../shared/memories.rs"]
mod memories;
#[path = "../shared/memory_rows.rs"]
mod memory_rows;
#[path = "../shared/names.rs"]
mod names;
#[path = "../shared/orgs.rs"]
mod orgs;
#[path = "../shared/partitions.rs"]
mod partitions;
#[path = "../shared/pending_memories.rs"]
mod pending_memories;
#[path = "../shared/profile_rows.rs"]
mod profile_rows;
#[path = "../shared/profiles.rs"]
mod profiles;
#[path = "../shared/redactions.rs"]
mod redactions;
#[path = "../shared/registry.rs"]
mod registry;
#[path = "../shared/retention.rs"]
mod retention;
#[path = "../shared/runs.rs"]
mod runs;
#[path = "../shared/search.rs"]
mod search;
#[path = "../shared/segments.rs"]
mod segments;
#[path = "../shared/session.rs"]
mod session;
#[path = "../shared/stats.rs"]
mod stats;
#[path = "../shared/sweep.rs"]
mod sweep;
#[path = "../shared/target_profile.rs"]
mod target_profile;
#[path = "../shared/tokens.rs"]
mod tokens;
#[path = "../shared/transactions.rs"]
mod transactions;
#[path = "../shared/trimming.rs"]
mod trimming;
#[path = "../shared/tx.rs"]
mod tx;
#[path = "../shared/upsert.rs"]
mod upsert;
#[path = "../shared/version_rows.rs"]
mod version_rows;
#[path = "../shared/versions.rs"]
mod versions;
#[path = "../shared/words.rs"]
mod words;
#[path = "../shared/workspaces.rs"]
mod workspaces;
#[path = "../shared/write_buffer.rs"]
mod write_buffer;

use std::fs::File;

use diesel::SqliteConnection;
use parking_lot::{Mutex, MutexGuard};

use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Backend, Core, ResidueSet, Retry, WriteJob};

pub(crate) use open::open;
use transactions::{begin_savepoint, commit, is_lost, roll_back, roll_back_savepoint};

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
        group::commit(conn, core, jobs)
    }
}

//! PostgreSQL, which several servers may share.

mod clean;
mod insert;
mod notices;
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

use diesel::PgConnection;

use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Backend, Core, ResidueSet, Retry, WriteJob};

pub(crate) use open::open;
use transactions::{begin_savepoint, commit, is_lost, roll_back, roll_back_savepoint};

/// A connection to the server.
pub(crate) type Conn = PgConnection;

/// Other servers may write to the database as well.
const SOLE_WRITER: bool = false;

/// All statements of a read see the same instant.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// The lock on the org's row keeps all others from its rows, so that each statement may see the newest.
const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// By which it is seen whether a transaction still stands, and whether it can be carried out then.
const PROBE: (&str, bool) = ("SELECT 1", true);

/// So few rows are looked up one by one: a statement names any number of them, and each costs a way there and back.
const ONE_BY_ONE: usize = 1;

/// As the index of pinned memories says it.
const PINNED: &str = "pin";

/// As the index of default profiles says it.
const IS_DEFAULT: &str = "is_default";

/// Whether a memory expires later than so many microseconds after it was written; their number follows.
const EXPIRES_LATER: &str = "expires_at > updated_at + interval '1 microsecond' * ";

const SIZE_IN_BYTES: &str = "pg_database_size(current_database())";

/// A database on a server.
pub(crate) struct Postgres {
    url: String,
}

impl Backend for Postgres {
    type Conn = Conn;

    const READS_INLINE: bool = false;
    const SOLE_WRITER: bool = SOLE_WRITER;

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

//! PostgreSQL: a database that several servers may share.

mod clean;
mod insert;
mod interrupt;
mod notices;
mod one_of;
mod open;
mod org_rows;
mod shard;
#[path = "../tx/mod.rs"]
mod tx;

use std::sync::Arc;
use std::time::Duration;

use diesel::PgConnection;
use orgmem_hierarchy::OrgId;

use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Backend, CleaningPolicy, Core, Interrupt, Lease, Retry, TableSet, WriteJob, WriteQueue};

pub(crate) use open::{one_line, open, row_reader, row_writer};
pub use shard::{Sharded, ShardedTable, Spread, shard};
use tx::transactions;

pub(crate) type Conn = PgConnection;

/// Other servers may write to the database too.
const SOLE_WRITER: bool = false;

/// All statements of a read see the same snapshot.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Each statement sees the newest rows. The lock on the org's row excludes other writers of the org.
const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// A statement that probes whether the transaction is still open, and whether it succeeds in an open transaction.
const PROBE: (&str, bool) = ("SELECT 1", true);

/// Maximum number of rows that are read one by one: each statement costs a round trip, and one statement can have any
/// number of keys.
const MAX_SINGLE_READS: usize = 1;

/// The condition of the index of episodes that name the kind or session of their target.
const NAMES_TARGET: &str = "names_target AND target_id IS NOT NULL";

/// The expression in the index of pinned memories.
const PINNED: &str = "pin";

/// The expression in the index of memories by time.
const UNPINNED: &str = "status = 'live' AND NOT pin";

/// Partitions whose newest memories are read by one statement: each statement costs a round trip.
const LISTS_PER_STATEMENT: usize = 128;

/// The expression in the index of default profiles.
const IS_DEFAULT: &str = "is_default";

/// The condition of the partial index on session-only memories.
const SESSION_ONLY: &str = "session_only AND content IS NOT NULL";

/// The condition that a memory expires more than a number of microseconds after its write. The number must be appended.
const EXPIRES_AFTER_SQL: &str = "expires_at > updated_at + interval '1 microsecond' * ";

/// Rows in one statement that inserts whole rows: each statement costs a round trip.
const ROWS_PER_INSERT: usize = 64;

/// The number of connections of servers to this database.
const OTHER_SERVERS: &str = "SELECT count(*) AS i FROM pg_stat_activity WHERE datname = current_database() \
     AND pid <> pg_backend_pid() AND application_name = 'orgmem'";

/// A server that starts takes this lock for its migrations (`open.rs`).
const LOCK_OUT_SERVERS: &str = "SELECT pg_advisory_lock(122537152177517)";

/// The number of tables that mark an incomplete copy.
const MARKERS: &str = "SELECT count(to_regclass('__orgmem_copy')) AS i";

/// Executed after a bulk load, so that the first queries have statistics.
const AFTER_BULK_LOAD: &str = "ANALYZE";

const SIZE_IN_BYTES: &str = "pg_database_size(current_database())";

pub(crate) struct Postgres {
    url: String,
    /// Of a pooler for transactions.
    pooler: Option<String>,
}

impl Backend for Postgres {
    type Conn = Conn;

    const READS_INLINE: bool = false;
    const SOLE_WRITER: bool = SOLE_WRITER;
    const CLEANING: CleaningPolicy = CleaningPolicy { max_delay: None, min_rest: Duration::ZERO, rest_ratio: 9 };

    fn clean(&self, conn: &mut Option<Conn>, tables: &TableSet) -> Result<bool, StoreError> {
        clean::clean(self, conn, tables)
    }

    fn connect_reader(&self) -> Result<(Conn, Arc<dyn Interrupt>), StoreError> {
        match &self.pooler {
            None => interrupt::reader(&self.url),
            Some(pooler) => interrupt::pooled_reader(pooler),
        }
    }

    fn connect_writer(&self) -> Result<Conn, StoreError> {
        match &self.pooler {
            None => open::writer(&self.url),
            Some(pooler) => open::pooled(pooler),
        }
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
        // a pooler assigns a session to a transaction, and a statement with parameters is several messages
        match self.pooler {
            Some(_) => Some(Retry::WithConnection),
            None => transactions::recall_current(conn, core, org, look),
        }
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

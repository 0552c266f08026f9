//! PostgreSQL, which several servers may share.

mod clean;
mod insert;
mod notices;
mod open;
mod org_rows;
#[path = "../tx/mod.rs"]
mod tx;

use diesel::PgConnection;

use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Backend, Core, ResidueSet, Retry, WriteJob};

pub(crate) use open::open;
use tx::transactions;

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
        tx::commit_group(conn, core, jobs)
    }
}

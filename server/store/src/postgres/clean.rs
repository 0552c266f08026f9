//! Removal of residue from the files of tables, by `VACUUM` of the affected tables. `docs/spec/erasure.md` describes
//! the residue that remains, and for how long.
//!
//! `VACUUM` reads the changed pages of a table and all pages of its indexes, on a connection of its own and without a
//! lock that a transaction waits for. The cleaner limits its share of the time ([`CleaningPolicy`]).
//!
//! [`CleaningPolicy`]: crate::engine::CleaningPolicy

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::{Conn, Postgres, open};
use crate::StoreError;
use crate::engine::TableSet;

/// Whether another session has an older snapshot, for which PostgreSQL retains deleted rows.
const HAS_OLD_SNAPSHOT: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
     AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL AND xact_start < now() - interval '10 ms') AS held";

#[derive(QueryableByName)]
struct HeldByReader {
    #[diesel(sql_type = Bool)]
    held: bool,
}

/// Removes the residue. Returns false if readers with old snapshots still need it.
pub(super) fn clean(postgres: &Postgres, conn: &mut Option<Conn>, tables: &TableSet) -> Result<bool, StoreError> {
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(open::cleaner(&postgres.url)?),
    };
    let HeldByReader { held } = diesel::sql_query(HAS_OLD_SNAPSHOT).get_result(conn)?;
    if held {
        return Ok(false);
    }
    for table in tables {
        // truncation would lock the table against reads
        conn.batch_execute(&format!("VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) {table}"))?;
    }
    Ok(true)
}

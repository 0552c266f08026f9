//! Taking out of the tables' files what was taken out of the tables: by VACUUM of those concerned. docs/spec/erasure.md says
//! what it leaves, and for how long.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::{Conn, Postgres, open};
use crate::StoreError;
use crate::engine::ResidueSet;

/// Somebody reads a snapshot that was taken before: what is deleted is kept for them.
const IS_NEEDED: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
     AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL AND xact_start < now() - interval '10 ms') AS held";

#[derive(QueryableByName)]
struct HeldByReader {
    #[diesel(sql_type = Bool)]
    held: bool,
}

/// Takes it out; says whether that was possible: readers that began long ago may still need it.
pub(super) fn clean(postgres: &Postgres, conn: &mut Option<Conn>, traces: &ResidueSet) -> Result<bool, StoreError> {
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(open::cleaner(&postgres.url)?),
    };
    let HeldByReader { held } = diesel::sql_query(IS_NEEDED).get_result(conn)?;
    if held {
        return Ok(false);
    }
    for table in traces.tables() {
        conn.batch_execute(&format!("VACUUM (INDEX_CLEANUP ON) {table}"))?;
    }
    Ok(true)
}

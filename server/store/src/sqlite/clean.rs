//! Removal of residue from the files of the database.
//!
//! `secure_delete` overwrites deleted rows, and the [file system](super::vfs) leaves no copies of moved rows in the
//! database file. What remains is the WAL, which contains earlier states of pages until it is truncated.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::{Conn, Sqlite, open};
use crate::StoreError;

/// How long the truncation waits for active reads. The writer waits meanwhile.
const WAIT: Duration = Duration::from_millis(50);

#[derive(QueryableByName)]
struct Checkpoint {
    #[diesel(sql_type = Integer)]
    busy: i32,
}

/// Writes the WAL into the database file and truncates it. Returns false if reads with old snapshots still need it.
///
/// # Complexity
/// O(size of the WAL). Most of it is written while the writer continues.
pub(super) fn clean(sqlite: &Sqlite, conn: &mut Option<Conn>) -> Result<bool, StoreError> {
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(open::writer(&sqlite.url)?),
    };
    checkpoint(conn, "PASSIVE")?;
    conn.batch_execute(&format!("PRAGMA busy_timeout = {}", WAIT.as_millis()))?;
    let _turn = sqlite.turn.lock();
    Ok(checkpoint(conn, "TRUNCATE")?.busy == 0)
}

fn checkpoint(conn: &mut Conn, mode: &str) -> Result<Checkpoint, StoreError> {
    Ok(diesel::sql_query(format!("PRAGMA wal_checkpoint({mode})")).get_result(conn)?)
}

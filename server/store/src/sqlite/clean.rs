//! Removal of residue from the database file.
//!
//! `secure_delete` overwrites a deleted row in place. Older copies of it remain in the WAL and sometimes in the unused
//! part of a page: when SQLite splits or joins pages, it moves rows and leaves their bytes behind. The cleaner
//! therefore truncates the WAL, searches the unused parts for the residue and, if it finds any, rewrites the file with
//! `VACUUM`.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::{Conn, Sqlite, open};
use crate::StoreError;
use crate::engine::ResidueSet;

/// Maximum number of attempts to truncate the WAL after `VACUUM`.
const ATTEMPTS: usize = 20;

/// Removes the residue. Returns false if readers with old snapshots still need the WAL.
pub(super) fn clean(sqlite: &Sqlite, conn: &mut Option<Conn>, traces: &ResidueSet) -> Result<bool, StoreError> {
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(open::cleaner(&sqlite.url)?),
    };
    if !truncate_wal(sqlite, conn)? {
        return Ok(false);
    }
    let must_rewrite = traces.is_overflown || has_residue(&sqlite.file, traces).map_err(StoreError::unavailable)?;
    if !must_rewrite {
        return Ok(true);
    }
    tracing::info!("the database file has a copy of deleted data and is rewritten");
    {
        let _turn = sqlite.turn.lock();
        conn.batch_execute("VACUUM")?;
    }
    for _ in 0..ATTEMPTS {
        if truncate_wal(sqlite, conn)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[derive(QueryableByName)]
struct Checkpoint {
    #[diesel(sql_type = Integer)]
    busy: i32,
}

/// Writes the WAL into the file and truncates it. Returns false if a reader prevented it.
fn truncate_wal(sqlite: &Sqlite, conn: &mut Conn) -> Result<bool, StoreError> {
    let _turn = sqlite.turn.lock();
    let done: Checkpoint = diesel::sql_query("PRAGMA wal_checkpoint(TRUNCATE)").get_result(conn)?;
    Ok(done.busy == 0)
}

/// Whether the unused part of any page has residue.
///
/// # Complexity
/// O(size of the file).
fn has_residue(file: &File, traces: &ResidueSet) -> std::io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 20, file);
    file.seek(SeekFrom::Start(0))?;
    let mut head = [0; 100];
    file.read_exact(&mut head)?;
    let size = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    file.seek(SeekFrom::Start(0))?;
    let mut page = vec![0; size];
    let mut start = head.len();
    loop {
        match file.read_exact(&mut page) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
        if traces.occurs_in(unused(&page, start)) {
            return Ok(true);
        }
        start = 0;
    }
}

/// The bytes of a b-tree page between its cell pointers and its cells. Empty for other pages, which have only used
/// bytes or zeros.
///
/// Source: <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
fn unused(page: &[u8], start: usize) -> &[u8] {
    let number = |at: usize| usize::from(u16::from_be_bytes([page[start + at], page[start + at + 1]]));
    let header = match page[start] {
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return &[],
    };
    let rows = match number(5) {
        0 => 65_536,
        rows => rows,
    };
    page.get(start + header + 2 * number(3)..rows).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::unused;

    #[test]
    fn unused_part_is_between_cell_pointers_and_cells() {
        let mut page = vec![0u8; 512];
        page[0] = 13;
        page[4] = 2;
        page[5..7].copy_from_slice(&500u16.to_be_bytes());
        page[8 + 4] = 7;
        assert_eq!(unused(&page, 0).len(), 500 - 12);
        assert_eq!(unused(&page, 0)[0], 7);
        page[0] = 0;
        assert!(unused(&page, 0).is_empty(), "an overflow page has none");
        page[0] = 5;
        page[5..7].copy_from_slice(&3u16.to_be_bytes());
        assert!(unused(&page, 0).is_empty(), "what is no page of rows has none");
    }
}

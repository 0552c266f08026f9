//! Taking out of the file what was taken out of its tables.
//!
//! `secure_delete` overwrites a row where it stood, but older copies of it stay in the log, and now and then in the unused
//! part of a page: where SQLite splits or joins pages, it moves rows and leaves their bytes behind. So the log is emptied,
//! the unused parts are looked through for what was taken out, and if anything of it is there the file is written anew.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::{Conn, Sqlite, open};
use crate::StoreError;
use crate::engine::ResidueSet;

/// How often the log is tried to be emptied after the file was written anew.
const ATTEMPTS: usize = 20;

/// Takes it out; says whether that was possible: readers that began long ago may still need the log.
pub(super) fn clean(sqlite: &Sqlite, conn: &mut Option<Conn>, traces: &ResidueSet) -> Result<bool, StoreError> {
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(open::cleaner(&sqlite.url)?),
    };
    if !empty_log(sqlite, conn)? {
        return Ok(false);
    }
    let is_left = traces.is_much || traces_in(&sqlite.file, traces).map_err(StoreError::unavailable)?;
    if !is_left {
        return Ok(true);
    }
    tracing::info!("a copy of what was taken out is left in the file, which is written anew");
    {
        let _turn = sqlite.turn.lock();
        conn.batch_execute("VACUUM")?;
    }
    for _ in 0..ATTEMPTS {
        if empty_log(sqlite, conn)? {
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

/// Writes all of the log into the file and cuts it off; says whether no reader was in the way.
fn empty_log(sqlite: &Sqlite, conn: &mut Conn) -> Result<bool, StoreError> {
    let _turn = sqlite.turn.lock();
    let done: Checkpoint = diesel::sql_query("PRAGMA wal_checkpoint(TRUNCATE)").get_result(conn)?;
    Ok(done.busy == 0)
}

/// Whether some of it stands in the unused part of a page.
fn traces_in(file: &File, traces: &ResidueSet) -> std::io::Result<bool> {
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
        if traces.stand_in(unused(&page, start)) {
            return Ok(true);
        }
        start = 0;
    }
}

/// What of a page of rows lies between its directory and its rows: <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
/// Nothing of a page of another kind, which holds what is in use, or zeros.
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
    fn the_unused_part_is_between_directory_and_rows() {
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

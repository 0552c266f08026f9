//! Random histories of a table: after every checkpoint no page of the file has residue.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::super::{Conn, page, upgrade};
use super::url;

const PAGE: usize = 4096;

/// The unused parts of all pages that have residue, by their offsets.
fn residue(file: &Path) -> Vec<u64> {
    let bytes = std::fs::read(file).expect("the file");
    let pages = bytes.chunks_exact(PAGE).zip((0u64..).step_by(PAGE));
    pages.filter(|(page, offset)| page::without_residue(page, *offset).is_some()).map(|(_, offset)| offset).collect()
}

/// A text without repetition whose every eighth byte begins with the number.
fn text(number: u32, length: usize) -> String {
    format!("{number:07x}.").repeat(length / 8 + 1)
}

fn connect(url: &str) -> Conn {
    let mut conn = Conn::establish(url).expect("a database");
    conn.batch_execute("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA synchronous = OFF")
        .expect("it is set");
    conn
}

/// Inserts, grows, shrinks and deletes rows, so that pages split and join. Calls `check` with the deleted texts after
/// each checkpoint.
fn run(seed: u64, url: &str, mut check: impl FnMut(&[String])) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut conn = connect(url);
    conn.batch_execute(
        "CREATE TABLE texts (key INTEGER PRIMARY KEY, value TEXT NOT NULL); CREATE INDEX by_value ON texts (value); \
         CREATE TABLE keys (value TEXT PRIMARY KEY) WITHOUT ROWID;",
    )
    .expect("tables");
    let (mut live, mut next): (BTreeMap<i64, String>, u32) = (BTreeMap::new(), 0);
    for _ in 0..12 {
        let mut deleted = Vec::new();
        conn.batch_execute("BEGIN").expect("a transaction");
        for _ in 0..60 {
            let key = random.random_range(0..200i64);
            let length = [24, 100, 700, 2_000, 9_000][random.random_range(0..5)];
            deleted.extend(live.remove(&key).inspect(|old| {
                conn.batch_execute(&format!("DELETE FROM keys WHERE value = '{old}'")).expect("a deletion");
            }));
            if random.random_ratio(2, 3) {
                next += 1;
                let value = text(next, length);
                let sql =
                    "INSERT INTO texts VALUES ({key}, '{value}') ON CONFLICT DO UPDATE SET value = excluded.value";
                let sql = sql.replace("{key}", &key.to_string()).replace("{value}", &value);
                conn.batch_execute(&format!("{sql}; INSERT INTO keys VALUES ('{value}')")).expect("an insertion");
                live.insert(key, value);
            } else {
                conn.batch_execute(&format!("DELETE FROM texts WHERE key = {key}")).expect("a deletion");
            }
        }
        conn.batch_execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
        check(&deleted);
    }
    diesel::sql_query("INSERT INTO texts SELECT -1, integrity_check FROM pragma_integrity_check")
        .execute(&mut conn)
        .expect("a check");
    let intact = diesel::sql_query("DELETE FROM texts WHERE key = -1 AND value = 'ok'").execute(&mut conn);
    assert_eq!(intact.expect("a result"), 1, "the database is intact");
}

#[test]
fn deleted_text_is_in_no_file_after_any_history() {
    for seed in 0..4 {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("data.db");
        let url = url(&file).expect("a URL");
        run(seed, &url, |deleted| {
            assert_eq!(residue(&file), Vec::<u64>::new(), "seed {seed}");
            for path in std::fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("a file").path())
            {
                let bytes = std::fs::read(path).expect("a file");
                let marks: HashSet<&[u8]> = bytes.windows(8).filter(|window| window[7] == b'.').collect();
                for text in deleted {
                    assert!(!marks.contains(&text.as_bytes()[..8]), "seed {seed}: {}", &text[..8]);
                }
            }
        });
    }
}

#[test]
fn file_of_another_file_system_has_residue_until_its_upgrade() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("data.db");
    let mut found = 0;
    run(0, &file.to_string_lossy(), |_| found = residue(&file).len());
    assert!(found > 0, "the histories leave residue without the file system");
    let found = residue(&file).len() as u64;
    let before = std::fs::read(&file).expect("the file");
    assert_eq!(upgrade::remove_residue(&file).expect("an upgrade"), found);
    assert_eq!(residue(&file), Vec::<u64>::new());
    assert_eq!(upgrade::remove_residue(&file).expect("an upgrade"), 0);
    assert_eq!(std::fs::read(&file).expect("the file").len(), before.len());
    connect(&url(&file).expect("a URL")).batch_execute("SELECT * FROM texts").expect("the rows are readable");
}

#[test]
fn path_with_special_characters_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("50% sure? #1 ä&vfs=none.db");
    connect(&url(&file).expect("a URL")).batch_execute("CREATE TABLE t (x)").expect("a table");
    assert!(file.exists());
}

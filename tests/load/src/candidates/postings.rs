//! b: a table of postings, clustered by org, partition and term.

use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::{Candidate, Document, Posting, best_ten, counted, terms};
use crate::error::Outcome;

pub(super) struct Postings {
    conn: Connection,
    folder: TempDir,
}

/// A database with a table of texts.
pub(super) fn database() -> Outcome<(Connection, TempDir)> {
    let folder = TempDir::with_prefix("orgmem-load-")?;
    let conn = Connection::open(folder.path().join("candidate.db"))?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -64000; \
         CREATE TABLE texts (id INTEGER PRIMARY KEY, content TEXT NOT NULL);",
    )?;
    Ok((conn, folder))
}

/// Reads the texts of the hits.
pub(super) fn fetch(conn: &Connection, ids: &[i64]) -> Outcome<usize> {
    let mut text = conn.prepare_cached("SELECT content FROM texts WHERE id = ?")?;
    for id in ids {
        text.query_row([id], |row| row.get::<_, String>(0))?;
    }
    Ok(ids.len())
}

/// The size of the database after a checkpoint, in bytes.
pub(super) fn size(folder: &TempDir) -> Outcome<f64> {
    let file = folder.path().join("candidate.db");
    Connection::open(&file)?.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(std::fs::metadata(file)?.len() as f64)
}

impl Postings {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = database()?;
        conn.execute_batch(
            "CREATE TABLE postings (org INTEGER, partition INTEGER, term TEXT, memory INTEGER, frequency INTEGER, \
             length INTEGER, PRIMARY KEY (org, partition, term, memory)) WITHOUT ROWID; \
             CREATE TABLE partitions (org INTEGER, partition INTEGER, memories INTEGER, length INTEGER, \
             PRIMARY KEY (org, partition)) WITHOUT ROWID;",
        )?;
        Ok(Self { conn, folder })
    }
}

impl Candidate for Postings {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let tx = self.conn.transaction()?;
        {
            let mut posting = tx.prepare_cached("INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?)")?;
            let mut text = tx.prepare_cached("INSERT INTO texts VALUES (?, ?)")?;
            let mut sum = tx.prepare_cached(
                "INSERT INTO partitions VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE SET memories = memories + 1, \
                 length = length + excluded.length",
            )?;
            for Document { id, org, partition, text: content } in documents {
                let (counts, length) = counted(content);
                for (term, frequency) in counts {
                    posting.execute(params![org, partition, term, id, frequency, length])?;
                }
                text.execute(params![id, content])?;
                sum.execute(params![org, partition, length])?;
            }
        }
        tx.commit()?;
        Ok(())
    }

    fn finish_bulk(&mut self) -> Outcome<()> {
        self.conn.execute_batch("ANALYZE")?;
        Ok(())
    }

    fn restart(&mut self) -> Outcome<()> {
        self.conn.execute_batch("PRAGMA shrink_memory")?;
        Ok(())
    }

    fn search(&mut self, partitions: &[i64], question: &str) -> Outcome<usize> {
        let mut sum =
            self.conn.prepare_cached("SELECT memories, length FROM partitions WHERE org = 0 AND partition = ?")?;
        let (mut readable, mut length) = (0.0, 0.0);
        for partition in partitions {
            for row in sum.query_map([partition], |row| Ok((row.get::<_, f64>(0)?, row.get::<_, f64>(1)?)))? {
                let (memories, words) = row?;
                (readable, length) = (readable + memories, length + words);
            }
        }
        let mut found = Vec::new();
        let mut posting = self.conn.prepare_cached(
            "SELECT memory, frequency, length FROM postings WHERE org = 0 AND partition = ? AND term = ?",
        )?;
        for term in terms(question) {
            let mut of_term = Vec::new();
            for partition in partitions {
                let rows = posting.query_map(params![partition, term], |row| {
                    Ok(Posting { memory: row.get(0)?, frequency: row.get(1)?, length: row.get(2)? })
                })?;
                for row in rows {
                    of_term.push(row?);
                }
            }
            found.push(of_term);
        }
        fetch(&self.conn, &best_ten(found, readable, length / f64::max(readable, 1.0)))
    }

    fn disk(&mut self) -> Outcome<f64> {
        size(&self.folder)
    }
}

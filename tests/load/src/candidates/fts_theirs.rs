//! d: FTS5 with its own ranking, for reference: its statistics are those of all texts of all orgs.

use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::postings::{database, size};
use super::{Candidate, Document};
use crate::error::Outcome;
use crate::fts::{best, expression};

pub(super) struct FtsTheirs {
    conn: Connection,
    folder: TempDir,
}

impl FtsTheirs {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = database()?;
        conn.execute_batch(
            "CREATE VIRTUAL TABLE fts USING fts5 (content, content='texts', content_rowid='id'); \
             CREATE TABLE places (id INTEGER PRIMARY KEY, shelf INTEGER);",
        )?;
        Ok(Self { conn, folder })
    }
}

impl Candidate for FtsTheirs {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let tx = self.conn.transaction()?;
        {
            let mut text = tx.prepare_cached("INSERT INTO texts VALUES (?, ?)")?;
            let mut fts = tx.prepare_cached("INSERT INTO fts (rowid, content) VALUES (?, ?)")?;
            let mut place = tx.prepare_cached("INSERT INTO places VALUES (?, ?)")?;
            for Document { id, org, shelf, text: content } in documents {
                text.execute(params![id, content])?;
                fts.execute(params![id, content])?;
                // shelves of other orgs have other numbers
                place.execute(params![id, shelf + org * 1_000_000])?;
            }
        }
        tx.commit()?;
        Ok(())
    }

    fn settle(&mut self) -> Outcome<()> {
        self.conn.execute_batch("INSERT INTO fts (fts) VALUES ('optimize'); ANALYZE;")?;
        Ok(())
    }

    fn restart(&mut self) -> Outcome<()> {
        self.conn.execute_batch("PRAGMA shrink_memory")?;
        Ok(())
    }

    fn search(&mut self, shelves: &[i64], question: &str) -> Outcome<usize> {
        best(&self.conn, shelves, &expression(question))
    }

    fn disk(&mut self) -> Outcome<f64> {
        size(&self.folder)
    }
}

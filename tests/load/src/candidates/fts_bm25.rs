//! d: FTS5 with its own ranking, for reference: its statistics include the texts of all orgs.

use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::postings::{database, size};
use super::{Candidate, Document};
use crate::error::Outcome;
use crate::fts::{best, expression};

pub(super) struct FtsBm25 {
    conn: Connection,
    folder: TempDir,
}

impl FtsBm25 {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = database()?;
        conn.execute_batch(
            "CREATE VIRTUAL TABLE fts USING fts5 (content, content='texts', content_rowid='id'); \
             CREATE TABLE documents (id INTEGER PRIMARY KEY, partition INTEGER);",
        )?;
        Ok(Self { conn, folder })
    }
}

impl Candidate for FtsBm25 {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let tx = self.conn.transaction()?;
        {
            let mut text = tx.prepare_cached("INSERT INTO texts VALUES (?, ?)")?;
            let mut fts = tx.prepare_cached("INSERT INTO fts (rowid, content) VALUES (?, ?)")?;
            let mut document = tx.prepare_cached("INSERT INTO documents VALUES (?, ?)")?;
            for Document { id, org, partition, text: content } in documents {
                text.execute(params![id, content])?;
                fts.execute(params![id, content])?;
                // partitions of other orgs have different numbers
                document.execute(params![id, partition + org * 1_000_000])?;
            }
        }
        tx.commit()?;
        Ok(())
    }

    fn finish_bulk(&mut self) -> Outcome<()> {
        self.conn.execute_batch("INSERT INTO fts (fts) VALUES ('optimize'); ANALYZE;")?;
        Ok(())
    }

    fn restart(&mut self) -> Outcome<()> {
        self.conn.execute_batch("PRAGMA shrink_memory")?;
        Ok(())
    }

    fn search(&mut self, partitions: &[i64], question: &str) -> Outcome<usize> {
        best(&self.conn, partitions, &expression(question))
    }

    fn disk(&mut self) -> Outcome<f64> {
        size(&self.folder)
    }
}

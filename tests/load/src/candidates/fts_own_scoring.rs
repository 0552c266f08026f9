//! a: FTS5 with terms prefixed by their org, so that the terms of other orgs are not scanned, and our own scoring. FTS5
//! does not return the frequency of a term in a text, so the score ignores it.

use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::postings::{database, fetch, size};
use super::{Candidate, Document, Posting, best_ten, terms};
use crate::error::Outcome;

pub(super) struct FtsOwnScoring {
    conn: Connection,
    folder: TempDir,
}

impl FtsOwnScoring {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = database()?;
        conn.execute_batch(
            "CREATE VIRTUAL TABLE fts USING fts5 (terms, content='', detail='none'); \
             CREATE TABLE documents (id INTEGER PRIMARY KEY, org INTEGER, partition INTEGER, length INTEGER); \
             CREATE INDEX documents_by_partition ON documents (org, partition, length);",
        )?;
        Ok(Self { conn, folder })
    }
}

fn prefixed(org: i64, text: &str) -> Vec<String> {
    terms(text).into_iter().map(|term| format!("o{org}x{term}")).collect()
}

impl Candidate for FtsOwnScoring {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let tx = self.conn.transaction()?;
        {
            let mut fts = tx.prepare_cached("INSERT INTO fts (rowid, terms) VALUES (?, ?)")?;
            let mut document = tx.prepare_cached("INSERT INTO documents VALUES (?, ?, ?, ?)")?;
            let mut text = tx.prepare_cached("INSERT INTO texts VALUES (?, ?)")?;
            for Document { id, org, partition, text: content } in documents {
                let terms = prefixed(*org, content);
                fts.execute(params![id, terms.join(" ")])?;
                document.execute(params![id, org, partition, terms.len() as i64])?;
                text.execute(params![id, content])?;
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
        let ids = partitions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut sum = self.conn.prepare_cached(&format!(
            "SELECT count(*), coalesce(avg(length), 1) FROM documents WHERE org = 0 AND partition IN ({ids})"
        ))?;
        let (readable, mean): (f64, f64) = sum.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut matching = self.conn.prepare_cached(&format!(
            "SELECT documents.id, documents.length FROM fts JOIN documents ON documents.id = fts.rowid \
             WHERE fts MATCH ? AND documents.partition IN ({ids})"
        ))?;
        let mut found = Vec::new();
        for term in prefixed(0, question) {
            let rows = matching.query_map([format!("\"{term}\"")], |row| {
                Ok(Posting { memory: row.get(0)?, frequency: 1.0, length: row.get(1)? })
            })?;
            found.push(rows.collect::<Result<_, _>>()?);
        }
        fetch(&self.conn, &best_ten(found, readable, mean))
    }

    fn disk(&mut self) -> Outcome<f64> {
        size(&self.folder)
    }
}

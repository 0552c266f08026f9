//! a: FTS5 with terms that begin with their org, so that foreign ones are not scanned; the relevance is our own. FTS5
//! does not tell how often a term stands in a text, so that does not count here.

use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::postings::{database, fetch, size};
use super::{Candidate, Document, Posting, best_ten, terms};
use crate::error::Outcome;

pub(super) struct FtsOurs {
    conn: Connection,
    folder: TempDir,
}

impl FtsOurs {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = database()?;
        conn.execute_batch(
            "CREATE VIRTUAL TABLE fts USING fts5 (terms, content='', detail='none'); \
             CREATE TABLE places (id INTEGER PRIMARY KEY, org INTEGER, shelf INTEGER, length INTEGER); \
             CREATE INDEX places_of_shelf ON places (org, shelf, length);",
        )?;
        Ok(Self { conn, folder })
    }
}

fn prefixed(org: i64, text: &str) -> Vec<String> {
    terms(text).into_iter().map(|term| format!("o{org}x{term}")).collect()
}

impl Candidate for FtsOurs {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let tx = self.conn.transaction()?;
        {
            let mut fts = tx.prepare_cached("INSERT INTO fts (rowid, terms) VALUES (?, ?)")?;
            let mut place = tx.prepare_cached("INSERT INTO places VALUES (?, ?, ?, ?)")?;
            let mut text = tx.prepare_cached("INSERT INTO texts VALUES (?, ?)")?;
            for Document { id, org, shelf, text: content } in documents {
                let terms = prefixed(*org, content);
                fts.execute(params![id, terms.join(" ")])?;
                place.execute(params![id, org, shelf, terms.len() as i64])?;
                text.execute(params![id, content])?;
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
        let list = shelves.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut sum = self.conn.prepare_cached(&format!(
            "SELECT count(*), coalesce(avg(length), 1) FROM places WHERE org = 0 AND shelf IN ({list})"
        ))?;
        let (readable, mean): (f64, f64) = sum.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut matching = self.conn.prepare_cached(&format!(
            "SELECT places.id, places.length FROM fts JOIN places ON places.id = fts.rowid \
             WHERE fts MATCH ? AND places.shelf IN ({list})"
        ))?;
        let mut found = Vec::new();
        for term in prefixed(0, question) {
            let rows = matching.query_map([format!("\"{term}\"")], |row| {
                Ok(Posting { memory: row.get(0)?, often: 1.0, length: row.get(1)? })
            })?;
            found.push(rows.collect::<Result<_, _>>()?);
        }
        fetch(&self.conn, &best_ten(found, readable, mean))
    }

    fn disk(&mut self) -> Outcome<f64> {
        size(&self.folder)
    }
}

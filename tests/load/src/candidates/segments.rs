//! c: a row for each memory, clustered by shelf; in memory an inverted index for each shelf that is read.

use std::collections::HashMap;

use orgmem_recall::{Cut, Doc, Filter, Meta, Moment, Query, Segment, Shelf, analyze, search};
use rusqlite::{Connection, params};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Candidate, Document};
use crate::error::Outcome;

pub(super) struct Segments {
    conn: Connection,
    folder: TempDir,
    shelves: HashMap<i64, Segment>,
}

impl Segments {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = super::postings::database()?;
        conn.execute_batch(
            "CREATE TABLE docs (org INTEGER, shelf INTEGER, id INTEGER, doc BLOB, PRIMARY KEY (org, shelf, id)) \
             WITHOUT ROWID;",
        )?;
        Ok(Self { conn, folder, shelves: HashMap::new() })
    }

    fn load(&self, shelf: i64) -> Outcome<Segment> {
        let mut rows = self.conn.prepare_cached("SELECT doc FROM docs WHERE org = 0 AND shelf = ?")?;
        let blobs = rows.query_map([shelf], |row| row.get::<_, Vec<u8>>(0))?.collect::<Result<Vec<_>, _>>()?;
        let docs = blobs.iter().map(|blob| Doc::decode(blob)).collect::<Result<Vec<_>, _>>()?;
        Ok(Segment::build(docs))
    }
}

fn id_of(id: i64) -> Uuid {
    Uuid::from_u128(id as u128)
}

impl Candidate for Segments {
    fn add(&mut self, documents: &[Document]) -> Outcome<()> {
        let tx = self.conn.transaction()?;
        let mut fresh = Vec::new();
        {
            let mut doc = tx.prepare_cached("INSERT INTO docs VALUES (?, ?, ?, ?)")?;
            let mut text = tx.prepare_cached("INSERT INTO texts VALUES (?, ?)")?;
            for Document { id, org, shelf, text: content } in documents {
                let meta = Meta { id: id_of(*id), created_at: *id, namespace: "general".into(), ..Meta::default() };
                let made = Doc { meta, analysis: analyze(content), embeddings: None };
                doc.execute(params![org, shelf, id, made.encode()])?;
                text.execute(params![id, content])?;
                if *org == 0 {
                    fresh.push((*shelf, made));
                }
            }
        }
        tx.commit()?;
        for (shelf, doc) in fresh {
            if let Some(segment) = self.shelves.get_mut(&shelf) {
                segment.upsert(doc);
            }
        }
        Ok(())
    }

    fn settle(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn restart(&mut self) -> Outcome<()> {
        self.shelves.clear();
        Ok(())
    }

    fn search(&mut self, shelves: &[i64], question: &str) -> Outcome<usize> {
        for &shelf in shelves {
            if !self.shelves.contains_key(&shelf) {
                let segment = self.load(shelf)?;
                self.shelves.insert(shelf, segment);
            }
        }
        let readable: Vec<_> = shelves.iter().map(|shelf| Shelf::nameless(*shelf, &self.shelves[shelf])).collect();
        let cut = Cut { limit: 10, ..Cut::default() };
        let moment = Moment { now: i64::MAX, as_of: None };
        let hits = search(&readable, &Query::parse(question), &Filter::default(), &cut, moment);
        let ids: Vec<i64> = hits.iter().map(|hit| hit.id.as_u128() as i64).collect();
        super::postings::fetch(&self.conn, &ids)
    }

    fn disk(&mut self) -> Outcome<f64> {
        super::postings::size(&self.folder)
    }
}

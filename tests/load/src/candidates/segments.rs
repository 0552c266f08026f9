//! c: a row for each memory, clustered by partition, and an inverted index in memory for each searched partition.

use std::collections::HashMap;

use orgmem_recall::{Doc, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, analyze, search};
use rusqlite::{Connection, params};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Candidate, Document};
use crate::error::Outcome;

pub(super) struct Segments {
    conn: Connection,
    folder: TempDir,
    partitions: HashMap<i64, PartitionIndex>,
}

impl Segments {
    pub(super) fn new() -> Outcome<Self> {
        let (conn, folder) = super::postings::database()?;
        conn.execute_batch(
            "CREATE TABLE docs (org INTEGER, partition INTEGER, id INTEGER, doc BLOB, PRIMARY KEY (org, partition, id)) \
             WITHOUT ROWID;",
        )?;
        Ok(Self { conn, folder, partitions: HashMap::new() })
    }

    fn load(&self, partition: i64) -> Outcome<PartitionIndex> {
        let mut rows = self.conn.prepare_cached("SELECT doc FROM docs WHERE org = 0 AND partition = ?")?;
        let blobs = rows.query_map([partition], |row| row.get::<_, Vec<u8>>(0))?.collect::<Result<Vec<_>, _>>()?;
        let docs = blobs.iter().map(|blob| Doc::decode(blob)).collect::<Result<Vec<_>, _>>()?;
        Ok(PartitionIndex::build(docs))
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
            for Document { id, org, partition, text: content } in documents {
                let meta = Meta { id: id_of(*id), created_at: *id, namespace: "general".into(), ..Meta::default() };
                let made = Doc { meta, analysis: analyze(content), embeddings: None };
                doc.execute(params![org, partition, id, made.encode()])?;
                text.execute(params![id, content])?;
                if *org == 0 {
                    fresh.push((*partition, made));
                }
            }
        }
        tx.commit()?;
        for (partition, doc) in fresh {
            if let Some(segment) = self.partitions.get_mut(&partition) {
                segment.upsert(doc);
            }
        }
        Ok(())
    }

    fn finish_bulk(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn restart(&mut self) -> Outcome<()> {
        self.partitions.clear();
        Ok(())
    }

    fn search(&mut self, partitions: &[i64], question: &str) -> Outcome<usize> {
        for &partition in partitions {
            if !self.partitions.contains_key(&partition) {
                let segment = self.load(partition)?;
                self.partitions.insert(partition, segment);
            }
        }
        let readable: Vec<_> = partitions
            .iter()
            .map(|partition| Partition::without_author(*partition, &self.partitions[partition]))
            .collect();
        let cut = PageRequest { limit: 10, ..PageRequest::default() };
        let moment = ReadTime { now: i64::MAX, as_of: None };
        let hits = search(&readable, &Query::parse(question), &Filter::default(), &cut, moment);
        let ids: Vec<i64> = hits.iter().map(|hit| hit.id.as_u128() as i64).collect();
        super::postings::fetch(&self.conn, &ids)
    }

    fn disk(&mut self) -> Outcome<f64> {
        super::postings::size(&self.folder)
    }
}

//! Segments of shelves at this snapshot: from memory where they are there, else from the index rows.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_recall::{Doc, Embeddings, PartitionIndex, Vector};

use super::Conn;
use super::{Tx, TxKind};
use crate::StoreError;
use crate::cache::{IndexChange, IndexState, PartitionKey, Served};
use crate::columns::{Id, TextEnum};
use crate::engine::{Retry, RowContext};
use crate::schema::memory_index;

/// How many authors one statement names.
const CHUNK: usize = 500;

/// Groups of writes that are caught up with on the way, on a thread that must not be held up.
const GLANCED_CHANGES: i64 = 32;

impl Tx<'_> {
    /// The segments of these shelves, in their order, and the version of the org that they are of.
    pub(crate) fn segments(
        &mut self,
        org: OrgId,
        keys: &[PartitionKey],
    ) -> Result<(Vec<Arc<PartitionIndex>>, i64), StoreError> {
        if self.pending.index_changes.iter().any(|update| update.org == org) {
            // what this transaction wrote is for nobody else to see, and not to be kept
            let mut loaded = load(self.drained()?, org, keys)?;
            let version = self.view(org)?.next_version();
            return Ok((keys.iter().map(|key| loaded.remove(key).unwrap_or_default()).collect(), version));
        }
        let version = self.freshen_index(org)?;
        let mut segments = self.serve(org, keys, version)?;
        if segments.iter().any(Option::is_none) {
            if self.kind == TxKind::Inline {
                return Err(self.retry(Retry::OnBlockingPool));
            }
            let cache = self.view(org)?.cache.clone();
            let _loading = cache.loading_partitions.lock();
            // somebody else may have loaded them meanwhile
            segments = self.serve(org, keys, version)?;
            self.load_absent(org, keys, version, &mut segments)?;
        }
        let loaded = segments
            .into_iter()
            .zip(keys)
            .map(|(segment, key)| segment.ok_or_else(|| StoreError::unreadable("memory_index", key, "not loaded")));
        Ok((loaded.collect::<Result<_, _>>()?, version))
    }

    /// Brings the index in memory to this snapshot, or beyond; gives the version of the snapshot.
    fn freshen_index(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        let (cache, version, floor) = (view.cache.clone(), view.row.version, view.row.index_floor);
        loop {
            let mut state = cache.index.lock();
            let at = match state.version() {
                // no one is ahead of whoever has the org locked: the database went back in time
                Some(at) if at > version && self.is_writer() => {
                    state.begin_at(&self.core.caches.partitions, version);
                    return Ok(version);
                }
                Some(at) if at >= version => return Ok(version),
                Some(at) if at >= floor => at,
                _ => {
                    state.begin_at(&self.core.caches.partitions, version);
                    return Ok(version);
                }
            };
            drop(state);
            if self.kind == TxKind::Inline && version - at > GLANCED_CHANGES {
                return Err(self.retry(Retry::OnBlockingPool));
            }
            let changes = changes(self.conn()?, org, at, version)?;
            cache.index.lock().advance(&self.core.caches.partitions, at, version, changes.into_iter());
        }
    }

    /// What is in memory of these shelves, each in its place.
    fn serve(
        &mut self,
        org: OrgId,
        keys: &[PartitionKey],
        version: i64,
    ) -> Result<Vec<Option<Arc<PartitionIndex>>>, StoreError> {
        let cache = self.view(org)?.cache.clone();
        let state = cache.index.lock();
        let serve = |&key| match self.core.caches.partitions.serve(&state, key, version) {
            Served::With(segment) => Ok(Some(segment)),
            Served::Absent => Ok(None),
            Served::TooNew => Err(self.retry(Retry::NewSnapshot)),
        };
        keys.iter().map(serve).collect()
    }

    /// Loads from their rows those shelves that are not there, and keeps them.
    fn load_absent(
        &mut self,
        org: OrgId,
        keys: &[PartitionKey],
        version: i64,
        segments: &mut [Option<Arc<PartitionIndex>>],
    ) -> Result<(), StoreError> {
        let cache = self.view(org)?.cache.clone();
        let partitions = &self.core.caches.partitions;
        let absent = keys.iter().zip(segments).filter(|(_, segment)| segment.is_none());
        let (absent, places): (Vec<PartitionKey>, Vec<&mut Option<Arc<PartitionIndex>>>) = absent.unzip();
        {
            let state = cache.index.lock();
            if state.version() != Some(version) {
                // changes that the rows of this snapshot do not have have passed by already
                return Err(self.retry(Retry::NewSnapshot));
            }
            absent.iter().for_each(|&key| partitions.expect(&state, key));
        }
        let mut loaded = load(self.conn()?, org, &absent)?;
        let state: &IndexState = &cache.index.lock();
        for (key, place) in absent.into_iter().zip(places) {
            let segment = loaded.remove(&key).unwrap_or_default();
            partitions.fill(state, key, Arc::clone(&segment), version);
            *place = Some(segment);
        }
        Ok(())
    }
}

type DocRow = (Id, TextEnum<Scope>, Id, Id, i64, Option<Vec<u8>>, Option<i32>, Option<Vec<u8>>, Option<bool>);

/// The segments of these shelves, those that have anything on them.
fn load(
    conn: &mut Conn,
    org: OrgId,
    keys: &[PartitionKey],
) -> Result<HashMap<PartitionKey, Arc<PartitionIndex>>, StoreError> {
    let mut alike: BTreeMap<(Scope, Option<WorkspaceId>), Vec<Id>> = BTreeMap::new();
    for key in keys {
        alike.entry((key.scope, key.team)).or_default().push(key.author.into());
    }
    let mut docs: HashMap<PartitionKey, Vec<Doc>> = HashMap::new();
    for ((scope, team), authors) in alike {
        for authors in authors.chunks(CHUNK) {
            let rows: Vec<DocRow> = memory_index::table
                .filter(memory_index::org_id.eq(Id::from(org)))
                .filter(memory_index::author_id.eq_any(authors))
                .filter(memory_index::scope.eq(TextEnum(scope)))
                .filter(memory_index::team_id.eq(Id::of_team(team)))
                .filter(memory_index::doc.is_not_null())
                .select(columns())
                .load(conn)
                .row_context("memory_index", org)?;
            for row in rows {
                let update = decode(org, row)?;
                docs.entry(update.partition).or_default().extend(update.doc);
            }
        }
    }
    Ok(docs.into_iter().map(|(key, docs)| (key, Arc::new(PartitionIndex::build(docs)))).collect())
}

/// What happened to the index after one version and until another, in order.
fn changes(conn: &mut Conn, org: OrgId, after: i64, until: i64) -> Result<Vec<IndexChange>, StoreError> {
    let rows: Vec<DocRow> = memory_index::table
        .filter(memory_index::org_id.eq(Id::from(org)))
        .filter(memory_index::org_version.gt(after))
        .filter(memory_index::org_version.le(until))
        .order(memory_index::org_version)
        .select(columns())
        .load(conn)
        .row_context("memory_index", org)?;
    let mut changes = Vec::with_capacity(rows.len());
    for row in rows {
        let update = IndexChange { since: after, ..decode(org, row)? };
        // what a new form takes the place of is gone
        changes.extend(update.doc.is_some().then(|| update.of_removal()));
        changes.push(update);
    }
    Ok(changes)
}

type Columns = (
    memory_index::author_id,
    memory_index::scope,
    memory_index::team_id,
    memory_index::memory_id,
    memory_index::org_version,
    memory_index::doc,
    memory_index::model,
    memory_index::vector,
    diesel::dsl::Eq<memory_index::folded, &'static str>,
);

fn columns() -> Columns {
    (
        memory_index::author_id,
        memory_index::scope,
        memory_index::team_id,
        memory_index::memory_id,
        memory_index::org_version,
        memory_index::doc,
        memory_index::model,
        memory_index::vector,
        // how a row says that what it had was taken out for good
        memory_index::folded.eq(""),
    )
}

fn decode(org: OrgId, row: DocRow) -> Result<IndexChange, StoreError> {
    let (author, TextEnum(scope), team, Id(memory), org_version, doc, model, vector, taken_out) = row;
    let doc = doc.map(|bytes| Doc::decode(&bytes)).transpose();
    let doc = doc.map_err(|error| StoreError::unreadable("memory_index", memory, error))?;
    let embeddings = embeddings(model, vector.as_deref())
        .map_err(|()| StoreError::unreadable("memory_index", memory, "its vectors are none"))?;
    let doc = doc.map(|doc| Doc { embeddings, ..doc });
    let partition = PartitionKey { author: author.workspace(), scope, team: team.team() };
    let is_taken_out = doc.is_none() && taken_out == Some(true);
    Ok(IndexChange { is_taken_out, ..IndexChange::new(org, partition, memory, org_version, doc) })
}

/// What the columns of the vectors say.
pub(crate) fn embeddings(model: Option<i32>, vector: Option<&[u8]>) -> Result<Option<Embeddings>, ()> {
    let Some((model, bytes)) = model.zip(vector) else { return Ok(None) };
    let vectors = Vector::decode_all(bytes).ok_or(())?;
    Ok(Some(Embeddings { model, vectors }))
}

//! Segments of partitions at this snapshot: from the cache or, on a miss, from the stored segments
//! and the index rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::{Doc, Embeddings, PartitionIndex, Vector};

use super::loading::LoadingPartitions;
use super::{Condition, Conn, Tx, TxKind, loaded_segments};
use crate::StoreError;
use crate::cache::{Effect, FoundPartition, IndexChange, IndexState, PartitionKey, Served, UseMark};
use crate::columns::{Id, PartitionScope, TextEnum};
use crate::engine::{Retry, RowContext};
use crate::schema::memory_index;

/// Authors per statement.
const CHUNK: usize = 500;

/// The condition of the index `memory_index_purged`: content was redacted or erased.
const PURGED: &str = "doc IS NULL AND folded = ''";

/// The largest number of versions by which an inline read advances the cache, as it must not block its thread.
const INLINE_CHANGES: i64 = 32;

/// The largest number of queued changes that an inline read applies to the cached partitions, for the same reason.
const INLINE_PENDING: usize = 32;

impl Tx<'_> {
    /// The segments of the partitions, in the order of `keys`, and their org version.
    pub(crate) fn segments(
        &mut self,
        org: OrgId,
        keys: &[PartitionKey],
    ) -> Result<(Vec<Arc<PartitionIndex>>, i64), StoreError> {
        if self.pending.index_changes.iter().any(|update| update.org == org) {
            // uncommitted changes must not enter the cache
            let mut loaded = load(self.drained()?, org, keys)?;
            let version = self.view(org)?.next_version();
            return Ok((keys.iter().map(|key| loaded.remove(key).unwrap_or_default()).collect(), version));
        }
        let version = self.freshen_index(org)?;
        let mark = self.core.caches.partitions.mark();
        let mut segments = self.cached_segments(org, keys, version)?;
        if segments.iter().any(Option::is_none) {
            if self.kind == TxKind::Inline {
                return Err(self.retry(Retry::OnBlockingPool));
            }
            let cache = self.view(org)?.cache.clone();
            let _loading = cache.loading_partitions.lock();
            // another thread may have loaded them meanwhile
            segments = self.cached_segments(org, keys, version)?;
            self.load_missing(org, keys, (version, mark), &mut segments)?;
        }
        let loaded = segments
            .into_iter()
            .zip(keys)
            .map(|(segment, key)| segment.ok_or_else(|| StoreError::unreadable("memory_index", key, "not loaded")));
        Ok((loaded.collect::<Result<_, _>>()?, version))
    }

    /// Advances the cached index to this snapshot, if it is older. Returns the version of the snapshot.
    fn freshen_index(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        let (cache, version, floor) = (view.cache.clone(), view.row.version, view.row.index_floor);
        loop {
            let mut state = cache.index.lock();
            let at = match state.version() {
                // a writer has locked the org, so a newer cache means that the database went back in time
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
            if self.kind == TxKind::Inline && version - at > INLINE_CHANGES {
                return Err(self.retry(Retry::OnBlockingPool));
            }
            let changes = changes(self.conn()?, org, at, version)?;
            cache.index.lock().advance(&self.core.caches.partitions, at, version, changes.into_iter());
        }
    }

    /// The cached segment of each partition, in the order of `keys`; none on a cache miss.
    fn cached_segments(
        &mut self,
        org: OrgId,
        keys: &[PartitionKey],
        version: i64,
    ) -> Result<Vec<Option<Arc<PartitionIndex>>>, StoreError> {
        let (cache, partitions) = (self.view(org)?.cache.clone(), &self.core.caches.partitions);
        let found: Vec<Option<FoundPartition>> = {
            // the writer waits for this lock, so no change is applied under it
            let state = cache.index.lock();
            keys.iter().map(|&key| partitions.find(&state, key)).collect()
        };
        if matches!(self.kind, TxKind::Memory | TxKind::Inline) && !is_quick(&found, version) {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let serve = |found: &Option<FoundPartition>| match found.as_ref().map(|found| partitions.serve(found, version))
        {
            Some(Served::With(segment)) => Ok(Some(segment)),
            Some(Served::Absent) | None => Ok(None),
            Some(Served::TooNew) => Err(self.retry(Retry::NewSnapshot)),
        };
        found.iter().map(serve).collect()
    }

    /// Loads the partitions that have no segment, and caches those for which there is room next to the others of this read,
    /// which began after `mark`.
    fn load_missing(
        &mut self,
        org: OrgId,
        keys: &[PartitionKey],
        (version, mark): (i64, UseMark),
        segments: &mut [Option<Arc<PartitionIndex>>],
    ) -> Result<(), StoreError> {
        let cache = self.view(org)?.cache.clone();
        let partitions = &self.core.caches.partitions;
        let missing = keys.iter().zip(segments).filter(|(_, segment)| segment.is_none());
        let (missing, slots): (Vec<PartitionKey>, Vec<&mut Option<Arc<PartitionIndex>>>) = missing.unzip();
        {
            let state = cache.index.lock();
            if state.version() != Some(version) {
                // the cache is past changes that the rows of this snapshot lack: a loaded segment would miss them
                return Err(self.retry(Retry::NewSnapshot));
            }
            missing.iter().for_each(|&key| partitions.expect(&state, key, mark));
        }
        let loaded_segments::LoadedSegments { by_key: mut loaded, is_damaged } =
            loaded_segments::load(self.conn()?, org, &missing)?;
        if is_damaged {
            self.core.caches.segment_backlog.lock().report_damage(org);
        }
        let others: Vec<PartitionKey> = missing.iter().copied().filter(|key| !loaded.contains_key(key)).collect();
        loaded.extend(load(self.conn()?, org, &others)?);
        let state: &IndexState = &cache.index.lock();
        let mut has_room = true;
        for (key, slot) in missing.into_iter().zip(slots) {
            let segment = loaded.remove(&key).unwrap_or_default();
            if has_room {
                has_room = partitions.fill(state, key, (Arc::clone(&segment), version), mark);
            } else {
                partitions.give_up(state, key);
            }
            *slot = Some(segment);
        }
        Ok(())
    }
}

/// Whether the partitions have so few changes to apply that the calling thread may apply them.
fn is_quick(found: &[Option<FoundPartition>], version: i64) -> bool {
    let mut pending = found.iter().flatten().map(|found| found.pending_until(version));
    pending.try_fold(0, |sum, count| Some(sum + count?)).is_some_and(|sum| sum <= INLINE_PENDING)
}

type DocRow = (Id, TextEnum<PartitionScope>, Id, Id, i64, Option<Vec<u8>>, Option<i32>, Option<Vec<u8>>, Option<bool>);

/// The segments of the partitions, without empty ones, from all their rows.
fn load(
    conn: &mut Conn,
    org: OrgId,
    keys: &[PartitionKey],
) -> Result<HashMap<PartitionKey, Arc<PartitionIndex>>, StoreError> {
    let mut groups: BTreeMap<(TextEnum<PartitionScope>, Option<WorkspaceId>), Vec<Id>> = BTreeMap::new();
    for key in keys {
        groups.entry((key.row_scope(), key.team)).or_default().push(key.author.into());
    }
    let mut loading = LoadingPartitions::default();
    for ((scope, team), authors) in groups {
        for authors in authors.chunks(CHUNK) {
            let rows = memory_index::table
                .filter(memory_index::org_id.eq(Id::from(org)))
                .filter(memory_index::author_id.eq_any(authors))
                .filter(memory_index::scope.eq(scope))
                .filter(memory_index::team_id.eq(Id::of_team(team)))
                .filter(memory_index::doc.is_not_null())
                .select(columns())
                .load_iter::<DocRow, DefaultLoadingMode>(conn)
                .row_context("memory_index", org)?;
            for row in rows {
                loading.push(decode(org, row.row_context("memory_index", org)?)?);
            }
        }
    }
    Ok(loading.finish().into_iter().map(|(key, index)| (key, Arc::new(index))).collect())
}

/// The index changes of the whole org after version `after`, up to `until`, in order.
pub(super) fn changes(conn: &mut Conn, org: OrgId, after: i64, until: i64) -> Result<Vec<IndexChange>, StoreError> {
    let mut changes = Vec::new();
    for_each_change(conn, (org, None), after, until, |change| changes.push(change))?;
    Ok(changes)
}

/// Passes on the index changes after version `after`, up to `until`, in order: of the whole org, or of some partitions.
pub(super) fn for_each_change(
    conn: &mut Conn,
    (org, partitions): (OrgId, Option<&BTreeSet<PartitionKey>>),
    after: i64,
    until: i64,
    mut pass_on: impl FnMut(IndexChange),
) -> Result<(), StoreError> {
    let rows = memory_index::table
        .filter(memory_index::org_id.eq(Id::from(org)))
        .filter(memory_index::org_version.gt(after))
        .filter(memory_index::org_version.le(until))
        .order(memory_index::org_version)
        .select(columns())
        .load_iter::<DocRow, DefaultLoadingMode>(conn)
        .row_context("memory_index", org)?;
    for row in rows {
        let row = row.row_context("memory_index", org)?;
        let (author, scope, team, ..) = &row;
        if partitions.is_some_and(|wanted| !wanted.contains(&PartitionKey::of_row(*author, *scope, *team))) {
            continue;
        }
        let update = IndexChange { since: after, ..decode(org, row)? };
        if let Effect::Add(doc) = &update.effect {
            // it replaces the previous document, if any
            let effect = Effect::Remove(doc.meta.id);
            pass_on(IndexChange { effect, ..update });
        }
        pass_on(update);
    }
    Ok(())
}

/// The purges after version `after`.
pub(super) fn purges(conn: &mut Conn, org: OrgId, after: i64) -> Result<Vec<IndexChange>, StoreError> {
    let rows: Vec<DocRow> = memory_index::table
        .filter(memory_index::org_id.eq(Id::from(org)))
        .filter(memory_index::org_version.gt(after))
        .filter(Condition(PURGED))
        .order(memory_index::org_version)
        .select(columns())
        .load(conn)
        .row_context("memory_index", org)?;
    rows.into_iter().map(|row| decode(org, row)).collect()
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
        // marks a row whose document was redacted or erased
        memory_index::folded.eq(""),
    )
}

fn decode(org: OrgId, row: DocRow) -> Result<IndexChange, StoreError> {
    let (author, scope, team, Id(memory), org_version, doc, model, vector, taken_out) = row;
    let doc = doc.map(|bytes| Doc::decode(&bytes)).transpose();
    let doc = doc.map_err(|error| StoreError::unreadable("memory_index", memory, error))?;
    let embeddings = embeddings(model, vector.as_deref())
        .map_err(|()| StoreError::unreadable("memory_index", memory, "its vectors cannot be decoded"))?;
    let doc = doc.map(|doc| Doc { embeddings, ..doc });
    let partition = PartitionKey::of_row(author, scope, team);
    let effect = match doc {
        Some(doc) => Effect::Add(Box::new(doc)),
        None if taken_out == Some(true) => Effect::Purge(memory),
        None => Effect::Remove(memory),
    };
    Ok(IndexChange::new(org, partition, org_version, effect))
}

/// Decodes the columns `model` and `vector`. An error means that the bytes are not a list of vectors.
pub(crate) fn embeddings(model: Option<i32>, vector: Option<&[u8]>) -> Result<Option<Embeddings>, ()> {
    let Some((model, bytes)) = model.zip(vector) else { return Ok(None) };
    let vectors = Vector::decode_all(bytes).ok_or(())?;
    Ok(Some(Embeddings { model, vectors }))
}

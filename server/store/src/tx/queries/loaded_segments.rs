//! Partitions for a search, from the stored segments and the index rows beyond.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::{LiveSegment, PartitionIndex, SegmentError};

use super::Conn;
use super::loading::LoadingPartitions;
use super::segments::for_each_change;
use super::stored_segments::progress;
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, PartitionScope, SharedBytes, TextEnum};
use crate::contract::StoredSegment;
use crate::engine::RowContext;
use crate::schema::{memory_index, memory_partitions, memory_segments};

/// Authors per statement.
const CHUNK: usize = 500;

/// Partitions that were loaded from segments.
#[derive(Default)]
pub(super) struct LoadedSegments {
    pub(super) by_key: HashMap<PartitionKey, Arc<PartitionIndex>>,
    /// Whether a segment is missing, damaged or of another version. Its partition is not in `by_key`.
    pub(super) is_damaged: bool,
}

type DataRow = (Id, TextEnum<PartitionScope>, Id, i64, Vec<u8>, SharedBytes);

/// The partitions, from segments and the rows beyond. None of them if the org has no segments, or if the partitions have
/// fewer rows than there are beyond.
pub(super) fn load(conn: &mut Conn, org: OrgId, keys: &[PartitionKey]) -> Result<LoadedSegments, StoreError> {
    let org_id = Id::from(org);
    let Some(progress) = progress(conn, org)? else { return Ok(LoadedSegments::default()) };
    let live = live_counts(conn, org, keys)?;
    let rows: i64 = keys.iter().filter_map(|key| live.get(key)).sum();
    let has_long_tail = memory_index::table
        .filter(memory_index::org_id.eq(org_id))
        .filter(memory_index::org_version.gt(progress))
        .order(memory_index::org_version)
        .offset(rows)
        .select(memory_index::org_version)
        .first::<i64>(conn)
        .optional()
        .row_context("memory_index", org)?;
    if has_long_tail.is_some() {
        return Ok(LoadedSegments::default());
    }
    let wanted: BTreeSet<PartitionKey> = keys.iter().copied().collect();
    let mut segments: HashMap<PartitionKey, Vec<LiveSegment>> = HashMap::new();
    let mut damaged: BTreeSet<PartitionKey> = BTreeSet::new();
    let key = PartitionKey::of_row;
    let mut by_kind: BTreeMap<(TextEnum<PartitionScope>, Option<WorkspaceId>), Vec<Id>> = BTreeMap::new();
    for key in &wanted {
        by_kind.entry((key.row_scope(), key.team)).or_default().push(key.author.into());
    }
    for ((scope, team), authors) in by_kind {
        for authors in authors.chunks(CHUNK) {
            let rows = memory_segments::table
                .filter(memory_segments::org_id.eq(org_id))
                .filter(memory_segments::author_id.eq_any(authors))
                .filter(memory_segments::scope.eq(scope))
                .filter(memory_segments::team_id.eq(Id::of_team(team)))
                .select((
                    memory_segments::author_id,
                    memory_segments::scope,
                    memory_segments::team_id,
                    memory_segments::number,
                    memory_segments::deleted,
                    memory_segments::data,
                ))
                .load_iter::<DataRow, DefaultLoadingMode>(conn)
                .row_context("memory_segments", org)?;
            for row in rows {
                let (author, scope, team, number, deleted, SharedBytes(data)) =
                    row.row_context("memory_segments", org)?;
                let key = key(author, scope, team);
                match (StoredSegment { number, deleted, data }).read() {
                    Ok(segment) => segments.entry(key).or_default().push(segment),
                    Err(error) => {
                        // the job that writes them again reports another version once for the org
                        if !matches!(error, SegmentError::Version(_)) {
                            tracing::warn!(%error, ?key, number, "a segment is damaged; its partition is loaded from its rows");
                        }
                        damaged.insert(key);
                    }
                }
            }
        }
    }
    let sound: BTreeSet<PartitionKey> = wanted.difference(&damaged).copied().collect();
    let mut loading = LoadingPartitions::default();
    for &key in &sound {
        loading.begin_with(key, PartitionIndex::of_segments(segments.remove(&key).unwrap_or_default()));
    }
    for_each_change(conn, (org, Some(&sound)), progress, i64::MAX, |change| loading.push(change))?;
    let mut loaded = LoadedSegments { by_key: HashMap::new(), is_damaged: !damaged.is_empty() };
    for (key, index) in loading.finish() {
        let expected = live.get(&key).copied().unwrap_or(0);
        let found = index.len();
        if i64::try_from(found) == Ok(expected) {
            loaded.by_key.insert(key, Arc::new(index));
        } else {
            tracing::warn!(?key, expected, found, "segments are incomplete; their partition is loaded from its rows");
            loaded.is_damaged = true;
        }
    }
    Ok(loaded)
}

/// The number of memories of each partition of the authors.
fn live_counts(conn: &mut Conn, org: OrgId, keys: &[PartitionKey]) -> Result<HashMap<PartitionKey, i64>, StoreError> {
    let authors: BTreeSet<WorkspaceId> = keys.iter().map(|key| key.author).collect();
    let authors: Vec<Id> = authors.into_iter().map(Id::from).collect();
    let mut live = HashMap::new();
    for authors in authors.chunks(CHUNK) {
        let rows: Vec<(Id, TextEnum<PartitionScope>, Id, i64)> = memory_partitions::table
            .filter(memory_partitions::org_id.eq(Id::from(org)))
            .filter(memory_partitions::author_id.eq_any(authors))
            .select((
                memory_partitions::author_id,
                memory_partitions::scope,
                memory_partitions::team_id,
                memory_partitions::live_count,
            ))
            .load(conn)
            .row_context("memory_partitions", org)?;
        let keyed = |(author, scope, team, live)| (PartitionKey::of_row(author, scope, team), live);
        live.extend(rows.into_iter().map(keyed));
    }
    Ok(live)
}

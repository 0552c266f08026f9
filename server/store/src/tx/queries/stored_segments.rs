//! Segments of the index in the database, which a search loads instead of the index rows.
//!
//! The segments of an org have the state of its index at one version; the index rows beyond are applied to them. A job
//! writes them, so a commit does nothing for them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::upsert::excluded;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::{LiveSegment, MERGE_FACTOR};

use super::segments::{changes, purges};
use super::{Conn, Tx};
use crate::StoreError;
use crate::cache::{Effect, IndexChange, PartitionKey};
use crate::columns::{Id, PartitionScope, SharedBytes, TextEnum, row_limit};
use crate::contract::{PartitionUpdate, PartitionWork, SegmentState, SegmentUpdate, SegmentWork, StoredSegment};
use crate::engine::RowContext;
use crate::schema::{memory_index, memory_segments, orgs, segment_progress};

/// Authors per statement.
const CHUNK: usize = 500;

/// An org with fewer changes gets no segments: they are read as rows.
const MIN_CHANGES: usize = 32;

/// The size of segments that are changed at once.
const MAX_BYTES: i64 = 32 << 20;

/// A segment without its content.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = memory_segments)]
struct SegmentHead {
    author_id: Id,
    scope: TextEnum<PartitionScope>,
    team_id: Id,
    number: i64,
    first_id: Id,
    last_id: Id,
    live: i64,
    size_bytes: i64,
}

impl SegmentHead {
    fn key(&self) -> PartitionKey {
        PartitionKey::of_row(self.author_id, self.scope, self.team_id)
    }

    fn tier(&self) -> Option<u32> {
        LiveSegment::tier_of(usize::try_from(self.live).ok()?, usize::try_from(self.size_bytes).ok()?)
    }
}

/// A row of `memory_segments`.
#[derive(Insertable)]
#[diesel(table_name = memory_segments)]
struct SegmentRow<'s> {
    org_id: Id,
    author_id: Id,
    scope: TextEnum<PartitionScope>,
    team_id: Id,
    number: i64,
    first_id: Id,
    last_id: Id,
    live: i64,
    size_bytes: i64,
    deleted: Vec<u8>,
    data: &'s [u8],
}

impl Tx<'_> {
    pub(crate) fn orgs_behind_segments(&mut self) -> Result<Vec<(OrgId, i64)>, StoreError> {
        let rows: Vec<(Id, i64)> = orgs::table
            .left_join(segment_progress::table.on(segment_progress::org_id.eq(orgs::org_id)))
            .filter(orgs::last_seq.gt(0))
            .filter(segment_progress::org_version.is_null().or(segment_progress::org_version.lt(orgs::version)))
            .select((orgs::org_id, orgs::version))
            .load(self.conn()?)
            .row_context("orgs", "behind their segments")?;
        Ok(rows.into_iter().map(|(org, version)| (org.org(), version)).collect())
    }

    pub(crate) fn segment_work(&mut self, org: OrgId, most: usize) -> Result<Option<SegmentWork>, StoreError> {
        let row = &self.view(org)?.row;
        let (version, floor) = (row.version, row.index_floor);
        let is_damaged = self.core.caches.segment_backlog.lock().is_damaged(org);
        let conn = self.conn()?;
        let progress = progress(conn, org)?;
        let state = SegmentState { org, progress, floor };
        if is_damaged {
            return Ok(Some(SegmentWork { state, until: None, partitions: Vec::new(), has_more: true }));
        }
        let after = progress.unwrap_or(0);
        let waiting: Vec<i64> = memory_index::table
            .filter(memory_index::org_id.eq(Id::from(org)))
            .filter(memory_index::org_version.gt(after))
            .order(memory_index::org_version)
            .limit(row_limit(most))
            .select(memory_index::org_version)
            .load(conn)
            .row_context("memory_index", org)?;
        let enough = if progress.is_some() { 1 } else { MIN_CHANGES };
        if waiting.len() < enough {
            self.core.caches.segment_backlog.lock().examined(org, version);
            return Ok(None);
        }
        // all changes of a version are written at once; the last version may be incomplete
        let last = waiting.last().copied().unwrap_or(version);
        let mut until = if waiting.len() < most { version } else { (last - 1).max(after) };
        if until == after {
            until = last;
        }
        let mut by_partition: BTreeMap<PartitionKey, Vec<IndexChange>> = BTreeMap::new();
        let mut rows = changes(conn, org, after, until)?;
        if waiting.len() >= most {
            // the removal of content must not wait for a backlog
            rows.extend(purges(conn, org, until)?);
        }
        for change in rows {
            by_partition.entry(change.partition).or_default().push(change);
        }
        let mut heads = heads(conn, org, by_partition.keys())?;
        let mut partitions = Vec::with_capacity(by_partition.len());
        let mut bytes = 0;
        for (key, changes) in by_partition {
            let heads = heads.remove(&key).unwrap_or_default();
            let merged = to_merge(&heads);
            let is_changed = |head: &SegmentHead| {
                changes.iter().any(|change| match change.effect {
                    Effect::Remove(id) | Effect::Purge(id) => head.first_id.0 <= id && id <= head.last_id.0,
                    Effect::Add(_) | Effect::PurgeAll => false,
                })
            };
            let wanted = heads.iter().filter(|head| merged.contains(&head.number) || is_changed(head));
            bytes += wanted.clone().map(|head| head.size_bytes).sum::<i64>();
            if bytes > MAX_BYTES && most > MIN_CHANGES && waiting.len() > MIN_CHANGES {
                return self.segment_work(org, (most / 4).max(MIN_CHANGES));
            }
            let next = heads.iter().map(|head| head.number + 1).max().unwrap_or(0);
            let numbers: Vec<i64> = wanted.map(|head| head.number).collect();
            let stored = stored(self.conn()?, org, key, &numbers)?;
            partitions.push(PartitionWork { key, changes, stored, merged, next });
        }
        Ok(Some(SegmentWork { state, until: Some(until), partitions, has_more: until < last || waiting.len() >= most }))
    }

    pub(crate) fn put_segments(&mut self, update: &SegmentUpdate) -> Result<bool, StoreError> {
        let SegmentUpdate { state: SegmentState { org, progress: from, floor }, until, partitions } = update;
        let (org, org_id) = (*org, Id::from(*org));
        let is_current = self.view(org)?.row.index_floor == *floor && progress(self.drained()?, org)? == *from;
        if !is_current {
            return Ok(false);
        }
        let conn = self.writing()?;
        let Some(until) = until else {
            diesel::delete(memory_segments::table.filter(memory_segments::org_id.eq(org_id))).execute(conn)?;
            diesel::delete(segment_progress::table.find(org_id)).execute(conn)?;
            self.pending.deleted_from.push("memory_segments");
            self.core.caches.segment_backlog.lock().repaired(org);
            return Ok(true);
        };
        for PartitionUpdate { key, gone, masked, added, .. } in partitions {
            let (author_id, scope, team_id) = (Id::from(key.author), key.row_scope(), Id::of_team(key.team));
            let row = |number: i64| memory_segments::table.find((org_id, author_id, scope, team_id, number));
            for &number in gone {
                diesel::delete(row(number)).execute(conn)?;
            }
            for (number, segment) in masked {
                let columns = (
                    memory_segments::live.eq(count(segment.len())),
                    memory_segments::deleted.eq(segment.deleted_bytes()),
                );
                diesel::update(row(*number)).set(columns).execute(conn)?;
            }
            for (number, segment) in added {
                let Some((first, last)) = segment.id_range() else { continue };
                let row = SegmentRow {
                    org_id,
                    author_id,
                    scope,
                    team_id,
                    number: *number,
                    first_id: Id(first),
                    last_id: Id(last),
                    live: count(segment.len()),
                    size_bytes: count(segment.bytes().len()),
                    deleted: segment.deleted_bytes(),
                    data: segment.bytes(),
                };
                diesel::insert_into(memory_segments::table).values(row).execute(conn)?;
            }
        }
        diesel::insert_into(segment_progress::table)
            .values((segment_progress::org_id.eq(org_id), segment_progress::org_version.eq(*until)))
            .on_conflict(segment_progress::org_id)
            .do_update()
            .set(segment_progress::org_version.eq(excluded(segment_progress::org_version)))
            .execute(conn)?;
        // copies of content that is still in the index are no residue
        if partitions.iter().any(|partition| partition.is_purged) {
            self.pending.deleted_from.push("memory_segments");
        }
        Ok(true)
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The segments of a tier that is full, if there is one.
fn to_merge(heads: &[SegmentHead]) -> Vec<i64> {
    let mut by_tier: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for head in heads {
        if let Some(tier) = head.tier() {
            by_tier.entry(tier).or_default().push(head.number);
        }
    }
    by_tier.into_values().find(|numbers| numbers.len() >= MERGE_FACTOR as usize).unwrap_or_default()
}

/// The version of the segments of an org; none if there are none.
pub(super) fn progress(conn: &mut Conn, org: OrgId) -> Result<Option<i64>, StoreError> {
    let progress = segment_progress::table.find(Id::from(org)).select(segment_progress::org_version);
    progress.first(conn).optional().row_context("segment_progress", org)
}

fn heads<'k>(
    conn: &mut Conn,
    org: OrgId,
    keys: impl Iterator<Item = &'k PartitionKey>,
) -> Result<HashMap<PartitionKey, Vec<SegmentHead>>, StoreError> {
    let authors: BTreeSet<WorkspaceId> = keys.map(|key| key.author).collect();
    let authors: Vec<Id> = authors.into_iter().map(Id::from).collect();
    let mut by_key: HashMap<PartitionKey, Vec<SegmentHead>> = HashMap::new();
    for authors in authors.chunks(CHUNK) {
        let heads: Vec<SegmentHead> = memory_segments::table
            .filter(memory_segments::org_id.eq(Id::from(org)))
            .filter(memory_segments::author_id.eq_any(authors))
            .select(SegmentHead::as_select())
            .load(conn)
            .row_context("memory_segments", org)?;
        for head in heads {
            by_key.entry(head.key()).or_default().push(head);
        }
    }
    Ok(by_key)
}

fn stored(conn: &mut Conn, org: OrgId, key: PartitionKey, numbers: &[i64]) -> Result<Vec<StoredSegment>, StoreError> {
    let row = |number: i64| {
        let (author, scope, team) = (Id::from(key.author), key.row_scope(), Id::of_team(key.team));
        memory_segments::table.find((Id::from(org), author, scope, team, number))
    };
    let mut stored = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let columns = (memory_segments::deleted, memory_segments::data);
        let (deleted, SharedBytes(data)) =
            row(number).select(columns).first(conn).row_context("memory_segments", number)?;
        stored.push(StoredSegment { number, deleted, data });
    }
    Ok(stored)
}

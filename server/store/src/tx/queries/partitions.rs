//! The number of live memories, the bytes and the time of the last write of each partition.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};

use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use super::{Tx, one_of};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, PartitionScope, TextEnum, Time};
use crate::contract::{ItemType, MemoryCounts, PartitionCount};
use crate::engine::RowContext;
use crate::schema::{memory_index, memory_partitions};

/// Authors per statement.
const CHUNK: usize = 10_000;

/// The change of a partition by one write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartitionDelta {
    pub(crate) org: OrgId,
    pub(crate) partition: PartitionKey,
    pub(crate) version: i64,
    pub(crate) live: i64,
    pub(crate) bytes: i64,
    /// None if the write removed a memory.
    pub(crate) written_at: Option<Time>,
}

/// A row of `memory_partitions`, or the increment of one.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = memory_partitions, treat_none_as_default_value = false)]
struct PartitionRow {
    org_id: Id,
    author_id: Id,
    scope: TextEnum<PartitionScope>,
    team_id: Id,
    live_count: i64,
    version: i64,
    last_write_at: Time,
    bytes: i64,
}

/// Sums the changes of each partition and writes the sums.
pub(crate) fn add(out: &mut Outgoing<'_>, deltas: &[PartitionDelta]) -> Result<(), StoreError> {
    let mut sums: BTreeMap<(OrgId, PartitionKey), PartitionDelta> = BTreeMap::new();
    for delta in deltas {
        let sum = sums.entry((delta.org, delta.partition)).or_insert(PartitionDelta { live: 0, bytes: 0, ..*delta });
        sum.live += delta.live;
        sum.bytes += delta.bytes;
        sum.version = sum.version.max(delta.version);
        sum.written_at = sum.written_at.max(delta.written_at);
    }
    let mut added = Vec::with_capacity(sums.len());
    for PartitionDelta { org, partition, version, live, bytes, written_at } in sums.into_values() {
        let (org_id, author_id, scope, team_id) =
            (Id::from(org), Id::from(partition.author), partition.row_scope(), Id::of_team(partition.team));
        match written_at {
            Some(last_write_at) => {
                added.push(PartitionRow {
                    org_id,
                    author_id,
                    scope,
                    team_id,
                    live_count: live,
                    version,
                    last_write_at,
                    bytes,
                });
            }
            None => {
                let decrement = (
                    memory_partitions::live_count.eq(memory_partitions::live_count + live),
                    memory_partitions::version.eq(version),
                    memory_partitions::bytes.eq(memory_partitions::bytes + bytes),
                );
                diesel::update(memory_partitions::table.find((org_id, author_id, scope, team_id)))
                    .set(decrement)
                    .execute(out.conn)?;
            }
        }
    }
    let on_conflict = " ON CONFLICT (org_id, author_id, scope, team_id) DO UPDATE SET \
        live_count = memory_partitions.live_count + excluded.live_count, version = excluded.version, \
        bytes = memory_partitions.bytes + excluded.bytes, last_write_at = excluded.last_write_at";
    write_rows!(out, added, rows => Upsert { insert: diesel::insert_into(memory_partitions::table).values(rows), on_conflict });
    Ok(())
}

impl Tx<'_> {
    /// The partitions of an author with live memories.
    pub(crate) fn partitions_of(&mut self, org: OrgId, author: WorkspaceId) -> Result<Arc<[PartitionKey]>, StoreError> {
        let view = self.view(org)?;
        let (cache, version) = (view.cache.clone(), view.row.version);
        let has_own_changes = view.changes.row_delta.is_touched();
        if !has_own_changes && let Some(known) = cache.partitions.known(version, &[author]).remove(&author) {
            return Ok(known);
        }
        let rows: Vec<(TextEnum<PartitionScope>, Id)> = memory_partitions::table
            .filter(memory_partitions::org_id.eq(Id::from(org)))
            .filter(memory_partitions::author_id.eq(Id::from(author)))
            .filter(memory_partitions::live_count.gt(0))
            .order((memory_partitions::scope, memory_partitions::team_id))
            .select((memory_partitions::scope, memory_partitions::team_id))
            .load(self.drained()?)
            .row_context("memory_partitions", author)?;
        let key = |(scope, team): (_, Id)| PartitionKey::of_row(author.into(), scope, team);
        let found: Arc<[PartitionKey]> = rows.into_iter().map(key).collect();
        if !has_own_changes {
            cache.partitions.keep(version, HashMap::from([(author, Arc::clone(&found))]));
            self.core.caches.weigh(org, &cache);
        }
        Ok(found)
    }

    /// The number of live memories of each author, without expired ones that await the sweep.
    pub(crate) fn counts_of(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<HashMap<WorkspaceId, MemoryCounts>, StoreError> {
        let mut counts: HashMap<WorkspaceId, MemoryCounts> = HashMap::new();
        for (partition, (live, last_write_at)) in self.live_counts(org, authors)? {
            let counts = counts.entry(partition.author).or_default();
            *counts.of(partition.scope) += live;
            counts.last_write_at = counts.last_write_at.max(Some(last_write_at.0));
        }
        Ok(counts)
    }

    /// The same counts by partition, without empty partitions.
    pub(crate) fn partition_counts_of(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<Vec<PartitionCount>, StoreError> {
        let live = self.live_counts(org, authors)?.into_iter().filter(|(_, (memories, _))| *memories > 0);
        let count = |(PartitionKey { author, scope, team, .. }, (memories, _))| PartitionCount {
            author,
            scope,
            team,
            memories,
        };
        Ok(live.map(count).collect())
    }

    /// The number of live memories and the time of the last write of each partition of memories.
    pub(super) fn live_counts(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<HashMap<PartitionKey, (i64, Time)>, StoreError> {
        let (now, org) = (Time(self.now), Id::from(org));
        let conn = self.drained()?;
        let mut live: HashMap<PartitionKey, (i64, Time)> = HashMap::new();
        for authors in authors.chunks(CHUNK) {
            let authors: Vec<Id> = authors.iter().copied().map(Id::from).collect();
            let partitions: Vec<(Id, TextEnum<PartitionScope>, Id, i64, Time)> = memory_partitions::table
                .filter(memory_partitions::org_id.eq(org))
                .filter(one_of(memory_partitions::author_id, &authors))
                .select((
                    memory_partitions::author_id,
                    memory_partitions::scope,
                    memory_partitions::team_id,
                    memory_partitions::live_count,
                    memory_partitions::last_write_at,
                ))
                .load(conn)
                .row_context("memory_partitions", org)?;
            let keyed = partitions.into_iter().map(|(author, scope, team, count, last_write_at)| {
                (PartitionKey::of_row(author, scope, team), (count, last_write_at))
            });
            live.extend(keyed.filter(|(key, _)| key.items == ItemType::Memory));
        }
        // without a condition on the authors, by which SQLite would read all index rows of these
        let expired: Vec<(Id, TextEnum<PartitionScope>, Id)> = memory_index::table
            .filter(memory_index::org_id.eq(org))
            .filter(memory_index::expires_at.le(now))
            .select((memory_index::author_id, memory_index::scope, memory_index::team_id))
            .load(conn)
            .row_context("memory_index", org)?;
        for (author, scope, team) in expired {
            if let Some((count, _)) = live.get_mut(&PartitionKey::of_row(author, scope, team)) {
                *count -= 1;
            }
        }
        Ok(live)
    }
}

//! Statistics of orgs and of the server.

use std::collections::HashMap;

use diesel::dsl::{count_star, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use orgmem_hierarchy::OrgId;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, PartitionScope, TextEnum, Time};
use crate::contract::{ItemType, MemoryCounts, OrgSummary, Stats};
use crate::engine::RowContext;
use crate::schema::{entries, episodes, memory_index, memory_partitions, workspaces};

impl Tx<'_> {
    pub(crate) fn summaries(&mut self) -> Result<Vec<OrgSummary>, StoreError> {
        let roots: Vec<(Id, String, Time)> = workspaces::table
            .filter(workspaces::parent_id.is_null())
            .filter(workspaces::removed_at.is_null())
            .order((workspaces::created_at, workspaces::org_id))
            .select((workspaces::org_id, workspaces::name, workspaces::created_at))
            .load(self.drained()?)
            .row_context("workspaces", "roots")?;
        let live: Vec<(Id, i64)> = workspaces::table
            .filter(workspaces::removed_at.is_null())
            .group_by(workspaces::org_id)
            .select((workspaces::org_id, count_star()))
            .load(self.conn()?)?;
        let live: HashMap<OrgId, i64> = live.into_iter().map(|(org, count)| (org.org(), count)).collect();
        let memories = self.memories_by_org()?;
        let summary = |(org, name, created_at): (Id, String, Time)| OrgSummary {
            org: org.org(),
            name,
            workspaces: live.get(&org.org()).copied().unwrap_or_default(),
            memories: memories.get(&org.org()).copied().unwrap_or_default(),
            created_at: created_at.0,
        };
        Ok(roots.into_iter().map(summary).collect())
    }

    pub(crate) fn count_all(&mut self) -> Result<Stats, StoreError> {
        let now = Time(self.now);
        let summaries = self.summaries()?;
        let is_live = entries::value.is_not_null().and(entries::expires_at.is_null().or(entries::expires_at.gt(now)));
        let mut stats = Stats {
            entries: entries::table.filter(is_live).count().get_result(self.conn()?)?,
            episodes: episodes::table.count().get_result(self.conn()?)?,
            size_bytes: diesel::select(sql::<BigInt>(super::SIZE_IN_BYTES)).get_result(self.conn()?)?,
            ..Stats::default()
        };
        for org in summaries {
            stats.orgs += 1;
            stats.workspaces += org.workspaces;
            stats.memories.local += org.memories.local;
            stats.memories.team += org.memories.team;
            stats.memories.global += org.memories.global;
            stats.memories.last_write_at = stats.memories.last_write_at.max(org.memories.last_write_at);
        }
        Ok(stats)
    }

    /// The number of live memories of live workspaces, without expired ones that await the sweep.
    fn memories_by_org(&mut self) -> Result<HashMap<OrgId, MemoryCounts>, StoreError> {
        let author =
            workspaces::org_id.eq(memory_partitions::org_id).and(workspaces::id.eq(memory_partitions::author_id));
        let partitions: Vec<(Id, TextEnum<PartitionScope>, i64, Option<Time>)> = memory_partitions::table
            .inner_join(workspaces::table.on(author))
            .filter(workspaces::removed_at.is_null())
            .group_by((memory_partitions::org_id, memory_partitions::scope))
            .select((
                memory_partitions::org_id,
                memory_partitions::scope,
                sql::<BigInt>("CAST(SUM(live_count) AS BIGINT)"),
                diesel::dsl::max(memory_partitions::last_write_at),
            ))
            .load(self.conn()?)
            .row_context("memory_partitions", "sums")?;
        let author = workspaces::org_id.eq(memory_index::org_id).and(workspaces::id.eq(memory_index::author_id));
        let expired: Vec<(Id, TextEnum<PartitionScope>, i64)> = memory_index::table
            .inner_join(workspaces::table.on(author))
            .filter(workspaces::removed_at.is_null())
            .filter(memory_index::expires_at.le(Time(self.now)))
            .group_by((memory_index::org_id, memory_index::scope))
            .select((memory_index::org_id, memory_index::scope, count_star()))
            .load(self.conn()?)
            .row_context("memory_index", "expired")?;
        let mut counts: HashMap<OrgId, MemoryCounts> = HashMap::new();
        let is_memories = |scope: &TextEnum<PartitionScope>| scope.0.items == ItemType::Memory;
        for (org, TextEnum(PartitionScope { scope, .. }), live, last_write_at) in
            partitions.into_iter().filter(|row| is_memories(&row.1))
        {
            let counts = counts.entry(org.org()).or_default();
            *counts.of(scope) += live;
            counts.last_write_at = counts.last_write_at.max(last_write_at.map(|at| at.0));
        }
        for (org, TextEnum(PartitionScope { scope, .. }), count) in
            expired.into_iter().filter(|row| is_memories(&row.1))
        {
            *counts.entry(org.org()).or_default().of(scope) -= count;
        }
        Ok(counts)
    }
}

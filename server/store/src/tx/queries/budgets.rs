//! Budgets, and the counters of what is used of each.
//!
//! A counter covers the workspaces whose last place is below its holder, so a removed workspace counts until its content is
//! erased. A write changes the counters of all holders above its author in its own transaction; a move and a new budget sum
//! the partitions once.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules::{Budget, BudgetLimit, BudgetUse, StoredSize};
use orgmem_policies::{BudgetPass, TreePass};

use super::insert::Outgoing;
use super::partitions::PartitionDelta;
use super::{Conn, Tx};
use crate::StoreError;
use crate::cache::{PartitionKey, Versioned};
use crate::columns::{Id, PartitionScope, TextEnum, sql as sql_types};
use crate::contract::{AuditRecord, Budgets, ItemType, MovedSize};
use crate::engine::RowContext;
use crate::schema::{budgets, memory_partitions, memory_versions};

/// Holders per statement.
const CHUNK: usize = 10_000;

/// Pages, which count for no budget.
const PAGES: TextEnum<PartitionScope> = TextEnum(PartitionScope { scope: Scope::Local, items: ItemType::Page });

/// Bytes that an earlier version counts for budgets.
const VERSION_BYTES: &str = "CAST(OCTET_LENGTH(content) + COALESCE(OCTET_LENGTH(title), 0) + OCTET_LENGTH(tags) \
    + COALESCE(OCTET_LENGTH(metadata), 0) AS BIGINT)";

/// A condition on rows of `memory_versions`.
type VersionPredicate =
    Box<dyn BoxableExpression<memory_versions::table, <Conn as diesel::Connection>::Backend, SqlType = Bool>>;

/// The change of a counter by one write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BudgetDelta {
    org: OrgId,
    holder: WorkspaceId,
    size: StoredSize,
}

/// A row of `budgets`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = budgets, treat_none_as_default_value = false)]
struct BudgetRow {
    org_id: Id,
    workspace_id: Id,
    memories: Option<i64>,
    bytes: Option<i64>,
    writes_per_minute: Option<i64>,
    searches_per_minute: Option<i64>,
    embeddings_per_day: Option<i64>,
    used_memories: i64,
    used_bytes: i64,
}

impl BudgetRow {
    fn budget(&self) -> Budget {
        Budget {
            memories: self.memories,
            bytes: self.bytes,
            writes_per_minute: self.writes_per_minute,
            searches_per_minute: self.searches_per_minute,
            embeddings_per_day: self.embeddings_per_day,
        }
    }
}

/// Sums the changes of each counter and writes the sums.
pub(crate) fn add(out: &mut Outgoing<'_>, deltas: &[BudgetDelta]) -> Result<(), StoreError> {
    let mut sums: BTreeMap<(OrgId, WorkspaceId), StoredSize> = BTreeMap::new();
    for BudgetDelta { org, holder, size } in deltas {
        let sum = sums.entry((*org, *holder)).or_default();
        *sum = plus(*sum, *size);
    }
    for ((org, holder), size) in sums {
        diesel::update(budgets::table.find((Id::from(org), Id::from(holder))))
            .set((
                budgets::used_memories.eq(budgets::used_memories + size.memories),
                budgets::used_bytes.eq(budgets::used_bytes + size.bytes),
            ))
            .execute(out.conn)?;
    }
    Ok(())
}

impl Tx<'_> {
    pub(crate) fn budgets(&mut self, org: OrgId) -> Result<Arc<Budgets>, StoreError> {
        let view = self.view(org)?;
        let (cache, version, has_own_changes) = (view.cache.clone(), view.row.profile_version, view.changes.profiles);
        if has_own_changes {
            return load(self.conn()?, org).map(Arc::new);
        }
        if version == 0 {
            return Ok(Arc::default());
        }
        if let Some(known) = cache.budgets.read().as_ref().filter(|known| known.version == version) {
            return Ok(Arc::clone(&known.value));
        }
        let value = Arc::new(load(self.conn()?, org)?);
        let mut cached = cache.budgets.write();
        // a snapshot may be older than the cache
        if cached.as_ref().is_none_or(|cached| cached.version < version) {
            *cached = Some(Versioned { version, value: Arc::clone(&value) });
        }
        drop(cached);
        self.core.caches.weigh(org, &cache);
        Ok(value)
    }

    pub(crate) fn budgets_above(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<BudgetUse>, StoreError> {
        let holders = self.holders_above(org, Some(workspace))?;
        if holders.is_empty() {
            return Ok(Vec::new());
        }
        let mut found: HashMap<WorkspaceId, BudgetUse> =
            self.budgets_of(org, &holders)?.into_iter().map(|found| (found.workspace, found)).collect();
        Ok(holders.iter().filter_map(|holder| found.remove(holder)).collect())
    }

    pub(crate) fn budgets_of(&mut self, org: OrgId, workspaces: &[WorkspaceId]) -> Result<Vec<BudgetUse>, StoreError> {
        let known = self.budgets(org)?;
        let holders: Vec<Id> = workspaces.iter().filter(|id| known.contains_key(id)).map(|&id| id.into()).collect();
        let mut found: Vec<BudgetUse> = Vec::with_capacity(holders.len());
        for holders in holders.chunks(CHUNK) {
            let rows: Vec<BudgetRow> = budgets::table
                .filter(budgets::org_id.eq(Id::from(org)))
                .filter(budgets::workspace_id.eq_any(holders))
                .select(BudgetRow::as_select())
                .load(self.conn()?)
                .row_context("budgets", org)?;
            found.extend(rows.into_iter().map(|row| BudgetUse {
                workspace: row.workspace_id.workspace(),
                budget: row.budget(),
                used: StoredSize { memories: row.used_memories, bytes: row.used_bytes },
            }));
        }
        // counters change when the rows of the group are written
        for BudgetUse { workspace, used, .. } in &mut found {
            let own = self.pending.budgets.iter().filter(|delta| delta.org == org && delta.holder == *workspace);
            *used = own.fold(*used, |sum, delta| plus(sum, delta.size));
        }
        Ok(found)
    }

    pub(crate) fn set_budget(&mut self, pass: &BudgetPass, budget: &Budget) -> Result<(), StoreError> {
        let (org, workspace) = (pass.org(), pass.workspace());
        let is_known = self.budgets(org)?.contains_key(&workspace);
        self.touch(org)?;
        self.view(org)?.changes.profiles = true;
        let key = (Id::from(org), Id::from(workspace));
        match (budget.is_empty(), is_known) {
            (true, _) => {
                diesel::delete(budgets::table.find(key)).execute(self.writing()?)?;
            }
            (false, true) => {
                diesel::update(budgets::table.find(key))
                    .set((
                        budgets::memories.eq(budget.memories),
                        budgets::bytes.eq(budget.bytes),
                        budgets::writes_per_minute.eq(budget.writes_per_minute),
                        budgets::searches_per_minute.eq(budget.searches_per_minute),
                        budgets::embeddings_per_day.eq(budget.embeddings_per_day),
                    ))
                    .execute(self.writing()?)?;
            }
            (false, false) => {
                let used = self.size_below(org, workspace)?;
                let row = BudgetRow {
                    org_id: key.0,
                    workspace_id: key.1,
                    memories: budget.memories,
                    bytes: budget.bytes,
                    writes_per_minute: budget.writes_per_minute,
                    searches_per_minute: budget.searches_per_minute,
                    embeddings_per_day: budget.embeddings_per_day,
                    used_memories: used.memories,
                    used_bytes: used.bytes,
                };
                diesel::insert_into(budgets::table).values(&row).execute(self.writing()?)?;
            }
        }
        let limits = BudgetLimit::ALL.iter().filter_map(|limit| Some((limit.as_str().to_owned(), budget.get(*limit)?)));
        let limits: serde_json::Map<String, serde_json::Value> =
            limits.map(|(name, value)| (name, value.into())).collect();
        let record = AuditRecord::new(AuditAction::EditWorkspace, workspace).context_field("fields", vec!["budget"]);
        self.record(record.context_field("budget", limits).event_field("fields", vec!["budget"]))?;
        Ok(())
    }

    pub(crate) fn moved_size(&mut self, pass: &TreePass) -> Result<MovedSize, StoreError> {
        let org = pass.org();
        if self.budgets(org)?.is_empty() {
            return Ok(MovedSize::default());
        }
        let moved = pass.change().placements().iter().find(|placement| placement.live);
        let Some(moved) = moved.copied() else { return Ok(MovedSize::default()) };
        let from = self.tree_now(org)?.parent(moved.id);
        let from = self.holders_above(org, from)?;
        let mut to = self.holders_above(org, moved.parent)?;
        to.retain(|holder| !from.contains(holder));
        if to.is_empty() {
            return Ok(MovedSize::default());
        }
        Ok(MovedSize { budgets: self.budgets_of(org, &to)?, size: self.size_below(org, moved.id)? })
    }

    /// Moves the counts of the workspaces of `pass` to the holders above their new places. Called before the rows change.
    pub(super) fn move_counts(&mut self, pass: &TreePass) -> Result<(), StoreError> {
        let org = pass.org();
        if self.budgets(org)?.is_empty() {
            return Ok(());
        }
        for moved in pass.change().placements().iter().filter(|placement| placement.live) {
            let from = self.tree_now(org)?.parent(moved.id);
            let (from, to) = (self.holders_above(org, from)?, self.holders_above(org, moved.parent)?);
            if from == to {
                continue;
            }
            let size = self.size_below(org, moved.id)?;
            let less = StoredSize { memories: -size.memories, bytes: -size.bytes };
            for holder in from.iter().filter(|holder| !to.contains(holder)) {
                self.pending.budgets.push(BudgetDelta { org, holder: *holder, size: less });
            }
            for holder in to.iter().filter(|holder| !from.contains(holder)) {
                self.pending.budgets.push(BudgetDelta { org, holder: *holder, size });
            }
        }
        Ok(())
    }

    /// Buffers the change of a partition and of the counters above its author.
    pub(super) fn count_partition(&mut self, delta: PartitionDelta) -> Result<(), StoreError> {
        let size = StoredSize { memories: delta.live, bytes: delta.bytes };
        if size != StoredSize::default() && delta.partition.items != ItemType::Page {
            for holder in self.holders_above(delta.org, Some(delta.partition.author))? {
                self.pending.budgets.push(BudgetDelta { org: delta.org, holder, size });
            }
        }
        self.pending.partitions.push(delta);
        Ok(())
    }

    /// Counts earlier versions as removed, which the caller deletes.
    pub(super) fn uncount_versions(&mut self, org: OrgId, which: VersionPredicate) -> Result<(), StoreError> {
        let rows: Vec<(Id, TextEnum<Scope>, Id, i64)> = memory_versions::table
            .filter(memory_versions::org_id.eq(Id::from(org)))
            .filter(which)
            .select((
                memory_versions::author_id,
                memory_versions::scope,
                memory_versions::team_id,
                sql::<BigInt>(VERSION_BYTES),
            ))
            .load(self.drained()?)
            .row_context("memory_versions", org)?;
        if rows.is_empty() {
            return Ok(());
        }
        let version = self.touch(org)?;
        for (author, TextEnum(scope), team, bytes) in rows {
            let partition = PartitionKey::of_memories(author.workspace(), scope, team.team());
            let delta = PartitionDelta { org, partition, version, live: 0, bytes: -bytes, written_at: None };
            self.count_partition(delta)?;
        }
        Ok(())
    }

    /// Counts everything of these workspaces as removed; the caller deletes it with their partitions.
    pub(super) fn uncount_workspaces(&mut self, org: OrgId, ids: &[Id]) -> Result<(), StoreError> {
        if self.budgets(org)?.is_empty() {
            return Ok(());
        }
        let rows: Vec<(Id, i64, i64)> = memory_partitions::table
            .filter(memory_partitions::org_id.eq(Id::from(org)))
            .filter(memory_partitions::author_id.eq_any(ids))
            .filter(memory_partitions::scope.ne(PAGES))
            .select((memory_partitions::author_id, memory_partitions::live_count, memory_partitions::bytes))
            .load(self.drained()?)
            .row_context("memory_partitions", org)?;
        for (author, live, bytes) in rows {
            let size = StoredSize { memories: -live, bytes: -bytes };
            for holder in self.holders_above(org, Some(author.workspace()))? {
                self.pending.budgets.push(BudgetDelta { org, holder, size });
            }
        }
        Ok(())
    }

    /// The workspaces with a budget among `workspace` and those above it, the nearest first. A removed workspace counts
    /// where it was last.
    fn holders_above(&mut self, org: OrgId, workspace: Option<WorkspaceId>) -> Result<Vec<WorkspaceId>, StoreError> {
        let budgets = self.budgets(org)?;
        let mut holders = Vec::new();
        if budgets.is_empty() {
            return Ok(holders);
        }
        let mut next = workspace;
        while let Some(at) = next {
            {
                let tree = self.tree_now(org)?;
                if tree.contains(at) {
                    let above = std::iter::once(at).chain(tree.ancestors(at));
                    holders.extend(above.filter(|id| budgets.contains_key(id)));
                    break;
                }
            }
            if budgets.contains_key(&at) {
                holders.push(at);
            }
            next = self.workspace(org, at)?.and_then(|row| row.parent);
        }
        Ok(holders)
    }

    /// What the workspaces have stored whose last place is `top` or below it.
    fn size_below(&mut self, org: OrgId, top: WorkspaceId) -> Result<StoredSize, StoreError> {
        let below = sql::<Bool>("author_id IN (WITH RECURSIVE below (id) AS (SELECT ")
            .bind::<sql_types::Uuid, _>(Id::from(top))
            .sql(" UNION ALL SELECT workspaces.id FROM workspaces JOIN below ON workspaces.parent_id = below.id WHERE org_id = ")
            .bind::<sql_types::Uuid, _>(Id::from(org))
            .sql(") SELECT id FROM below)");
        let (memories, bytes): (Option<i64>, Option<i64>) = memory_partitions::table
            .filter(memory_partitions::org_id.eq(Id::from(org)))
            .filter(memory_partitions::scope.ne(PAGES))
            .filter(below)
            .select((
                sql::<Nullable<BigInt>>("CAST(SUM(live_count) AS BIGINT)"),
                sql::<Nullable<BigInt>>("CAST(SUM(bytes) AS BIGINT)"),
            ))
            .first(self.drained()?)
            .row_context("memory_partitions", top)?;
        Ok(StoredSize { memories: memories.unwrap_or_default(), bytes: bytes.unwrap_or_default() })
    }
}

fn load(conn: &mut Conn, org: OrgId) -> Result<Budgets, StoreError> {
    let rows: Vec<BudgetRow> = budgets::table
        .filter(budgets::org_id.eq(Id::from(org)))
        .select(BudgetRow::as_select())
        .load(conn)
        .row_context("budgets", org)?;
    Ok(rows.iter().map(|row| (row.workspace_id.workspace(), row.budget())).collect())
}

fn plus(one: StoredSize, other: StoredSize) -> StoredSize {
    StoredSize { memories: one.memories + other.memories, bytes: one.bytes + other.bytes }
}

//! Rows of orgs, and the cached tree, which follows the version in the row.

use std::cmp::Ordering;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Placement, Tree};
use parking_lot::RwLockReadGuard;

use super::Conn;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use super::{OrgView, Tx, TxKind};
use crate::StoreError;
use crate::cache::{OrgCache, OrgRow, OwnTree, Versioned};
use crate::columns::{Id, Time};
use crate::contract::{TreeRef, TreeSource};
use crate::engine::{Retry, RowContext};
use crate::schema::{orgs, workspaces};

/// Updates rows of existing orgs.
pub(crate) fn update(out: &mut Outgoing<'_>, rows: Vec<OrgRow>) -> Result<(), StoreError> {
    let on_conflict = " ON CONFLICT (org_id) DO UPDATE SET version = excluded.version, \
        tree_version = excluded.tree_version, auth_version = excluded.auth_version, \
        index_floor = excluded.index_floor, last_seq = excluded.last_seq, access_seq = excluded.access_seq, \
        sealed_seq = excluded.sealed_seq, event_seq = excluded.event_seq, \
        profile_version = excluded.profile_version, episodes_bound = excluded.episodes_bound";
    write_rows!(out, rows, rows => Upsert { insert: diesel::insert_into(orgs::table).values(rows), on_conflict });
    Ok(())
}

impl Tx<'_> {
    /// The tree of the org at this snapshot, with the changes of this transaction.
    pub(crate) fn tree_now(&mut self, org: OrgId) -> Result<TreeRef<'_>, StoreError> {
        self.freshen_tree(org)?;
        self.change_own_tree(org)?;
        let view = &self.views[&org];
        if let Some(tree) = view.changes.tree.as_ref().and_then(OwnTree::tree) {
            return Ok(TreeRef(TreeSource::Changed(tree)));
        }
        let shared = RwLockReadGuard::try_map(self.shared_tree(&view.cache)?, |cached| {
            cached.as_ref().filter(|cached| cached.version == view.row.tree_version).map(|cached| &cached.value)
        });
        shared.map(|tree| TreeRef(TreeSource::Shared(tree))).map_err(|_| self.retry(Retry::NewSnapshot))
    }

    /// The shared tree. A writer may hold its lock for as long as an import, so a read on a thread that must not block
    /// requests a retry on the blocking pool.
    fn shared_tree<'o>(&self, cache: &'o OrgCache) -> Result<RwLockReadGuard<'o, Option<Versioned<Tree>>>, StoreError> {
        match self.kind {
            TxKind::Memory | TxKind::Inline => cache.tree.try_read().ok_or_else(|| self.retry(Retry::OnBlockingPool)),
            TxKind::Read | TxKind::Write { .. } => Ok(cache.tree.read()),
        }
    }

    /// Advances the shared tree to this snapshot, from the rows that changed since its version or from all rows. A
    /// writer calls this before it changes rows of the tree, because others must not see its uncommitted rows.
    pub(crate) fn freshen_tree(&mut self, org: OrgId) -> Result<(), StoreError> {
        let view = self.view(org)?;
        if !view.changes.placements.is_empty() {
            return Ok(());
        }
        let (cache, wanted) = (view.cache.clone(), view.row.tree_version);
        loop {
            let cached = self.shared_tree(&cache)?.as_ref().map(|tree| tree.version);
            let Some(version) = cached else {
                if matches!(self.kind, TxKind::Memory | TxKind::Inline) {
                    return Err(self.retry(Retry::OnBlockingPool));
                }
                let _loading = cache.loading_tree.lock();
                if cache.tree.read().is_none() {
                    let rows = placements(self.conn()?, org, 0, wanted)?;
                    let value =
                        Tree::build(org, rows).map_err(|faults| StoreError::unreadable("workspaces", org, faults))?;
                    *cache.tree.write() = Some(Versioned { version: wanted, value });
                    self.core.caches.weigh(org, &cache);
                }
                continue;
            };
            match version.cmp(&wanted) {
                Ordering::Equal => return Ok(()),
                // the writer has locked the org, so no version can be newer: the database was reset to an older state
                Ordering::Greater if self.is_writer() => {
                    *cache.tree.write() = None;
                    continue;
                }
                Ordering::Greater => return Err(self.retry(Retry::NewSnapshot)),
                Ordering::Less => {}
            }
            let rows = placements(self.conn()?, org, version, wanted)?;
            let mut cached = cache.tree.write();
            if let Some(tree) = cached.as_mut().filter(|tree| tree.version == version) {
                tree.version = wanted;
                if let Err(faults) = tree.value.apply(&rows) {
                    *cached = None;
                    return Err(StoreError::unreadable("workspaces", org, faults));
                }
            }
            drop(cached);
            self.core.caches.weigh(org, &cache);
        }
    }

    /// Applies the placements of this transaction to the tree, for reads after its own changes.
    fn change_own_tree(&mut self, org: OrgId) -> Result<(), StoreError> {
        let OrgView { row, cache, changes, .. } = self.view(org)?;
        if changes.placements.is_empty() || changes.tree.is_some() {
            return Ok(());
        }
        // `freshen_tree` advanced the tree to this version before the first row changed
        let mut tree = OwnTree::take(cache, row.tree_version).ok_or(StoreError::Busy)?;
        let applied = tree.apply(&changes.placements);
        applied.map_err(|faults| StoreError::unreadable("workspaces", org, faults))?;
        changes.tree = Some(tree);
        Ok(())
    }

    /// Records changes of the tree, visible to this transaction at once and to others after the commit.
    pub(crate) fn note_placements(&mut self, org: OrgId, placements: &[Placement]) -> Result<(), StoreError> {
        let changes = &mut self.view(org)?.changes;
        changes.placements.extend_from_slice(placements);
        if let Some(tree) = &mut changes.tree {
            tree.apply(placements).map_err(|faults| StoreError::unreadable("workspaces", org, faults))?;
        }
        Ok(())
    }
}

/// The placements of workspaces that changed after version `after` and up to version `until`. If `after` is 0, the
/// placements of all live workspaces.
fn placements(conn: &mut Conn, org: OrgId, after: i64, until: i64) -> Result<Vec<Placement>, StoreError> {
    let rows = workspaces::table.filter(workspaces::org_id.eq(Id::from(org))).select((
        workspaces::id,
        workspaces::parent_id,
        workspaces::removed_at,
    ));
    let rows: Vec<(Id, Option<Id>, Option<Time>)> = if after == 0 {
        rows.filter(workspaces::removed_at.is_null()).filter(workspaces::tree_version.le(until)).load(conn)
    } else {
        let changed = workspaces::tree_version.gt(after).and(workspaces::tree_version.le(until));
        rows.filter(changed).load(conn)
    }
    .row_context("workspaces", org)?;
    let placement = |(id, parent, removed): (Id, Option<Id>, Option<Time>)| match (removed, parent) {
        (Some(_), _) => Placement::removed(id.workspace()),
        (None, None) => Placement::root(id.workspace()),
        (None, Some(parent)) => Placement::under(id.workspace(), parent.workspace()),
    };
    Ok(rows.into_iter().map(placement).collect())
}

//! Names of workspaces, cached by version of the tree.

use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::Byline;

use super::{Conn, Tx, one_of::one_of};
use crate::StoreError;
use crate::cache::{NameMap, Named};
use crate::columns::Id;
use crate::engine::RowContext;
use crate::schema::workspaces;

/// Maximum number of ids in a statement.
const CHUNK: usize = 10_000;

impl Tx<'_> {
    /// The names of these workspaces, live and removed, at this snapshot. Unknown ids are omitted. A rename and an
    /// erasure count as changes of the tree, so the cached names of a version of the tree remain valid.
    pub(crate) fn named(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<NameMap, StoreError> {
        let view = self.view(org)?;
        let (cache, version) = (view.cache.clone(), view.row.tree_version);
        let has_own_changes = view.changes.row_delta.is_touched();
        let mut found = if has_own_changes { NameMap::new() } else { cache.names.known(version, ids) };
        let absent: Vec<Id> = ids.iter().filter(|id| !found.contains_key(id)).map(|id| (*id).into()).collect();
        if absent.is_empty() {
            return Ok(found);
        }
        let loaded = load(self.conn()?, org, &absent)?;
        if !has_own_changes {
            cache.names.keep(version, loaded.clone());
            self.core.caches.weigh(org, &cache);
        }
        found.extend(loaded);
        Ok(found)
    }
}

fn load(conn: &mut Conn, org: OrgId, ids: &[Id]) -> Result<NameMap, StoreError> {
    let mut loaded = NameMap::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let rows: Vec<(Id, String)> = workspaces::table
            .filter(workspaces::org_id.eq(Id::from(org)))
            .filter(one_of(workspaces::id, chunk))
            .select((workspaces::id, workspaces::name))
            .load(conn)
            .row_context("workspaces", org)?;
        let named = |(id, name): (Id, String)| {
            let byline = Byline::of(&name);
            (id.workspace(), Arc::new(Named { name, byline }))
        };
        loaded.extend(rows.into_iter().map(named));
    }
    Ok(loaded)
}

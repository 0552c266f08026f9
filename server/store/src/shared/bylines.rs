//! The names of authors as searches look at them, kept for as long as the tree stays as it is.

use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::Byline;

use super::Conn;
use super::tx::Tx;
use crate::StoreError;
use crate::cache::{Bylines, Versioned};
use crate::columns::Id;
use crate::engine::InRow;
use crate::schema::workspaces;

/// How many ids one statement names.
const CHUNK: usize = 10_000;

impl Tx<'_> {
    /// The bylines of these workspaces at this snapshot. A renaming counts as a change of the tree, so that what is kept
    /// of a version of the tree stays true.
    pub(super) fn bylines(&mut self, org: OrgId, authors: &[WorkspaceId]) -> Result<Bylines, StoreError> {
        let view = self.view(org)?;
        let (cache, version) = (view.cache.clone(), view.row.tree_version);
        let is_own = view.changes.tally.touched;
        let mut found = Bylines::with_capacity(authors.len());
        if let Some(kept) = cache.bylines.read().as_ref().filter(|kept| kept.version == version && !is_own) {
            let known = authors.iter().filter_map(|author| Some((*author, kept.value.get(author)?.clone())));
            found.extend(known);
        }
        let absent: Vec<Id> =
            authors.iter().filter(|author| !found.contains_key(author)).map(|author| (*author).into()).collect();
        if absent.is_empty() {
            return Ok(found);
        }
        let loaded = load(self.conn, org, &absent)?;
        if !is_own {
            let mut kept = cache.bylines.write();
            match kept.as_mut() {
                Some(kept) if kept.version == version => kept.value.extend(loaded.clone()),
                Some(kept) if kept.version > version => {}
                _ => *kept = Some(Versioned { version, value: loaded.clone() }),
            }
            drop(kept);
            self.core.caches.weigh(org, &cache);
        }
        found.extend(loaded);
        Ok(found)
    }
}

fn load(conn: &mut Conn, org: OrgId, ids: &[Id]) -> Result<Bylines, StoreError> {
    let mut loaded = Bylines::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let rows: Vec<(Id, String)> = workspaces::table
            .filter(workspaces::org_id.eq(Id::from(org)))
            .filter(workspaces::id.eq_any(chunk))
            .select((workspaces::id, workspaces::name))
            .load(conn)
            .in_row("workspaces", org)?;
        loaded.extend(rows.into_iter().map(|(id, name)| (id.workspace(), Arc::new(Byline::of(&name)))));
    }
    Ok(loaded)
}

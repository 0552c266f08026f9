//! Paginated lists of workspaces.

use std::collections::HashMap;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{OrgPass, ServerPass};
use orgmem_recall::fold_text;

use super::Tx;
use super::workspaces::WorkspaceRow;
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul};
use crate::contract::{OrgSummary, Stats, Workspace, WorkspaceCursor, WorkspaceFilter};
use crate::engine::RowContext;
use crate::schema::workspaces;

/// Rows per statement of a scan, which filters the rows afterwards.
const BATCH: i64 = 1000;

/// Maximum size of a subtree that is read by ids instead of a scan.
const SMALL_SUBTREE: usize = 2000;

impl Tx<'_> {
    pub(crate) fn list_workspaces(
        &mut self,
        pass: &OrgPass,
        filter: &WorkspaceFilter,
        after: Option<WorkspaceCursor>,
        limit: usize,
    ) -> Result<Vec<Workspace>, StoreError> {
        if !filter.removed
            && let Some(ids) = self.small_subtree(pass)?
        {
            let mut rows = self.workspaces(pass.org(), &ids)?;
            rows.retain(|row| after.is_none_or(|after| cursor(row) > after) && matches(row, filter));
            rows.sort_unstable_by_key(cursor);
            rows.truncate(limit);
            return Ok(rows);
        }
        let mut parents = HashMap::new();
        self.scan(Some(pass.org()), filter, after, limit, |tx, row| tx.is_listed(pass, row, &mut parents))
    }

    pub(crate) fn list_all_workspaces(
        &mut self,
        _: &ServerPass,
        filter: &WorkspaceFilter,
        after: Option<WorkspaceCursor>,
        limit: usize,
    ) -> Result<Vec<Workspace>, StoreError> {
        self.scan(None, filter, after, limit, |_, _| Ok(true))
    }

    pub(crate) fn orgs_named(&mut self, _: &ServerPass, name: &str) -> Result<Vec<OrgId>, StoreError> {
        if holds_nul(name) {
            return Ok(Vec::new());
        }
        let roots: Vec<Id> = workspaces::table
            .filter(workspaces::parent_id.is_null())
            .filter(workspaces::removed_at.is_null())
            .filter(workspaces::name.eq(name))
            .order((workspaces::created_at, workspaces::org_id))
            .select(workspaces::org_id)
            .load(self.conn()?)
            .row_context("workspaces", name)?;
        Ok(roots.into_iter().map(Id::org).collect())
    }

    pub(crate) fn org_summaries(&mut self, _: &ServerPass) -> Result<Vec<OrgSummary>, StoreError> {
        self.summaries()
    }

    pub(crate) fn stats(&mut self, _: &ServerPass) -> Result<Stats, StoreError> {
        self.count_all()
    }
}

fn cursor(row: &Workspace) -> WorkspaceCursor {
    (row.created_at, row.org.uuid(), row.id.uuid())
}

fn matches(row: &Workspace, filter: &WorkspaceFilter) -> bool {
    let named = filter.name_contains.as_ref().is_none_or(|part| fold_text(&row.name).contains(&fold_text(part)));
    named && row.removed_at.is_some() == filter.removed && filter.parent.is_none_or(|id| row.parent == Some(id))
}

impl Tx<'_> {
    /// The live workspaces of a pass, if there are at most [`SMALL_SUBTREE`].
    fn small_subtree(&mut self, pass: &OrgPass) -> Result<Option<Vec<WorkspaceId>>, StoreError> {
        if !pass.with_subtree() {
            return Ok(Some(vec![pass.top()]));
        }
        let tree = self.tree_now(pass.org())?;
        let ids: Vec<WorkspaceId> = tree.subtree(pass.top()).map(|(id, _)| id).take(SMALL_SUBTREE + 1).collect();
        Ok((ids.len() <= SMALL_SUBTREE).then_some(ids))
    }

    /// Whether a pass includes a workspace. For a removed workspace, the position of its last parent counts.
    fn is_listed(
        &mut self,
        pass: &OrgPass,
        row: &Workspace,
        parents: &mut HashMap<WorkspaceId, Option<WorkspaceId>>,
    ) -> Result<bool, StoreError> {
        let (org, top) = (pass.org(), pass.top());
        if !pass.with_subtree() {
            return Ok(row.id == top);
        }
        if top == org.root() {
            return Ok(true);
        }
        let mut at = row.id;
        let mut above = row.parent;
        loop {
            {
                let tree = self.tree_now(org)?;
                if tree.contains(at) {
                    return Ok(tree.is_within(at, top));
                }
            }
            let Some(next) = above else { return Ok(false) };
            at = next;
            above = match parents.get(&at) {
                Some(&known) => known,
                None => {
                    let known = self.workspaces(org, &[at])?.pop().and_then(|row| row.parent);
                    parents.insert(at, known);
                    known
                }
            };
        }
    }

    /// Reads batch by batch until there are `limit` rows that match the filter and are listed.
    fn scan(
        &mut self,
        org: Option<OrgId>,
        filter: &WorkspaceFilter,
        after: Option<WorkspaceCursor>,
        limit: usize,
        mut is_listed: impl FnMut(&mut Self, &Workspace) -> Result<bool, StoreError>,
    ) -> Result<Vec<Workspace>, StoreError> {
        let mut found = Vec::new();
        let mut after = after;
        loop {
            let batch = self.batch(org, filter, after)?;
            let Some(last) = batch.last() else { return Ok(found) };
            after = Some(cursor(last));
            for row in batch {
                if matches(&row, filter) && is_listed(self, &row)? {
                    found.push(row);
                    if found.len() == limit {
                        return Ok(found);
                    }
                }
            }
        }
    }

    fn batch(
        &mut self,
        org: Option<OrgId>,
        filter: &WorkspaceFilter,
        after: Option<WorkspaceCursor>,
    ) -> Result<Vec<Workspace>, StoreError> {
        let mut rows = workspaces::table
            .order((workspaces::created_at, workspaces::org_id, workspaces::id))
            .limit(BATCH)
            .select(WorkspaceRow::as_select())
            .into_boxed();
        if let Some(org) = org {
            rows = rows.filter(workspaces::org_id.eq(Id::from(org)));
        }
        if let Some(parent) = filter.parent {
            rows = rows.filter(workspaces::parent_id.eq(Some(Id::from(parent))));
        }
        rows = match filter.removed {
            true => rows.filter(workspaces::removed_at.is_not_null()),
            false => rows.filter(workspaces::removed_at.is_null()),
        };
        if let Some((created_at, org, id)) = after {
            let (created_at, org, id) = (Time(created_at), Id(org), Id(id));
            let later_id = workspaces::org_id.eq(org).and(workspaces::id.gt(id));
            let same_time = workspaces::created_at.eq(created_at).and(workspaces::org_id.gt(org).or(later_id));
            // the first condition is redundant, but an index can use it
            rows = rows
                .filter(workspaces::created_at.ge(created_at))
                .filter(workspaces::created_at.gt(created_at).or(same_time));
        }
        let rows = rows.load(self.drained()?).row_context("workspaces", org)?;
        Ok(rows.into_iter().map(WorkspaceRow::into).collect())
    }
}

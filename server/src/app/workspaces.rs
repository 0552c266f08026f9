//! Wire rows of workspaces.

use std::collections::HashMap;

use orgmem_hierarchy::{Scope, Tree, WorkspaceId};
use orgmem_recall::Query;
use orgmem_store::{MemoryCounts, ReadTx, Search};
use orgmem_types as wire;

use super::AppError;
use super::call::{Call, show_to};
use super::wire::{counts, object};

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The wire rows of these workspaces, with their positions in the tree and counts of memories. A path contains only
    /// ancestors that the caller may see.
    pub(super) fn workspace_rows(
        &mut self,
        mut rows: Vec<orgmem_store::Workspace>,
    ) -> Result<Vec<wire::Workspace>, AppError> {
        for row in &mut rows {
            show_to(&self.caller, &mut row.name);
            row.role.iter_mut().for_each(|role| show_to(&self.caller, role));
        }
        let ids: Vec<WorkspaceId> = rows.iter().map(|row| row.id).collect();
        let totals = match self.caller.user().is_bound() {
            true => ids.iter().map(|&id| self.readable_counts(id)).collect::<Result<_, _>>()?,
            false => self.tx.memory_counts(self.org, &ids)?,
        };
        let budgets = self.tx.budgets_of(self.org, &ids)?;
        let budgets = if self.caller.user().is_bound() { Vec::new() } else { budgets };
        let mut budgets: HashMap<WorkspaceId, wire::Budget> =
            budgets.iter().map(|found| (found.workspace, self.budget(found))).collect();
        let top = self.caller.workspace();
        let positions: Vec<TreePosition> = {
            let tree = self.tx.tree(self.org)?;
            ids.iter().map(|&id| TreePosition::of(&tree, id, top)).collect()
        };
        let mut above: Vec<WorkspaceId> = positions.iter().flat_map(|position| position.path.iter().copied()).collect();
        above.sort_unstable();
        above.dedup();
        let names = self.names(&above)?;
        let step = |id: WorkspaceId| wire::PathStep { id: id.uuid(), name: names.of(id) };
        let wire_row =
            |((row, position), memories): ((orgmem_store::Workspace, TreePosition), MemoryCounts)| wire::Workspace {
                id: row.id.uuid(),
                name: row.name,
                parent_id: row.parent.map(WorkspaceId::uuid),
                org_id: row.org.uuid(),
                role: row.role,
                metadata: row.metadata.as_deref().and_then(object),
                status: match row.removed_at {
                    None => wire::WorkspaceStatus::Live,
                    Some(_) => wire::WorkspaceStatus::Removed,
                },
                path: position.path.into_iter().map(step).collect(),
                child_count: position.child_count,
                descendant_count: position.descendant_count,
                memories: counts(&memories),
                last_write_at: memories.last_write_at,
                budget: budgets.remove(&row.id),
                created_at: row.created_at,
                updated_at: row.updated_at,
                redactions: Vec::new(),
            };
        Ok(rows.into_iter().zip(positions).zip(totals).map(wire_row).collect())
    }

    /// The numbers of own memories of a workspace that the caller may read as it, for a token of one end user.
    fn readable_counts(&mut self, id: WorkspaceId) -> Result<MemoryCounts, AppError> {
        let Ok(pass) = self.reads(id) else { return Ok(MemoryCounts::default()) };
        let mut of = |scope| {
            let search = Search { query: Query::parse(""), scopes: vec![scope], author: Some(id), ..Search::default() };
            Ok::<_, AppError>(i64::try_from(self.tx.count(&pass, &search)?).unwrap_or(i64::MAX))
        };
        Ok(MemoryCounts {
            local: of(Scope::Local)?,
            team: of(Scope::Team)?,
            global: of(Scope::Global)?,
            last_write_at: None,
        })
    }

    /// As [`workspace_rows`](Self::workspace_rows), for one workspace.
    pub(super) fn workspace_row(&mut self, id: WorkspaceId) -> Result<wire::Workspace, AppError> {
        let rows = self.tx.workspaces(self.org, &[id])?;
        self.workspace_rows(rows)?.pop().ok_or(AppError::WORKSPACE_NOT_FOUND)
    }
}

/// The position of a workspace in its tree, as far as the caller may see it.
struct TreePosition {
    /// Ancestors, the highest first.
    path: Vec<WorkspaceId>,
    child_count: usize,
    descendant_count: usize,
}

impl TreePosition {
    fn of(tree: &Tree, id: WorkspaceId, top: Option<WorkspaceId>) -> Self {
        let seen = |above: &WorkspaceId| top.is_none_or(|top| tree.is_within(*above, top));
        let mut path: Vec<WorkspaceId> = tree.ancestors(id).take_while(seen).collect();
        path.reverse();
        Self { path, child_count: tree.child_count(id), descendant_count: tree.descendant_count(id) }
    }
}

pub(super) fn by_id(rows: Vec<orgmem_store::Workspace>) -> HashMap<WorkspaceId, orgmem_store::Workspace> {
    rows.into_iter().map(|row| (row.id, row)).collect()
}

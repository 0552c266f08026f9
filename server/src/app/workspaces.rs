//! Wire rows of workspaces.

use std::collections::HashMap;

use orgmem_hierarchy::{Tree, WorkspaceId};
use orgmem_store::{MemoryCounts, ReadTx};
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
        let totals = self.tx.memory_counts(self.org, &ids)?;
        let budgets = self.tx.budgets_of(self.org, &ids)?;
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

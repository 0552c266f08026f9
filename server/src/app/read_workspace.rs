//! Reading workspaces: one, a list, a subtree.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{OrgPass, Permission, ViewPass};
use orgmem_store::{MemoryCounts, ReadPlan, WorkspaceFilter};
use orgmem_types as wire;
use uuid::Uuid;

use super::budgets::Meter;
use super::call::{Call, known_org};
use super::fetched_records::FetchedRecords;
use super::wire::counts;
use super::workspaces::by_id;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Creation, org and id of the last workspace of a page.
type PageCursor = (DateTime<Utc>, Uuid, Uuid);

impl App {
    /// Reads a workspace.
    ///
    /// # Errors
    /// [`AppError::Gone`] if it was removed and the caller may know that.
    pub async fn read_workspace(&self, auth: &VerifiedClaims, id: Uuid) -> Result<wire::Workspace, AppError> {
        self.read(auth.call(id).plan(ReadPlan::PointLookup), |call| {
            let id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadWorkspace, tree, id))?;
            call.workspace_row(id)
        })
        .await
    }

    /// The workspaces that the caller may see, by creation. The list is empty for a `root` or `parent` that the caller
    /// may not see, and for a `root` that is not a root.
    pub async fn list_workspaces(
        &self,
        auth: &VerifiedClaims,
        request: wire::ListWorkspaces,
    ) -> Result<Listing<wire::Workspace>, AppError> {
        let limit = cursor::limit(request.limit, 50, 500);
        let created_at = |&(created_at, ..): &PageCursor| created_at;
        let after = cursor::decode_timed("workspaces", request.cursor.as_deref(), created_at)?;
        let filter = WorkspaceFilter {
            parent: request.parent.map(WorkspaceId::from),
            removed: request.status == Some(wire::WorkspaceStatus::Removed),
            name_contains: request.q,
        };
        let root = request.root.map(WorkspaceId::from);
        let within = root.or(request.parent.map(WorkspaceId::from));
        let meter = Meter::new(&self.budget_rates);
        self.read_server(auth, ReadPlan::Scan, move |tx, caller| {
            let org = match (caller.org(), within) {
                (Some(own), None) => Some(own),
                (_, Some(within)) => known_org(tx, caller, within)?,
                (None, None) => None,
            };
            let org = org.filter(|org| root.is_none_or(|root| org.root() == root));
            let rows = match (org, caller.org(), within) {
                (Some(org), _, _) => {
                    let granted = OrgPass::grant(caller, &*tx.tree(org)?);
                    match granted {
                        Ok(pass) => tx.list_workspaces(&pass, &filter, after, limit + 1)?,
                        Err(_) => Vec::new(),
                    }
                }
                (None, None, None) => {
                    let pass = orgmem_policies::ServerPass::grant(caller, orgmem_policies::ServerAction::ReadServer)?;
                    tx.list_all_workspaces(&pass, &filter, after, limit + 1)?
                }
                (None, _, _) => Vec::new(),
            };
            let page = Listing::cut(rows, limit, "workspaces", |row| (row.created_at, row.org.uuid(), row.id.uuid()));
            rows_of_many_orgs(tx, caller, &meter, page)
        })
        .await
    }

    /// The workspace and its descendants, each with the counts of its memories.
    pub async fn read_tree(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        request: wire::TreeQuery,
    ) -> Result<wire::TreeNode, AppError> {
        let depth = request.depth.unwrap_or(usize::MAX);
        self.read(auth.call(id).plan(ReadPlan::Scan), move |call| {
            let top = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadTree, tree, top))?;
            let shown: Vec<TreeNode> = {
                let tree = call.tx.tree(call.org)?;
                let within = tree.subtree(top).filter(|&(_, below)| below <= depth);
                within.map(|(id, _)| TreeNode { id, parent: tree.parent(id), children: tree.child_count(id) }).collect()
            };
            let ids: Vec<WorkspaceId> = shown.iter().map(|shown| shown.id).collect();
            let rows = by_id(call.tx.workspaces(call.org, &ids)?);
            let totals = ids.iter().copied().zip(call.tx.memory_counts(call.org, &ids)?).collect();
            let budgets = call.tx.budgets_of(call.org, &ids)?;
            let budgets = budgets.iter().map(|found| (found.workspace, call.budget(found))).collect();
            nest(top, shown, rows, &totals, &budgets).ok_or(AppError::WORKSPACE_NOT_FOUND)
        })
        .await
    }
}

/// The rows of a page of several orgs, for an admin.
fn rows_of_many_orgs(
    tx: &mut dyn orgmem_store::ReadTx,
    caller: &orgmem_policies::Caller,
    meter: &Meter,
    page: Listing<orgmem_store::Workspace>,
) -> Result<Listing<wire::Workspace>, AppError> {
    let order: Vec<WorkspaceId> = page.items.iter().map(|row| row.id).collect();
    let mut by_org: HashMap<OrgId, Vec<orgmem_store::Workspace>> = HashMap::new();
    for row in page.items {
        by_org.entry(row.org).or_default().push(row);
    }
    let mut rows: HashMap<Uuid, wire::Workspace> = HashMap::new();
    for (org, of_org) in by_org {
        let workspace = org.root();
        let mut call = Call {
            tx: &mut *tx,
            caller: caller.clone(),
            org,
            workspace,
            run: None,
            meter,
            differences: Vec::new(),
            fetched: FetchedRecords::default(),
        };
        rows.extend(call.workspace_rows(of_org)?.into_iter().map(|row| (row.id, row)));
    }
    let items = order.into_iter().filter_map(|id| rows.remove(&id.uuid())).collect();
    Ok(Listing { items, next: page.next })
}

struct TreeNode {
    id: WorkspaceId,
    parent: Option<WorkspaceId>,
    children: usize,
}

/// Nests children in their parents, from the last row to the first: parents precede their children.
fn nest(
    top: WorkspaceId,
    shown: Vec<TreeNode>,
    mut rows: HashMap<WorkspaceId, orgmem_store::Workspace>,
    totals: &HashMap<WorkspaceId, MemoryCounts>,
    budgets: &HashMap<WorkspaceId, wire::Budget>,
) -> Option<wire::TreeNode> {
    let mut waiting: HashMap<WorkspaceId, Vec<wire::TreeNode>> = HashMap::new();
    for TreeNode { id, parent, children } in shown.into_iter().rev() {
        let mut below = waiting.remove(&id).unwrap_or_default();
        below.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
        let row = rows.remove(&id)?;
        let memories = totals.get(&id).copied().unwrap_or_default();
        let node = wire::TreeNode {
            id: id.uuid(),
            name: row.name,
            role: row.role,
            child_count: children,
            memories: counts(&memories),
            last_write_at: memories.last_write_at,
            budget: budgets.get(&id).copied(),
            children: below,
        };
        match parent {
            Some(parent) if id != top => waiting.entry(parent).or_default().push(node),
            _ => return Some(node),
        }
    }
    None
}

//! Renaming and moving a workspace.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::drafts::WorkspaceChange;
use orgmem_policies::{ActPass, Action, TreePass};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Changes what the request names, all of it or nothing. With a new parent the workspace moves, and everything
    /// below it.
    ///
    /// # Errors
    /// [`AppError`]: a field out of its limits, a place that is not the caller's to change, a move that the tree does
    /// not allow.
    pub async fn patch_workspace(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        request: wire::PatchWorkspace,
    ) -> Result<wire::Workspace, AppError> {
        let wire::PatchWorkspace { name, parent_id, role, metadata } = request;
        let role = role.as_ref().map(|role| role.as_deref());
        let change = WorkspaceChange::check(name.as_deref(), role, metadata, self.scrubber)?;
        let limits = self.tree_limits;
        self.write_as(who, id, None, move |call| {
            let id = call.workspace;
            if !change.is_empty() || parent_id.is_none() {
                let pass = call.pass(|caller, tree| ActPass::grant(caller, Action::EditWorkspace, tree, id))?;
                call.tx.patch_workspace(&pass, &change)?;
            }
            if let Some(to) = parent_id.map(WorkspaceId::from) {
                let pass = call.pass(|caller, tree| TreePass::relocate(caller, tree, id, to, limits))?;
                call.tx.change_tree(&pass)?;
            }
            call.workspace_row(id)
        })
        .await
    }
}

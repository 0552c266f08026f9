//! Renaming and moving a workspace.

use orgmem_hierarchy::{TreeLimits, WorkspaceId};
use orgmem_policies::drafts::WorkspaceChange;
use orgmem_policies::{ActPass, Permission, TreePass};
use orgmem_store::{ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::Call;
use super::wire::redactions;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// What a request asks to be changed, understood.
struct ChangeRequest {
    change: WorkspaceChange,
    /// The parent to move below; none within for a place outside the tree.
    to: Option<Option<WorkspaceId>>,
    limits: TreeLimits,
}

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
        let request = self.parse_request(request)?;
        self.write(who.call(id), move |call| {
            let (edits, moves) = request.allowed(call)?;
            if let Some(pass) = edits {
                call.tx.patch_workspace(&pass, &request.change)?;
            }
            if let Some(pass) = moves {
                call.tx.change_tree(&pass)?;
            }
            let changed = call.workspace_row(call.workspace)?;
            Ok(wire::Workspace { redactions: redactions(&request.change.fields().redactions), ..changed })
        })
        .await
    }

    /// What [`patch_workspace`](Self::patch_workspace) would do to who reads what; it refuses what that refuses.
    ///
    /// # Errors
    /// As for [`patch_workspace`](Self::patch_workspace).
    pub async fn preview_patch(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        request: wire::PatchWorkspace,
    ) -> Result<wire::TreePreview, AppError> {
        let request = self.parse_request(request)?;
        self.read(who.call(id).plan(ReadPlan::Scan), move |call| match request.allowed(call)? {
            (_, Some(moves)) => call.preview(&moves),
            (_, None) => Ok(call.no_preview()),
        })
        .await
    }

    fn parse_request(&self, request: wire::PatchWorkspace) -> Result<ChangeRequest, AppError> {
        let wire::PatchWorkspace { name, parent_id, role, metadata } = request;
        let role = role.as_ref().map(|role| role.as_deref());
        let change = WorkspaceChange::check(name.as_deref(), role, metadata, self.scrubber)?;
        Ok(ChangeRequest {
            change,
            to: parent_id.map(|parent| parent.map(WorkspaceId::from)),
            limits: self.tree_limits,
        })
    }
}

impl ChangeRequest {
    /// What is needed to change what stands in the row, and to move; none of what is not asked for.
    fn allowed<Tx: ReadTx + ?Sized>(
        &self,
        call: &mut Call<'_, Tx>,
    ) -> Result<(Option<ActPass>, Option<TreePass>), AppError> {
        let id = call.workspace;
        let edits = match !self.change.is_empty() || self.to.flatten().is_none() {
            true => Some(call.pass(|caller, tree| ActPass::grant(caller, Permission::EditWorkspace, tree, id))?),
            false => None,
        };
        let moves = match self.to {
            Some(Some(to)) => Some(call.pass(|caller, tree| TreePass::relocate(caller, tree, id, to, self.limits))?),
            // a root is outside of every other one already
            Some(None) if call.tx.tree(call.org)?.root() != id => return Err(AppError::LeavesTree(id)),
            Some(None) | None => None,
        };
        Ok((edits, moves))
    }
}

//! Removing a workspace.

use orgmem_hierarchy::{ChangeRefusal, Children, WorkspaceId};
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::{ErasePass, Refusal, TreePass};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WriteCall;
use super::erase::receipt;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Removes the workspace: from now on it reads nothing, is read by nobody, and its tokens do not work.
    ///
    /// # Errors
    /// [`AppError::ConfirmationRequired`] when it has children and the request does not say what becomes of them.
    pub async fn remove_workspace(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        request: wire::RemoveWorkspace,
    ) -> Result<wire::Removed, AppError> {
        let children = match (request.children, request.confirm) {
            (Some(wire::ChildrenRemoval::Promote), _) => Children::Promote,
            (Some(wire::ChildrenRemoval::Cascade), _) | (None, Some(true)) => Children::Cascade,
            (None, _) => Children::Refuse,
        };
        let purge = request.purge.unwrap_or_default();
        let reason = ReasonDraft::check("removed and purged", self.scrubber)?;
        self.write_as(who, id, None, move |call| {
            let id = call.workspace;
            let decision = TreePass::remove(&call.caller, &*call.tx.tree(call.org)?, id, children);
            let pass = match decision {
                Err(Refusal::Tree(ChangeRefusal::HasChildren { .. })) => return Err(confirmation_required(call)?),
                decision => call.pass(|_, _| decision)?,
            };
            let erases = match purge {
                true => Some(call.pass(|caller, tree| ErasePass::purge(caller, tree, id, &pass))?),
                false => None,
            };
            call.tx.change_tree(&pass)?;
            let erased = match erases {
                Some(erases) => Some(receipt(call.tx.erase(&erases, &reason)?)),
                None => None,
            };
            Ok(wire::Removed {
                status: wire::WorkspaceStatus::Removed,
                cascade_deleted: pass.change().removed().count() - 1,
                promoted: pass.change().placed().count(),
                erased,
            })
        })
        .await
    }
}

fn confirmation_required(call: &mut WriteCall<'_>) -> Result<AppError, AppError> {
    let ids: Vec<WorkspaceId> = call.tx.tree(call.org)?.children(call.workspace).collect();
    let mut children: Vec<(Uuid, String)> =
        call.tx.workspaces(call.org, &ids)?.into_iter().map(|row| (row.id.uuid(), row.name)).collect();
    children.sort_by(|one, other| (&one.1, one.0).cmp(&(&other.1, other.0)));
    Ok(AppError::ConfirmationRequired { children })
}

//! Removal of workspaces.

use orgmem_hierarchy::{ChangeRefusal, Children, WorkspaceId};
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::{ErasePass, Refusal, TreePass};
use orgmem_store::{ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, ReadCall, WriteCall};
use super::erase::receipt;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Removes the workspace: it reads nothing, nobody reads its memories, and its tokens are not admitted any more.
    ///
    /// # Errors
    /// [`AppError::ConfirmationRequired`] if it has live children and the request does not decide about them.
    pub async fn remove_workspace(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        request: wire::RemoveWorkspace,
    ) -> Result<wire::WorkspaceRemoval, AppError> {
        let (children, purge) = (children_of(&request), request.purge.unwrap_or_default());
        let reason = ReasonDraft::check(PURGE_REASON, self.scrubber)?;
        self.write(auth.call(id), move |call| {
            let pass = removal_pass(call, children)?;
            remove(call, &pass, purge, &reason)
        })
        .await
    }

    /// The effect of [`remove_workspace`](Self::remove_workspace) on the reach of workspaces, and the receipt of a
    /// purge; changes nothing.
    ///
    /// # Errors
    /// As for [`remove_workspace`](Self::remove_workspace).
    pub async fn preview_removal(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        request: wire::RemoveWorkspace,
    ) -> Result<wire::TreePreview, AppError> {
        let children = children_of(&request);
        let preview = move |call: &mut ReadCall<'_>| {
            let pass = removal_pass(call, children)?;
            call.preview(&pass)
        };
        if !request.purge.unwrap_or_default() {
            return self.read(auth.call(id).plan(ReadPlan::Scan), preview).await;
        }
        let reason = ReasonDraft::check(PURGE_REASON, self.scrubber)?;
        // the purge itself counts the erased rows, so it runs and is rolled back
        self.dry_run(auth.call(id), move |call| {
            let pass = removal_pass(call, children)?;
            let preview = call.preview(&pass)?;
            let wire::WorkspaceRemoval { erased, .. } = remove(call, &pass, true, &reason)?;
            Ok(wire::TreePreview { erased, ..preview })
        })
        .await
    }
}

/// The reason in the receipt of a purge.
const PURGE_REASON: &str = "removed and purged";

fn children_of(request: &wire::RemoveWorkspace) -> Children {
    match (request.children, request.confirm) {
        (Some(wire::ChildrenRemoval::Promote), _) => Children::Promote,
        (Some(wire::ChildrenRemoval::Cascade), _) | (None, Some(true)) => Children::Cascade,
        (None, _) => Children::Refuse,
    }
}

/// The pass to remove the workspace of this call.
fn removal_pass<Tx: ReadTx + ?Sized>(call: &mut Call<'_, Tx>, children: Children) -> Result<TreePass, AppError> {
    let id = call.workspace;
    let decision = TreePass::remove(&call.caller, &*call.tx.tree(call.org)?, id, children);
    match decision {
        Err(Refusal::Tree(ChangeRefusal::HasChildren { .. })) => Err(confirmation_required(call)?),
        decision => call.pass(|_, _| decision),
    }
}

/// Removes the workspaces of the pass; with `purge`, also erases their content.
fn remove(
    call: &mut WriteCall<'_>,
    pass: &TreePass,
    purge: bool,
    reason: &ReasonDraft,
) -> Result<wire::WorkspaceRemoval, AppError> {
    let id = call.workspace;
    let erase_pass = match purge {
        true => Some(call.pass(|caller, tree| ErasePass::purge(caller, tree, id, pass))?),
        false => None,
    };
    call.tx.change_tree(pass)?;
    let erased = match erase_pass {
        Some(pass) => Some(receipt(call.tx.erase(&pass, reason)?)),
        None => None,
    };
    Ok(wire::WorkspaceRemoval {
        status: wire::WorkspaceStatus::Removed,
        cascade_deleted: pass.change().removed().count() - 1,
        promoted: pass.change().placed().count(),
        erased,
    })
}

fn confirmation_required<Tx: ReadTx + ?Sized>(call: &mut Call<'_, Tx>) -> Result<AppError, AppError> {
    let ids: Vec<WorkspaceId> = call.tx.tree(call.org)?.children(call.workspace).collect();
    let mut children: Vec<(Uuid, String)> =
        call.tx.workspaces(call.org, &ids)?.into_iter().map(|row| (row.id.uuid(), row.name)).collect();
    children.sort_by(|one, other| (&one.1, one.0).cmp(&(&other.1, other.0)));
    Ok(AppError::ConfirmationRequired { children })
}

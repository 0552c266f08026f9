//! Removing a workspace.

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
    /// Removes the workspace: from now on it reads nothing, is read by nobody, and its tokens do not work.
    ///
    /// # Errors
    /// [`AppError::ConfirmationRequired`] when it has children and the request does not say what becomes of them.
    pub async fn remove_workspace(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        request: wire::RemoveWorkspace,
    ) -> Result<wire::WorkspaceRemoval, AppError> {
        let (children, purge) = (children_of(&request), request.purge.unwrap_or_default());
        let reason = ReasonDraft::check(WHY, self.scrubber)?;
        self.write(who.call(id), move |call| {
            let pass = removal(call, children)?;
            remove(call, &pass, purge, &reason)
        })
        .await
    }

    /// What [`remove_workspace`](Self::remove_workspace) would do to who reads what, and what a purge would erase; it
    /// refuses what that refuses.
    ///
    /// # Errors
    /// As for [`remove_workspace`](Self::remove_workspace).
    pub async fn preview_removal(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        request: wire::RemoveWorkspace,
    ) -> Result<wire::TreePreview, AppError> {
        let children = children_of(&request);
        let foretell = move |call: &mut ReadCall<'_>| {
            let pass = removal(call, children)?;
            call.preview(&pass)
        };
        if !request.purge.unwrap_or_default() {
            return self.read(who.call(id).plan(ReadPlan::Scan), foretell).await;
        }
        let reason = ReasonDraft::check(WHY, self.scrubber)?;
        // what it takes is what it counts, so it is tried out
        self.dry_run(who.call(id), move |call| {
            let pass = removal(call, children)?;
            let preview = call.preview(&pass)?;
            let wire::WorkspaceRemoval { erased, .. } = remove(call, &pass, true, &reason)?;
            Ok(wire::TreePreview { erased, ..preview })
        })
        .await
    }
}

/// The reason of a purge.
const WHY: &str = "removed and purged";

fn children_of(request: &wire::RemoveWorkspace) -> Children {
    match (request.children, request.confirm) {
        (Some(wire::ChildrenRemoval::Promote), _) => Children::Promote,
        (Some(wire::ChildrenRemoval::Cascade), _) | (None, Some(true)) => Children::Cascade,
        (None, _) => Children::Refuse,
    }
}

/// What is needed to remove the workspace of this call.
fn removal<Tx: ReadTx + ?Sized>(call: &mut Call<'_, Tx>, children: Children) -> Result<TreePass, AppError> {
    let id = call.workspace;
    let decision = TreePass::remove(&call.caller, &*call.tx.tree(call.org)?, id, children);
    match decision {
        Err(Refusal::Tree(ChangeRefusal::HasChildren { .. })) => Err(confirmation_required(call)?),
        decision => call.pass(|_, _| decision),
    }
}

/// Removes what the pass is for; with `purge`, what it held goes too.
fn remove(
    call: &mut WriteCall<'_>,
    pass: &TreePass,
    purge: bool,
    reason: &ReasonDraft,
) -> Result<wire::WorkspaceRemoval, AppError> {
    let id = call.workspace;
    let erases = match purge {
        true => Some(call.pass(|caller, tree| ErasePass::purge(caller, tree, id, pass))?),
        false => None,
    };
    call.tx.change_tree(pass)?;
    let erased = match erases {
        Some(erases) => Some(receipt(call.tx.erase(&erases, reason)?)),
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

//! Passes for trees and the server.

use orgmem_hierarchy::{Children, OrgId, Tree, TreeLimits, WorkspaceId};

use crate::scrub::Scrubbed;
use crate::{
    Caller, ErasePass, Erasing, Forbidden, OrgPass, Permission, Refusal, ServerAction, ServerPass, TreePass, permit,
    permit_server,
};

impl TreePass {
    /// Permits `caller` to create workspace `id` below `parent`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for the parent, or of the tree.
    pub fn create(
        caller: &Caller,
        tree: &Tree,
        id: WorkspaceId,
        parent: WorkspaceId,
        limits: TreeLimits,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::AddChild, tree, parent)?;
        Ok(Self { org: tree.org(), change: tree.plan_create(id, parent, limits)? })
    }

    /// Permits `caller` to move `id` under `to`. The caller needs permission for both.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for either, or of the tree. A parent outside of this tree gives the same refusal
    /// whether it exists or not.
    pub fn relocate(
        caller: &Caller,
        tree: &Tree,
        id: WorkspaceId,
        to: WorkspaceId,
        limits: TreeLimits,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::MoveWorkspace, tree, id)?;
        let change = tree.plan_move(id, to, limits)?;
        permit(caller, Permission::AddChild, tree, to)?;
        Ok(Self { org: tree.org(), change })
    }

    /// Permits `caller` to remove `id`. Promoted children move to its parent, for which the caller then needs
    /// permission too.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`], or of the tree.
    pub fn remove(caller: &Caller, tree: &Tree, id: WorkspaceId, children: Children) -> Result<Self, Refusal> {
        permit(caller, Permission::RemoveWorkspace, tree, id)?;
        let change = tree.plan_remove(id, children)?;
        if change.placed().next().is_some()
            && let Some(above) = tree.parent(id)
        {
            permit(caller, Permission::AddChild, tree, above)?;
        }
        Ok(Self { org: tree.org(), change })
    }
}

impl ErasePass {
    /// Permits `caller` to erase the content of the workspaces that `removal` removes; `id` is the highest of them.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for `id`.
    ///
    /// # Source
    /// `docs/spec/erasure.md`, "Purge".
    pub fn purge(caller: &Caller, tree: &Tree, id: WorkspaceId, removal: &TreePass) -> Result<Self, Refusal> {
        permit(caller, Permission::PurgeWorkspace, tree, id)?;
        let what = Erasing::Workspaces(removal.change().removed().collect());
        Ok(Self { org: tree.org(), what, by: caller.subject().to_owned() })
    }

    /// Permits `caller` to erase the data of an end user in `org`.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    ///
    /// # Source
    /// `docs/spec/erasure.md`, "Erase".
    pub fn subject(caller: &Caller, org: OrgId, subject: Scrubbed) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::Erase)?;
        Ok(Self { org, what: Erasing::Subject(subject), by: caller.subject().to_owned() })
    }

    /// Permits `caller` to erase the whole `org`.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    ///
    /// # Source
    /// `docs/spec/erasure.md`, "Erase".
    pub fn org_of(caller: &Caller, org: OrgId) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::Erase)?;
        Ok(Self { org, what: Erasing::Org, by: caller.subject().to_owned() })
    }
}

impl OrgPass {
    /// Permits `caller` to list workspaces of `tree`: an agent its own, a viewer or operator its subtree, an admin all.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] when the tree is hidden from the caller.
    pub fn grant(caller: &Caller, tree: &Tree) -> Result<Self, Refusal> {
        let top = caller.workspace().unwrap_or(tree.root());
        permit(caller, Permission::ReadWorkspace, tree, top)?;
        Ok(Self { org: tree.org(), top, with_subtree: caller.role().is_person() })
    }
}

impl ServerPass {
    /// Permits `caller` to perform `action` on the server.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    pub fn grant(caller: &Caller, action: ServerAction) -> Result<Self, Refusal> {
        permit_server(caller, action)?;
        Ok(Self { action })
    }
}

impl From<orgmem_hierarchy::Reason> for Forbidden {
    fn from(reason: orgmem_hierarchy::Reason) -> Self {
        Self::Scope(reason)
    }
}

//! Passes for trees: creating, moving, removing, listing.

use orgmem_hierarchy::{Children, OrgId, Tree, TreeLimits, WorkspaceId};

use crate::scrub::Scrubbed;
use crate::{
    Caller, ErasePass, Erasing, Forbidden, OrgPass, Permission, Refusal, Role, ServerAction, ServerPass, TreePass,
    permit, permit_server,
};

impl TreePass {
    /// Lets `caller` create workspace `id` below `parent`.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for the parent, or why the tree does not allow it.
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

    /// Lets `caller` move `id` under `to`. Both must be its to change.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for either, or why the tree does not allow it. A parent that is not in this
    /// tree gives the same refusal whether it exists elsewhere or not.
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

    /// Lets `caller` remove `id`. Promoted children move to its parent, which must then be the caller's to change.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it, or why the tree does not allow it.
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
    /// Lets `caller` erase what is held by the workspaces that `removal` removes; `id` is the highest of them.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for `id`.
    ///
    /// # Source
    /// product.md, section 4.1, `purge=true`.
    pub fn purge(caller: &Caller, tree: &Tree, id: WorkspaceId, removal: &TreePass) -> Result<Self, Refusal> {
        permit(caller, Permission::PurgeWorkspace, tree, id)?;
        let what = Erasing::Workspaces(removal.change().removed().collect());
        Ok(Self { org: tree.org(), what, by: caller.subject().to_owned() })
    }

    /// Lets `caller` erase what is stored about an end user in `org`.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    ///
    /// # Source
    /// product.md, section 4.10.
    pub fn subject(caller: &Caller, org: OrgId, subject: Scrubbed) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::Erase)?;
        Ok(Self { org, what: Erasing::Subject(subject), by: caller.subject().to_owned() })
    }

    /// Lets `caller` erase all of `org`.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    ///
    /// # Source
    /// product.md, section 4.10.
    pub fn org_of(caller: &Caller, org: OrgId) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::Erase)?;
        Ok(Self { org, what: Erasing::Org, by: caller.subject().to_owned() })
    }
}

impl OrgPass {
    /// Lets `caller` list the workspaces of `tree` that it may know the rows of: an agent its own, a viewer or operator
    /// its subtree, an admin all.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] when the tree is not the caller's.
    pub fn grant(caller: &Caller, tree: &Tree) -> Result<Self, Refusal> {
        let top = caller.workspace().unwrap_or(tree.root());
        permit(caller, Permission::ReadWorkspace, tree, top)?;
        Ok(Self { org: tree.org(), top, below: caller.role() != Role::Agent })
    }
}

impl ServerPass {
    /// Lets `caller` do `action` to the server as a whole.
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

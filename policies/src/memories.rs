//! Passes for what a workspace remembers: memories, entries, episodes.

use std::sync::Arc;

use orgmem_hierarchy::{Scope, Tree, WorkspaceId};

use crate::{
    ActPass, Caller, EditPass, Forbidden, ForgetPass, Isolation, Permission, ProfileSettings, ReadPass, RedactPass,
    Refusal, Role, ViewPass, WritePass, permit,
};

impl ReadPass {
    /// Lets `caller` read memories as `reader`: what the tree lets it read, as far as its `profile` leaves that to it.
    /// Whoever reads as the workspace reads no more than it does.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it.
    ///
    /// # Source
    /// product.md, sections 2 and 4.6.
    pub fn grant(
        caller: &Caller,
        tree: &Tree,
        reader: WorkspaceId,
        profile: &Arc<ProfileSettings>,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::ReadMemories, tree, reader)?;
        let reach = tree.reach(reader).ok_or(Refusal::NotFound)?;
        let reach = match profile.isolation {
            Isolation::Tree => reach,
            Isolation::Team | Isolation::Isolated => reach.narrowed(|part| profile.permits(part)),
        };
        Ok(Self { org: tree.org(), reach, by: caller.role(), profile: Arc::clone(profile) })
    }
}

impl WritePass {
    /// Lets `caller` write as `author` with `scope` and, for TEAM, `team`.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it; [`Forbidden::Scope`] when the place in the tree does not allow the scope.
    pub fn grant(
        caller: &Caller,
        tree: &Tree,
        author: WorkspaceId,
        scope: Scope,
        team: Option<WorkspaceId>,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::WriteMemories, tree, author)?;
        tree.write(author, scope, team).map_err(Forbidden::Scope)?;
        Ok(Self { org: tree.org(), author, scope, team, by: caller.role() })
    }
}

impl WritePass {
    /// Lets `caller` commit, as `author`, what a caller of role `wrote` held back for the end of a run. What the tree
    /// allows is asked of it anew; who wrote stays who wrote.
    ///
    /// # Errors
    /// As for [`WritePass::grant`].
    pub fn resume(
        caller: &Caller,
        tree: &Tree,
        author: WorkspaceId,
        (scope, team): (Scope, Option<WorkspaceId>),
        wrote: Role,
    ) -> Result<Self, Refusal> {
        Self::grant(caller, tree, author, scope, team).map(|pass| Self { by: wrote, ..pass })
    }
}

impl EditPass {
    /// Lets `caller`, acting as `workspace`, edit a memory that `author` wrote.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for `workspace`; [`Forbidden::NotAuthor`] when that is not the author.
    ///
    /// # Source
    /// product.md, section 4.2: `PATCH` is the author's alone.
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, author: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::WriteMemories, tree, workspace)?;
        if author != workspace {
            return Err(Forbidden::NotAuthor.into());
        }
        Ok(Self { org: tree.org(), author, by: caller.role() })
    }
}

impl ForgetPass {
    /// Lets `caller`, acting as `workspace`, forget a memory that `author` wrote.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for `workspace`; [`Forbidden::OthersMemory`] when the memory is another's and
    /// the caller's role does not cover that author.
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, author: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::ForgetMemories, tree, workspace)?;
        if author != workspace {
            permit(caller, Permission::ForgetMemories, tree, author).map_err(|_| Forbidden::OthersMemory)?;
        }
        Ok(Self { org: tree.org(), author })
    }
}

impl RedactPass {
    /// Lets `caller`, acting as `workspace`, redact a memory that `author` wrote.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for both.
    ///
    /// # Source
    /// product.md, section 3: an operator redacts in its subtree.
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, author: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::RedactMemories, tree, workspace)?;
        permit(caller, Permission::RedactMemories, tree, author)?;
        Ok(Self { org: tree.org(), author, by: caller.subject().to_owned() })
    }
}

impl ViewPass {
    /// Lets `caller` see what `action` shows of `workspace`.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it.
    pub fn grant(caller: &Caller, action: Permission, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, action, tree, workspace)?;
        Ok(Self { org: tree.org(), workspace })
    }
}

impl ActPass {
    /// Lets `caller` do `action` as `workspace`.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it.
    pub fn grant(caller: &Caller, action: Permission, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, action, tree, workspace)?;
        Ok(Self { org: tree.org(), workspace })
    }
}

//! Passes for what is told of what was done: the access log and the events.

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, Scope, Tree, WorkspaceId};

use crate::{Caller, Permission, ProfileSettings, ReadPass, Refusal, Role, permit};

/// May read rows of the access log: those of one workspace, or those of a subtree.
///
/// ```compile_fail
/// use orgmem_policies::AuditPass;
/// # fn steal(org: orgmem_hierarchy::OrgId, top: orgmem_hierarchy::WorkspaceId) {
/// let pass = AuditPass { org, top, below: true, whole: true };
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct AuditPass {
    org: OrgId,
    top: WorkspaceId,
    below: bool,
    whole: bool,
}

impl AuditPass {
    /// Lets `caller` read what was done as `workspace` or to it, and with `below` what was done below it.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it; an agent does not read what was done below it.
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, below: bool) -> Result<Self, Refusal> {
        permit(caller, Permission::ReadAccessLog, tree, workspace)?;
        if below {
            permit(caller, Permission::ReadTree, tree, workspace)?;
        }
        let whole = below && workspace == tree.root();
        Ok(Self { org: tree.org(), top: workspace, below, whole })
    }

    /// Lets `caller` read what was done with a memory, as far as it was done where the caller may look: an agent in its
    /// own workspace, others below theirs.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it.
    pub fn everywhere(caller: &Caller, tree: &Tree) -> Result<Self, Refusal> {
        let top = caller.workspace().unwrap_or(tree.root());
        Self::grant(caller, tree, top, caller.role() != Role::Agent)
    }

    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The workspace, or the topmost of them.
    #[must_use]
    pub fn top(&self) -> WorkspaceId {
        self.top
    }

    /// Whether what was done below it is read too.
    #[must_use]
    pub fn with_subtree(&self) -> bool {
        self.below
    }

    /// Whether all of the org is read, what was removed from it included.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

/// May have the chain of an org's access log checked.
#[derive(Clone, Debug)]
pub struct VerifyPass {
    org: OrgId,
}

impl VerifyPass {
    /// Lets `caller` check the chain of `tree`: who may read all of its access log.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it for the root.
    pub fn grant(caller: &Caller, tree: &Tree) -> Result<Self, Refusal> {
        AuditPass::grant(caller, tree, tree.root(), true).map(|pass| Self { org: pass.org })
    }

    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }
}

/// May watch what happens: to one workspace and to what it can read, or in a subtree.
#[derive(Clone, Debug)]
pub struct EventPass {
    reads: ReadPass,
    below: bool,
    whole: bool,
}

impl EventPass {
    /// Lets `caller` watch as `workspace`, which has this default profile, or with `below` all that happens there and
    /// below.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it; an agent does not watch what happens below it.
    pub fn grant(
        caller: &Caller,
        tree: &Tree,
        workspace: WorkspaceId,
        profile: &Arc<ProfileSettings>,
        below: bool,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::WatchEvents, tree, workspace)?;
        if below {
            permit(caller, Permission::ReadTree, tree, workspace)?;
        }
        let reads = ReadPass::grant(caller, tree, workspace, profile)?;
        Ok(Self { reads, below, whole: below && workspace == tree.root() })
    }

    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.reads.org()
    }

    /// The workspace that watches, or the topmost one that is watched.
    #[must_use]
    pub fn top(&self) -> WorkspaceId {
        self.reads.reader()
    }

    /// What the workspace can read.
    #[must_use]
    pub fn reads(&self) -> &ReadPass {
        &self.reads
    }

    /// Whether it may be told of what was done in `workspace`, to a memory on this shelf if it was done to one: what
    /// it can read, and what is its own. Nobody below [`top`](Self::top) reads what is neither below it nor read by it.
    ///
    /// # Returns
    /// None when it depends on whether `workspace` is below [`top`](Self::top), or was when it was removed.
    #[must_use]
    pub fn covers(&self, workspace: WorkspaceId, shelf: Option<(Scope, Option<WorkspaceId>)>) -> Option<bool> {
        let parts = self.reads.reach().parts();
        let is_told = match shelf {
            Some((scope, team)) => parts.iter().any(|part| part.author() == workspace && part.covers(scope, team)),
            None => workspace == self.top(),
        };
        match self.below {
            true if is_told || self.whole || workspace == self.top() => Some(true),
            true => None,
            false => Some(is_told),
        }
    }
}

//! Passes for the audit log and events.

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, Scope, Tree, WorkspaceId};

use crate::passes::pass;
use crate::{Caller, Permission, ProfileSettings, ReadPass, Refusal, permit};

pass! {
    /// Permits reading the audit rows of one workspace or of a subtree.
    ///
    /// ```compile_fail
    /// use orgmem_policies::AuditPass;
    /// # fn steal(org: orgmem_hierarchy::OrgId, top: orgmem_hierarchy::WorkspaceId) {
    /// let pass = AuditPass { org, top, with_subtree: true, is_whole: true };
    /// # }
    /// ```
    AuditPass {
        /// The workspace, or the root of the subtree.
        top: WorkspaceId,
        /// Whether rows of descendants are included.
        with_subtree: bool,
        /// Whether the pass covers the whole org, including removed workspaces.
        is_whole: bool,
    }
}

impl AuditPass {
    /// Permits `caller` to read the audit rows of `workspace`, and with `below` those of its descendants.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; agents cannot read the rows of descendants.
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, below: bool) -> Result<Self, Refusal> {
        permit(caller, Permission::ReadAccessLog, tree, workspace)?;
        if below {
            permit(caller, Permission::ReadTree, tree, workspace)?;
        }
        let is_whole = below && workspace == tree.root();
        Ok(Self { org: tree.org(), top: workspace, with_subtree: below, is_whole })
    }

    /// Permits `caller` to read all audit rows in its reach: an agent those of its workspace, others those of their
    /// subtree.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`].
    pub fn everywhere(caller: &Caller, tree: &Tree) -> Result<Self, Refusal> {
        let top = caller.workspace().unwrap_or(tree.root());
        Self::grant(caller, tree, top, caller.role().is_person())
    }
}

pass! {
    /// Permits verifying the hash chain of an org's audit log.
    VerifyPass {}
}

impl VerifyPass {
    /// Permits `caller` to verify the chain of `tree`, if it may read the whole audit log.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for the root.
    pub fn grant(caller: &Caller, tree: &Tree) -> Result<Self, Refusal> {
        AuditPass::grant(caller, tree, tree.root(), true).map(|pass| Self { org: pass.org })
    }
}

/// Permits watching the events of one workspace and of the memories that it can read, or of a subtree.
#[derive(Clone, Debug)]
pub struct EventPass {
    reads: ReadPass,
    below: bool,
    whole: bool,
}

impl EventPass {
    /// Permits `caller` to watch as `workspace` with its default `profile`, and with `below` the events of its
    /// descendants.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; agents cannot watch descendants.
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

    /// The org of the pass.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.reads.org()
    }

    /// The watching workspace, or the root of the watched subtree.
    #[must_use]
    pub fn top(&self) -> WorkspaceId {
        self.reads.reader()
    }

    /// The pass for the memories that the workspace can read.
    #[must_use]
    pub fn reads(&self) -> &ReadPass {
        &self.reads
    }

    /// Whether the pass covers an event of `workspace`; `partition` is the scope and team of the memory concerned.
    ///
    /// Descendants of [`top`](Self::top) read nothing else outside of its subtree.
    ///
    /// # Returns
    /// `None` if the answer depends on whether `workspace` is, or was at its removal, below [`top`](Self::top).
    #[must_use]
    pub fn covers(&self, workspace: WorkspaceId, partition: Option<(Scope, Option<WorkspaceId>)>) -> Option<bool> {
        let parts = self.reads.reach().parts();
        let is_covered = match partition {
            Some((scope, team)) => parts.iter().any(|part| part.author() == workspace && part.covers(scope, team)),
            None => workspace == self.top(),
        };
        match self.below {
            true if is_covered || self.whole || workspace == self.top() => Some(true),
            true => None,
            false => Some(is_covered),
        }
    }
}

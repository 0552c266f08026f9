//! Dry runs of tree changes, limited to the facts that the caller may see.

use orgmem_hierarchy::{Effect, Scope, Tree, TreeFaults, WorkspaceId};

use crate::{Caller, TreePass};

/// The effect of a permitted change on reach, for one caller. Built only from the pass of the change, so that the dry
/// run has the same refusals as the change.
pub struct Preview {
    effect: Effect,
    top: Option<WorkspaceId>,
}

impl Preview {
    /// The effect of the change of `pass` in `tree`, for `caller`.
    ///
    /// # Errors
    /// [`TreeFaults`] when the pass is for another tree.
    ///
    /// # Source
    /// `docs/spec/workspaces.md`, "Dry run of a change"; `docs/spec/callers.md`, "What a caller may count".
    pub fn of(caller: &Caller, tree: &Tree, pass: &TreePass) -> Result<Self, TreeFaults> {
        Ok(Self { effect: tree.effect(pass.change())?, top: caller.workspace() })
    }

    /// The complete effect, for any caller.
    #[must_use]
    pub fn effect(&self) -> &Effect {
        &self.effect
    }

    /// Candidates for gains and losses that the caller may see, in the order of the response.
    pub fn readers(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.effect.readers().iter().copied().filter(|&reader| self.covers(reader))
    }

    /// Whether the caller may see memories that `author` shares with `scope` and `team`: its bound workspace can read
    /// them now, or the author is in its subtree.
    #[must_use]
    pub fn shows(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> bool {
        let read_by = |top| self.effect.before().read(top, author, scope, team).is_ok();
        self.covers(author) || self.top.is_some_and(read_by)
    }

    fn covers(&self, workspace: WorkspaceId) -> bool {
        self.top.is_none_or(|top| self.effect.before().is_within(workspace, top))
    }
}

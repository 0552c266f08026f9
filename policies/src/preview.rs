//! What a change of the tree would do, as far as who asks may see it.

use orgmem_hierarchy::{Effect, Scope, Tree, TreeFaults, WorkspaceId};

use crate::{Caller, TreePass};

/// What a change that is allowed would do to who reads what, told to one caller. Made from the pass of the change alone,
/// so that what is refused in earnest is refused here.
pub struct Preview {
    effect: Effect,
    top: Option<WorkspaceId>,
}

impl Preview {
    /// What the change of `pass` would do in `tree`, for `caller`.
    ///
    /// # Errors
    /// [`TreeFaults`] when the pass was not given for this tree.
    ///
    /// # Source
    /// product.md, section 4.1, `dry_run`; section 3, "Counts and previews count only what the caller may see".
    pub fn of(caller: &Caller, tree: &Tree, pass: &TreePass) -> Result<Self, TreeFaults> {
        Ok(Self { effect: tree.effect(pass.change())?, top: caller.workspace() })
    }

    /// What it would do, whoever asks.
    #[must_use]
    pub fn effect(&self) -> &Effect {
        &self.effect
    }

    /// Those who may gain or lose something and are the caller's to see, in the order in which they are told of.
    pub fn readers(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.effect.readers().iter().copied().filter(|&reader| self.covers(reader))
    }

    /// Whether the caller may see what `author` shares so: somebody reads it now as whom the caller may read. Of those
    /// outside of the caller's subtree, only its top is near.
    #[must_use]
    pub fn shows(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> bool {
        let read_by = |top| self.effect.before().read(top, author, scope, team).is_ok();
        self.covers(author) || self.top.is_some_and(read_by)
    }

    fn covers(&self, workspace: WorkspaceId) -> bool {
        self.top.is_none_or(|top| self.effect.before().is_within(workspace, top))
    }
}

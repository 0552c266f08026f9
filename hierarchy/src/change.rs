//! Changes to a tree: planned here, carried out by the store, applied to the tree once they are durable.

use crate::{Placement, Tree, WorkspaceId};

/// How large a tree may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Levels, the root being the first.
    pub max_levels: usize,
    /// Live workspaces.
    pub max_workspaces: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self { max_levels: 64, max_workspaces: 1_000_000 }
    }
}

/// What becomes of the children of a workspace that is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// There must be none.
    Refuse,
    /// They move to its parent.
    Promote,
    /// They are removed with it, and everything below them.
    Cascade,
}

/// A change that the tree allows, with the rows that it changes. Only the planning functions of [`Tree`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeChange {
    placements: Vec<Placement>,
}

impl TreeChange {
    /// The new state of every row that changes.
    #[must_use]
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The workspaces that it removes.
    pub fn removed(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.placements.iter().filter(|row| !row.live).map(|row| row.id)
    }

    /// The workspaces that it creates or moves.
    pub fn placed(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.placements.iter().filter(|row| row.live).map(|row| row.id)
    }
}

/// Why a change of the tree is refused. The caller named something that is not possible in this tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeRefusal {
    /// The workspace is not live in this tree.
    #[error("workspace `{0}` is not live in this tree")]
    NotLive(WorkspaceId),
    /// The parent is not live in this tree; a move never leaves the tree.
    #[error("the new parent `{0}` is not live in this tree; a workspace moves within its own tree alone")]
    ParentNotInTree(WorkspaceId),
    /// The id is taken in this tree.
    #[error("workspace `{0}` is there already")]
    Taken(WorkspaceId),
    /// A workspace cannot be its own parent.
    #[error("a workspace cannot be its own parent; name another one")]
    UnderItself(WorkspaceId),
    /// The new parent is below the workspace.
    #[error("the new parent `{to}` is below `{id}`: the move would make a cycle; move `{to}` out first")]
    Cycle {
        /// The workspace that would move.
        id: WorkspaceId,
        /// The parent that was asked for.
        to: WorkspaceId,
    },
    /// The root stays where it is.
    #[error("the root does not move: an org has one root, and it is `{0}`")]
    RootStays(WorkspaceId),
    /// The tree would become deeper than allowed.
    #[error("the tree would be {levels} levels deep; at most {limit} are allowed")]
    TooDeep {
        /// How deep it would be.
        levels: usize,
        /// How deep it may be.
        limit: usize,
    },
    /// The tree would become larger than allowed.
    #[error("the tree has {limit} workspaces, as many as are allowed; remove some first")]
    TooLarge {
        /// How many are allowed.
        limit: usize,
    },
    /// It has children and nothing was said about them.
    #[error(
        "it has {count} live children; say `children=promote` to move them up or `children=cascade` to remove them too"
    )]
    HasChildren {
        /// How many.
        count: usize,
    },
    /// The children of a root have nowhere to go.
    #[error("a root's children cannot be promoted: there is nothing above it; say `children=cascade`")]
    NothingAboveRoot,
}

impl Tree {
    /// A new workspace `id` below `parent`.
    ///
    /// # Errors
    /// [`ChangeRefusal`] when the parent is not live, the id is taken, or the tree would outgrow `limits`.
    pub fn plan_create(
        &self,
        id: WorkspaceId,
        parent: WorkspaceId,
        limits: TreeLimits,
    ) -> Result<TreeChange, ChangeRefusal> {
        if !self.contains(parent) {
            return Err(ChangeRefusal::ParentNotInTree(parent));
        }
        if self.contains(id) {
            return Err(ChangeRefusal::Taken(id));
        }
        if self.len() >= limits.max_workspaces {
            return Err(ChangeRefusal::TooLarge { limit: limits.max_workspaces });
        }
        within_levels(self.depth(parent) + 2, limits)?;
        Ok(TreeChange { placements: vec![Placement::under(id, parent)] })
    }

    /// Moving `id`, and all below it, under `to`. Moving it to where it already is changes nothing and is allowed.
    ///
    /// # Errors
    /// [`ChangeRefusal`] when it would make a cycle, leave the tree, move the root, or outgrow `limits`.
    ///
    /// # Complexity
    /// O(depth), and O(size of the subtree) when it moves to a lower level.
    pub fn plan_move(&self, id: WorkspaceId, to: WorkspaceId, limits: TreeLimits) -> Result<TreeChange, ChangeRefusal> {
        if !self.contains(id) {
            return Err(ChangeRefusal::NotLive(id));
        }
        if id == to {
            return Err(ChangeRefusal::UnderItself(id));
        }
        if !self.contains(to) {
            return Err(ChangeRefusal::ParentNotInTree(to));
        }
        if id == self.root() {
            return Err(ChangeRefusal::RootStays(id));
        }
        if self.is_within(to, id) {
            return Err(ChangeRefusal::Cycle { id, to });
        }
        let depth = self.depth(to) + 1;
        if depth > self.depth(id) {
            let height = self.subtree(id).map(|(_, below)| below).max().unwrap_or(0);
            within_levels(depth + height + 1, limits)?;
        }
        Ok(TreeChange { placements: vec![Placement::under(id, to)] })
    }

    /// Removing `id`, with what is said about its children.
    ///
    /// # Errors
    /// [`ChangeRefusal`] when it is not live, has children and `children` is [`Children::Refuse`], or is a root whose
    /// children were to be promoted.
    ///
    /// # Complexity
    /// O(children) or, for a cascade, O(size of the subtree).
    pub fn plan_remove(&self, id: WorkspaceId, children: Children) -> Result<TreeChange, ChangeRefusal> {
        if !self.contains(id) {
            return Err(ChangeRefusal::NotLive(id));
        }
        let count = self.child_count(id);
        let placements = match (count, children) {
            (0, _) => vec![Placement::removed(id)],
            (count, Children::Refuse) => return Err(ChangeRefusal::HasChildren { count }),
            (_, Children::Cascade) => self.subtree(id).map(|(below, _)| Placement::removed(below)).collect(),
            (_, Children::Promote) => {
                let above = self.parent(id).ok_or(ChangeRefusal::NothingAboveRoot)?;
                let moved = self.children(id).map(|child| Placement::under(child, above));
                moved.chain([Placement::removed(id)]).collect()
            }
        };
        Ok(TreeChange { placements })
    }
}

fn within_levels(levels: usize, limits: TreeLimits) -> Result<(), ChangeRefusal> {
    if levels > limits.max_levels {
        return Err(ChangeRefusal::TooDeep { levels, limit: limits.max_levels });
    }
    Ok(())
}

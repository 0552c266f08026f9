//! Changes of a tree: planned here, written by the store, applied after the commit.

use crate::{Placement, Tree, WorkspaceId};

/// Maximum size of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Number of levels, the root included.
    pub max_levels: usize,
    /// Number of live workspaces.
    pub max_workspaces: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self { max_levels: 64, max_workspaces: 1_000_000 }
    }
}

/// Treatment of the children of a removed workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// Refuse if there are children.
    Refuse,
    /// Move them to the parent of the removed workspace.
    Promote,
    /// Remove all descendants too.
    Cascade,
}

/// A change that the tree allows, with its rows. Only the planning functions of [`Tree`] create one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeChange {
    placements: Vec<Placement>,
}

impl TreeChange {
    /// The new state of every changed row.
    #[must_use]
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The removed workspaces.
    pub fn removed(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.placements.iter().filter(|row| !row.live).map(|row| row.id)
    }

    /// The created or moved workspaces.
    pub fn placed(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.placements.iter().filter(|row| row.live).map(|row| row.id)
    }
}

/// Why a tree refuses a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeRefusal {
    /// The workspace is not live in this tree.
    #[error("workspace `{0}` is not live in this tree")]
    NotLive(WorkspaceId),
    /// The parent is not live in this tree; a move never leaves the tree.
    #[error("the new parent `{0}` is not live in this tree; a workspace moves only within its own tree")]
    ParentNotInTree(WorkspaceId),
    /// The id is already used in this tree.
    #[error("workspace `{0}` already exists")]
    Taken(WorkspaceId),
    /// A workspace cannot be its own parent.
    #[error("a workspace cannot be its own parent; name another one")]
    UnderItself(WorkspaceId),
    /// The new parent is a descendant of the workspace.
    #[error("the new parent `{to}` is below `{id}`: the move would make a cycle; move `{to}` out first")]
    Cycle {
        /// The workspace to move.
        id: WorkspaceId,
        /// The requested parent.
        to: WorkspaceId,
    },
    /// The root cannot move.
    #[error("the root does not move: an org has one root, and it is `{0}`")]
    RootStays(WorkspaceId),
    /// The tree would exceed the maximum depth.
    #[error("the tree would be {levels} levels deep; at most {limit} are allowed")]
    TooDeep {
        /// Depth after the change.
        levels: usize,
        /// Maximum depth.
        limit: usize,
    },
    /// The tree would exceed the maximum number of workspaces.
    #[error("the tree has {limit} workspaces, the maximum; remove some first")]
    TooLarge {
        /// Maximum number of workspaces.
        limit: usize,
    },
    /// The workspace has children and [`Children::Refuse`] was given.
    #[error(
        "it has {count} live children; use `children=promote` to move them up or `children=cascade` to remove them too"
    )]
    HasChildren {
        /// Number of children.
        count: usize,
    },
    /// The children of a root cannot be promoted.
    #[error("a root's children cannot be promoted, because a root has no parent; use `children=cascade`")]
    NothingAboveRoot,
}

impl Tree {
    /// Plans a new workspace `id` below `parent`.
    ///
    /// # Errors
    /// [`ChangeRefusal`] when the parent is not live, the id is taken, or the tree would exceed `limits`.
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

    /// Plans to move `id` with its subtree under `to`. A move to the current parent is allowed and changes nothing.
    ///
    /// # Errors
    /// [`ChangeRefusal`] when it would create a cycle, leave the tree, move the root, or exceed `limits`.
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

    /// Plans to remove `id`.
    ///
    /// # Errors
    /// [`ChangeRefusal`] when it is not live, has children and `children` is [`Children::Refuse`], or is a root with
    /// children to promote.
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

//! Walking the tree, up and down, never recursively.

use petgraph::stable_graph::NodeIndex;

use crate::{Tree, WorkspaceId};

impl Tree {
    /// The workspaces above `workspace`: its parent first, the root last. Empty for the root and for strangers.
    pub fn ancestors(&self, workspace: WorkspaceId) -> impl Iterator<Item = WorkspaceId> + '_ {
        let parent = self.at(workspace).and_then(|at| self.parent_at(at));
        std::iter::successors(parent, |&at| self.parent_at(at)).map(|at| self.graph[at].id)
    }

    /// How many steps `workspace` is below the root: 0 for the root itself.
    #[must_use]
    pub fn depth(&self, workspace: WorkspaceId) -> usize {
        self.ancestors(workspace).count()
    }

    /// Whether `workspace` is `top` or somewhere below it. False where either is not live here.
    ///
    /// # Complexity
    /// O(depth of `workspace`).
    #[must_use]
    pub fn is_within(&self, workspace: WorkspaceId, top: WorkspaceId) -> bool {
        self.contains(workspace) && (workspace == top || self.ancestors(workspace).any(|above| above == top))
    }

    /// `workspace` and all below it, each with its depth below `workspace` (0 for itself); parents before children.
    pub fn subtree(&self, workspace: WorkspaceId) -> impl Iterator<Item = (WorkspaceId, usize)> + '_ {
        let mut waiting: Vec<(NodeIndex, usize)> = self.at(workspace).map(|at| (at, 0)).into_iter().collect();
        std::iter::from_fn(move || {
            let (at, depth) = waiting.pop()?;
            waiting.extend(self.children_at(at).map(|child| (child, depth + 1)));
            Some((self.graph[at].id, depth))
        })
    }

    /// How many workspaces are below `workspace`, not counting itself; 0 where it is not live here.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn descendant_count(&self, workspace: WorkspaceId) -> usize {
        self.at(workspace).map_or(0, |at| self.graph[at].below as usize)
    }

    /// The lowest workspace that is above or equal to both; none where either is not live here.
    ///
    /// # Complexity
    /// O(depth of both).
    #[must_use]
    pub fn common_ancestor(&self, one: WorkspaceId, other: WorkspaceId) -> Option<WorkspaceId> {
        let (depth_of_one, depth_of_other) = (self.depth(one), self.depth(other));
        let (mut one, mut other) = (self.at(one)?, self.at(other)?);
        for _ in depth_of_other..depth_of_one {
            one = self.parent_at(one)?;
        }
        for _ in depth_of_one..depth_of_other {
            other = self.parent_at(other)?;
        }
        while one != other {
            (one, other) = (self.parent_at(one)?, self.parent_at(other)?);
        }
        Some(self.graph[one].id)
    }
}

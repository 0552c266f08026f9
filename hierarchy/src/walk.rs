//! Iterative walks up and down the tree.

use petgraph::stable_graph::NodeIndex;

use crate::{Tree, WorkspaceId};

impl Tree {
    /// The ancestors of `workspace`, its parent first. Empty for the root and for workspaces that are not live here.
    pub fn ancestors(&self, workspace: WorkspaceId) -> impl Iterator<Item = WorkspaceId> + '_ {
        let parent = self.at(workspace).and_then(|at| self.parent_at(at));
        std::iter::successors(parent, |&at| self.parent_at(at)).map(|at| self.graph[at].id)
    }

    /// The depth of `workspace` below the root, which has depth 0.
    #[must_use]
    pub fn depth(&self, workspace: WorkspaceId) -> usize {
        self.ancestors(workspace).count()
    }

    /// Whether `workspace` is `top` or a descendant of it. False if either is not live here.
    ///
    /// # Complexity
    /// O(depth of `workspace`).
    #[must_use]
    pub fn is_within(&self, workspace: WorkspaceId, top: WorkspaceId) -> bool {
        self.contains(workspace) && (workspace == top || self.ancestors(workspace).any(|above| above == top))
    }

    /// `workspace` and its descendants with their depth below `workspace`; parents before children.
    pub fn subtree(&self, workspace: WorkspaceId) -> impl Iterator<Item = (WorkspaceId, usize)> + '_ {
        let mut waiting: Vec<(NodeIndex, usize)> = self.at(workspace).map(|at| (at, 0)).into_iter().collect();
        std::iter::from_fn(move || {
            let (at, depth) = waiting.pop()?;
            waiting.extend(self.children_at(at).map(|child| (child, depth + 1)));
            Some((self.graph[at].id, depth))
        })
    }

    /// The number of descendants; 0 if `workspace` is not live here.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn descendant_count(&self, workspace: WorkspaceId) -> usize {
        self.at(workspace).map_or(0, |at| self.graph[at].below as usize)
    }

    /// The lowest workspace that is above or equal to both; `None` if either is not live here.
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

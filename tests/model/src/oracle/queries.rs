//! Queries on the current trees.

use std::fmt;

use uuid::Uuid;

use super::{Oracle, Workspace};

impl Oracle {
    /// Whether `id` was ever created, in any org.
    #[must_use]
    pub fn exists(&self, id: Uuid) -> bool {
        self.workspaces.contains_key(&id)
    }

    /// Whether `id` was created and not removed.
    #[must_use]
    pub fn is_live(&self, id: Uuid) -> bool {
        self.workspaces.get(&id).is_some_and(|workspace| workspace.live)
    }

    /// All workspaces ever created, in the order of ids.
    #[must_use]
    pub fn everyone(&self) -> Vec<Uuid> {
        self.workspaces.keys().copied().collect()
    }

    /// All live workspaces of every org, in the order of ids.
    #[must_use]
    pub fn live(&self) -> Vec<Uuid> {
        self.live_pairs().map(|(id, _)| id).collect()
    }

    /// The live workspaces without a parent, one for each org.
    #[must_use]
    pub fn roots(&self) -> Vec<Uuid> {
        self.live_pairs().filter(|(_, workspace)| workspace.parent.is_none()).map(|(id, _)| id).collect()
    }

    /// The parent of a live workspace.
    #[must_use]
    pub fn parent(&self, id: Uuid) -> Option<Uuid> {
        self.workspaces.get(&id).filter(|workspace| workspace.live)?.parent
    }

    /// The live workspaces whose parent is `id`.
    #[must_use]
    pub fn children(&self, id: Uuid) -> Vec<Uuid> {
        self.live_pairs().filter(|(_, workspace)| workspace.parent == Some(id)).map(|(id, _)| id).collect()
    }

    /// The ancestors of `id`, its parent first.
    #[must_use]
    pub fn path(&self, id: Uuid) -> Vec<Uuid> {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            path.push(parent);
            at = parent;
        }
        path
    }

    /// The number of ancestors of `id`.
    #[must_use]
    pub fn depth(&self, id: Uuid) -> usize {
        self.path(id).len()
    }

    /// The root of the tree that contains a live workspace.
    #[must_use]
    pub fn root(&self, id: Uuid) -> Option<Uuid> {
        let mut top = id;
        while let Some(parent) = self.parent(top) {
            top = parent;
        }
        self.is_live(id).then_some(top)
    }

    /// Whether both are live and in one tree.
    #[must_use]
    pub fn same_tree(&self, one: Uuid, other: Uuid) -> bool {
        self.root(one).is_some_and(|root| self.root(other) == Some(root))
    }

    /// Whether `low` is live and a descendant of `high`.
    #[must_use]
    pub fn is_below(&self, low: Uuid, high: Uuid) -> bool {
        self.path(low).contains(&high)
    }

    /// `id` and its live descendants.
    #[must_use]
    pub fn subtree(&self, id: Uuid) -> Vec<Uuid> {
        self.live().into_iter().filter(|&other| other == id || self.is_below(other, id)).collect()
    }

    /// The lowest workspace that is above or equal to both.
    #[must_use]
    pub fn common_ancestor(&self, one: Uuid, other: Uuid) -> Option<Uuid> {
        let above_both =
            |&id: &Uuid| (id == one || self.is_below(one, id)) && (id == other || self.is_below(other, id));
        self.live().into_iter().filter(above_both).max_by_key(|&id| self.depth(id))
    }

    fn live_pairs(&self) -> impl Iterator<Item = (Uuid, &Workspace)> {
        self.workspaces.iter().filter(|(_, workspace)| workspace.live).map(|(id, workspace)| (*id, workspace))
    }
}

/// The live trees as indented text for messages of failures, each workspace by the end of its id.
impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waiting = self.roots();
        waiting.reverse();
        while let Some(id) = waiting.pop() {
            let text = id.to_string();
            writeln!(f, "{}{}", "  ".repeat(self.depth(id)), &text[text.len() - 4..])?;
            waiting.extend(self.children(id).into_iter().rev());
        }
        Ok(())
    }
}

//! Steps: orgs are created, workspaces created, moved and removed, memories committed.

use uuid::Uuid;

use super::{Memory, Oracle, Scope, Workspace};

/// A requested operation with all ids that it needs, so that a server can receive the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A new org.
    Found {
        /// Id of the root.
        root: Uuid,
    },
    /// A new workspace.
    Create {
        /// Id of the workspace.
        id: Uuid,
        /// Parent of the new workspace.
        parent: Uuid,
    },
    /// A workspace moves with its subtree.
    Move {
        /// Id of the workspace.
        id: Uuid,
        /// The new parent.
        to: Uuid,
    },
    /// A workspace is removed.
    Remove {
        /// Id of the workspace.
        id: Uuid,
        /// Treatment of its children.
        children: Children,
    },
    /// A memory is committed.
    Commit(Memory),
}

/// Treatment of the children of a removed workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// Refuse if there are children.
    Refuse,
    /// They move to its parent.
    Promote,
    /// All descendants are removed too.
    Cascade,
}

/// A reason why a step is impossible. A step may have several; a server may report any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objection {
    /// The workspace to change, or the author, is not live.
    NotLive(Uuid),
    /// The requested parent is not live.
    ParentNotLive(Uuid),
    /// The id was already used, in any org.
    IdTaken(Uuid),
    /// The new parent is the workspace itself.
    UnderItself,
    /// The new parent is a descendant of the workspace.
    Cycle,
    /// The new parent is in another tree.
    OtherTree,
    /// Roots cannot move.
    RootStays,
    /// The tree would have this many levels, more than the maximum.
    TooDeep(usize),
    /// The tree has the maximum number of workspaces.
    Full,
    /// There are this many children and [`Children::Refuse`] was given.
    HasChildren(usize),
    /// The children of a root have no grandparent to move to.
    NothingAboveRoot,
    /// Only a root writes GLOBAL.
    OnlyRootWritesGlobal,
    /// A team needs the scope TEAM.
    TeamNeedsTeamScope,
    /// The team is neither the author's own nor its parent's.
    TeamNotOwn,
}

impl Oracle {
    /// The state after these steps, which must all be possible.
    ///
    /// # Panics
    /// When one is impossible, which is a fault of the test.
    #[must_use]
    pub fn after(steps: &[Step]) -> Self {
        let mut oracle = Self::default();
        for step in steps {
            if let Err(objections) = oracle.apply(step) {
                panic!("{step:?} is not possible: {objections:?}");
            }
        }
        oracle
    }

    /// All objections to a step; empty if it is possible.
    #[must_use]
    pub fn objections(&self, step: &Step) -> Vec<Objection> {
        let found = match step {
            Step::Found { root } => vec![(self.exists(*root), Objection::IdTaken(*root))],
            Step::Create { id, parent } => self.create_objections(*id, *parent),
            Step::Move { id, to } => self.move_objections(*id, *to),
            Step::Remove { id, children } => self.remove_objections(*id, *children),
            Step::Commit(memory) => self.commit_objections(memory),
        };
        found.into_iter().filter(|(holds, _)| *holds).map(|(_, objection)| objection).collect()
    }

    /// Applies the step if it is possible; otherwise changes nothing.
    ///
    /// # Errors
    /// All objections.
    pub fn apply(&mut self, step: &Step) -> Result<(), Vec<Objection>> {
        let objections = self.objections(step);
        if !objections.is_empty() {
            return Err(objections);
        }
        match step {
            Step::Found { root } => self.place(*root, None),
            Step::Create { id, parent } => self.place(*id, Some(*parent)),
            Step::Move { id, to } => self.place(*id, Some(*to)),
            Step::Remove { id, children } => self.remove(*id, *children),
            Step::Commit(memory) => self.memories.push(memory.clone()),
        }
        Ok(())
    }

    fn place(&mut self, id: Uuid, parent: Option<Uuid>) {
        self.workspaces.insert(id, Workspace { parent, live: true });
    }

    fn remove(&mut self, id: Uuid, children: Children) {
        let gone = match children {
            Children::Cascade => self.subtree(id),
            Children::Refuse | Children::Promote => vec![id],
        };
        if children == Children::Promote {
            let above = self.parent(id);
            self.children(id).into_iter().for_each(|child| self.place(child, above));
        }
        for id in gone {
            self.workspaces.insert(id, Workspace { parent: None, live: false });
        }
    }

    fn create_objections(&self, id: Uuid, parent: Uuid) -> Vec<(bool, Objection)> {
        let levels = self.depth(parent) + 2;
        vec![
            (self.exists(id), Objection::IdTaken(id)),
            (!self.is_live(parent), Objection::ParentNotLive(parent)),
            (levels > self.max_levels, Objection::TooDeep(levels)),
            (self.size_of_tree(parent) >= self.max_workspaces, Objection::Full),
        ]
    }

    fn move_objections(&self, id: Uuid, to: Uuid) -> Vec<(bool, Objection)> {
        let lowest = self.subtree(id).into_iter().map(|below| self.depth(below)).max().unwrap_or(0);
        let levels = self.depth(to) + 1 + lowest - self.depth(id) + 1;
        vec![
            (!self.is_live(id), Objection::NotLive(id)),
            (!self.is_live(to), Objection::ParentNotLive(to)),
            (id == to, Objection::UnderItself),
            (self.is_below(to, id), Objection::Cycle),
            (self.is_live(id) && self.is_live(to) && !self.same_tree(id, to), Objection::OtherTree),
            (self.roots().contains(&id), Objection::RootStays),
            (levels > self.max_levels, Objection::TooDeep(levels)),
        ]
    }

    fn remove_objections(&self, id: Uuid, children: Children) -> Vec<(bool, Objection)> {
        let count = self.children(id).len();
        let promoted = count > 0 && children == Children::Promote;
        vec![
            (!self.is_live(id), Objection::NotLive(id)),
            (count > 0 && children == Children::Refuse, Objection::HasChildren(count)),
            (promoted && self.roots().contains(&id), Objection::NothingAboveRoot),
        ]
    }

    fn commit_objections(&self, memory: &Memory) -> Vec<(bool, Objection)> {
        let Memory { author, scope, team, .. } = *memory;
        let own = |lead| lead == author || self.parent(author) == Some(lead);
        vec![
            (!self.is_live(author), Objection::NotLive(author)),
            (scope == Scope::Global && self.parent(author).is_some(), Objection::OnlyRootWritesGlobal),
            (scope != Scope::Team && team.is_some(), Objection::TeamNeedsTeamScope),
            (scope == Scope::Team && !team.is_none_or(own), Objection::TeamNotOwn),
        ]
    }

    fn size_of_tree(&self, id: Uuid) -> usize {
        self.root(id).map_or(0, |root| self.subtree(root).len())
    }
}

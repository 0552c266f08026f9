//! What may happen: orgs are founded, workspaces created, moved and removed, memories committed.

use uuid::Uuid;

use super::{Memory, Oracle, Scope, Workspace};

/// Something that somebody asks for. It carries every id it needs, so that a server can be asked the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A new org with this root.
    Found {
        /// The root.
        root: Uuid,
    },
    /// A new workspace.
    Create {
        /// The workspace.
        id: Uuid,
        /// Below which other.
        parent: Uuid,
    },
    /// A workspace goes elsewhere, with all below it.
    Move {
        /// The workspace.
        id: Uuid,
        /// Its new parent.
        to: Uuid,
    },
    /// A workspace is removed.
    Remove {
        /// The workspace.
        id: Uuid,
        /// What becomes of its children.
        children: Children,
    },
    /// A memory is written.
    Commit(Memory),
}

/// What is said about the children of a workspace that is to be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// Nothing: there must be none.
    Refuse,
    /// They move to its parent.
    Promote,
    /// They are removed with it, with all below them.
    Cascade,
}

/// One reason why a step is not possible. A step may have several; a server may tell any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objection {
    /// The workspace that is to change or to write is not live.
    NotLive(Uuid),
    /// The parent that is asked for is not live.
    ParentNotLive(Uuid),
    /// The id was given to a workspace before, in whatever org.
    IdTaken(Uuid),
    /// The new parent is the workspace itself.
    UnderItself,
    /// The new parent is below the workspace.
    Cycle,
    /// The new parent is in another tree.
    OtherTree,
    /// Roots do not move.
    RootStays,
    /// The tree would have this many levels, which is too many.
    TooDeep(usize),
    /// The tree has as many workspaces as it may have.
    Full,
    /// There are this many children and nothing was said of them.
    HasChildren(usize),
    /// There is nothing above a root, for its children to move to.
    NothingAboveRoot,
    /// Only a root writes GLOBAL.
    OnlyRootWritesGlobal,
    /// A team goes with TEAM alone.
    TeamNeedsTeamScope,
    /// The team is neither the author's own nor its parent's.
    TeamNotOwn,
}

impl Oracle {
    /// The world after these steps, which are all possible.
    ///
    /// # Panics
    /// When one is not: the test that made them is wrong.
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

    /// Everything that stands against a step; empty where it is possible.
    #[must_use]
    pub fn objections(&self, step: &Step) -> Vec<Objection> {
        let found = match step {
            Step::Found { root } => vec![(self.exists(*root), Objection::IdTaken(*root))],
            Step::Create { id, parent } => self.against_create(*id, *parent),
            Step::Move { id, to } => self.against_move(*id, *to),
            Step::Remove { id, children } => self.against_remove(*id, *children),
            Step::Commit(memory) => self.against_commit(memory),
        };
        found.into_iter().filter(|(holds, _)| *holds).map(|(_, objection)| objection).collect()
    }

    /// Does what the step says, if it is possible; else nothing.
    ///
    /// # Errors
    /// Every objection.
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

    fn against_create(&self, id: Uuid, parent: Uuid) -> Vec<(bool, Objection)> {
        let levels = self.depth(parent) + 2;
        vec![
            (self.exists(id), Objection::IdTaken(id)),
            (!self.is_live(parent), Objection::ParentNotLive(parent)),
            (levels > self.max_levels, Objection::TooDeep(levels)),
            (self.size_of_tree(parent) >= self.max_workspaces, Objection::Full),
        ]
    }

    fn against_move(&self, id: Uuid, to: Uuid) -> Vec<(bool, Objection)> {
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

    fn against_remove(&self, id: Uuid, children: Children) -> Vec<(bool, Objection)> {
        let count = self.children(id).len();
        let promoted = count > 0 && children == Children::Promote;
        vec![
            (!self.is_live(id), Objection::NotLive(id)),
            (count > 0 && children == Children::Refuse, Objection::HasChildren(count)),
            (promoted && self.roots().contains(&id), Objection::NothingAboveRoot),
        ]
    }

    fn against_commit(&self, memory: &Memory) -> Vec<(bool, Objection)> {
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

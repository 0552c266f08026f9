//! The trees of several orgs, driven by the oracle's steps.

use orgmem_hierarchy::{
    ChangeRefusal, Children, OrgId, Placement, Reason, Scope, Tree, TreeChange, TreeLimits, WorkspaceId,
};
use orgmem_model::oracle::{self, Memory, Objection, Oracle, Step};
use uuid::Uuid;

/// What a server would hold: a tree for each org, changed by planned changes alone.
#[derive(Clone)]
pub(crate) struct System {
    /// In the order in which the orgs were founded.
    pub(crate) trees: Vec<Tree>,
    /// An empty tree, asked for workspaces that are in no other.
    nowhere: Tree,
}

/// What the tree says against a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum No {
    Change(ChangeRefusal),
    Write(Reason),
}

impl Default for System {
    fn default() -> Self {
        let nobody = OrgId::of_root(Uuid::nil().into());
        Self { trees: Vec::new(), nowhere: Tree::build(nobody, []).expect("nothing is an empty tree") }
    }
}

impl System {
    /// After these steps, which are all possible.
    pub(crate) fn after(steps: &[Step]) -> Self {
        let mut system = Self::default();
        for step in steps {
            assert_eq!(system.apply(step), Ok(()), "{step:?}");
        }
        system
    }

    /// Does a step as a server would: plan, then take over the rows that the plan changes.
    pub(crate) fn apply(&mut self, step: &Step) -> Result<(), No> {
        if let Step::Found { root } = *step {
            let org = OrgId::of_root(root.into());
            self.trees.push(Tree::build(org, [Placement::root(root.into())]).expect("a root is a tree"));
        }
        if let Some(change) = self.plan(step)? {
            let place = self.place_of(step).expect("a change is planned for a tree");
            self.trees[place].apply(change.placements()).expect("a planned change leaves a tree");
        }
        Ok(())
    }

    /// The change that a step makes to its tree; none for steps that change no tree.
    pub(crate) fn plan(&self, step: &Step) -> Result<Option<TreeChange>, No> {
        let tree = self.place_of(step).map_or(&self.nowhere, |place| &self.trees[place]);
        let change = match *step {
            Step::Found { .. } => return Ok(None),
            Step::Commit(Memory { author, scope, team, .. }) => {
                let written = tree.write(author.into(), its_scope(scope), team.map(Into::into));
                return written.map(|_| None).map_err(No::Write);
            }
            Step::Create { id, parent } => tree.plan_create(id.into(), parent.into(), TreeLimits::default()),
            Step::Move { id, to } => tree.plan_move(id.into(), to.into(), TreeLimits::default()),
            Step::Remove { id, children } => tree.plan_remove(id.into(), its_children(children)),
        };
        change.map(Some).map_err(No::Change)
    }

    /// Whether any tree lets the reader read: a server does not ask the wrong one, but even that must leak nothing.
    pub(crate) fn can_read(&self, reader: Uuid, author: Uuid, scope: oracle::Scope, team: Option<Uuid>) -> bool {
        let team = team.map(Into::into);
        self.trees.iter().any(|tree| tree.read(reader.into(), author.into(), its_scope(scope), team).is_ok())
    }

    /// The tree in which a workspace is live; an empty one, where there is none.
    pub(crate) fn tree_of(&self, id: Uuid) -> &Tree {
        self.trees.iter().find(|tree| tree.contains(id.into())).unwrap_or(&self.nowhere)
    }

    /// Which tree a step is about.
    pub(crate) fn place_of(&self, step: &Step) -> Option<usize> {
        let subject = match *step {
            Step::Found { root } => root,
            Step::Create { parent, .. } => parent,
            Step::Move { id, .. } | Step::Remove { id, .. } => id,
            Step::Commit(Memory { author, .. }) => author,
        };
        self.trees.iter().position(|tree| tree.contains(subject.into()))
    }
}

/// Whether a refusal says one of the things that stand against the step.
pub(crate) fn is_among(no: &No, objections: &[Objection]) -> bool {
    let bare = |id: WorkspaceId| id.uuid();
    let said = match *no {
        No::Change(ChangeRefusal::NotLive(id)) => Objection::NotLive(bare(id)),
        No::Change(ChangeRefusal::ParentNotInTree(id)) => {
            return objections.contains(&Objection::ParentNotLive(bare(id)))
                || objections.contains(&Objection::OtherTree);
        }
        No::Change(ChangeRefusal::Taken(id)) => Objection::IdTaken(bare(id)),
        No::Change(ChangeRefusal::UnderItself(_)) => Objection::UnderItself,
        No::Change(ChangeRefusal::Cycle { .. }) => Objection::Cycle,
        No::Change(ChangeRefusal::RootStays(_)) => Objection::RootStays,
        No::Change(ChangeRefusal::TooDeep { levels, .. }) => Objection::TooDeep(levels),
        No::Change(ChangeRefusal::TooLarge { .. }) => Objection::Full,
        No::Change(ChangeRefusal::HasChildren { count }) => Objection::HasChildren(count),
        No::Change(ChangeRefusal::NothingAboveRoot) => Objection::NothingAboveRoot,
        No::Write(Reason::OnlyRootWritesGlobal(_)) => Objection::OnlyRootWritesGlobal,
        No::Write(Reason::TeamNeedsTeamScope) => Objection::TeamNeedsTeamScope,
        No::Write(Reason::TeamNotOwn(_)) => Objection::TeamNotOwn,
        No::Write(Reason::NotInSameTree) => {
            return objections.iter().any(|objection| matches!(objection, Objection::NotLive(_)));
        }
        No::Write(_) => return false,
    };
    objections.contains(&said)
}

/// Whether the step asks for an id that some workspace had before. That is for the store to refuse: the tree knows
/// neither removed workspaces nor other orgs.
pub(crate) fn reuses_an_id(step: &Step, oracle: &Oracle) -> bool {
    match *step {
        Step::Found { root: id } | Step::Create { id, .. } => oracle.exists(id),
        Step::Move { .. } | Step::Remove { .. } | Step::Commit(_) => false,
    }
}

/// The rows of every workspace of the org of `root`, as the oracle has them.
pub(crate) fn rows_of(oracle: &Oracle, root: WorkspaceId) -> Vec<Placement> {
    let place = |id: Uuid| Placement { id: id.into(), parent: oracle.parent(id).map(Into::into), live: true };
    oracle.subtree(root.uuid()).into_iter().map(place).collect()
}

pub(crate) fn its_scope(scope: oracle::Scope) -> Scope {
    match scope {
        oracle::Scope::Local => Scope::Local,
        oracle::Scope::Team => Scope::Team,
        oracle::Scope::Global => Scope::Global,
    }
}

fn its_children(children: oracle::Children) -> Children {
    match children {
        oracle::Children::Refuse => Children::Refuse,
        oracle::Children::Promote => Children::Promote,
        oracle::Children::Cascade => Children::Cascade,
    }
}

//! The trees of several orgs, driven by the oracle's steps.

use orgmem_hierarchy::{
    ChangeRefusal, Children, OrgId, Placement, Reason, Scope, Tree, TreeChange, TreeLimits, WorkspaceId,
};
use orgmem_model::oracle::{self, Memory, Objection, Oracle, Step};
use uuid::Uuid;

/// The state of a server: one tree per org, modified only by planned changes.
#[derive(Clone)]
pub(crate) struct System {
    /// In the order of creation.
    pub(crate) trees: Vec<Tree>,
    /// An empty tree, for workspaces that are in no tree.
    empty: Tree,
}

/// Why the tree refuses a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StepRefusal {
    Change(ChangeRefusal),
    Write(Reason),
}

impl Default for System {
    fn default() -> Self {
        let nobody = OrgId::of_root(Uuid::nil().into());
        Self { trees: Vec::new(), empty: Tree::build(nobody, []).expect("nothing is an empty tree") }
    }
}

impl System {
    /// The state after these steps, which must all be possible.
    pub(crate) fn after(steps: &[Step]) -> Self {
        let mut system = Self::default();
        for step in steps {
            assert_eq!(system.apply(step), Ok(()), "{step:?}");
        }
        system
    }

    /// Applies a step like a server: plans it, then applies the planned rows.
    pub(crate) fn apply(&mut self, step: &Step) -> Result<(), StepRefusal> {
        if let Step::Found { root } = *step {
            let org = OrgId::of_root(root.into());
            self.trees.push(Tree::build(org, [Placement::root(root.into())]).expect("a root is a tree"));
        }
        if let Some(change) = self.plan(step)? {
            let place = self.tree_index(step).expect("a change is planned for a tree");
            self.trees[place].apply(change.placements()).expect("a planned change leaves a tree");
        }
        Ok(())
    }

    /// The change for a step; `None` for steps that do not change a tree.
    pub(crate) fn plan(&self, step: &Step) -> Result<Option<TreeChange>, StepRefusal> {
        let tree = self.tree_index(step).map_or(&self.empty, |place| &self.trees[place]);
        let change = match *step {
            Step::Found { .. } => return Ok(None),
            Step::Commit(Memory { author, scope, team, .. }) => {
                let written = tree.write(author.into(), to_scope(scope), team.map(Into::into));
                return written.map(|_| None).map_err(StepRefusal::Write);
            }
            Step::Create { id, parent } => tree.plan_create(id.into(), parent.into(), TreeLimits::default()),
            Step::Move { id, to } => tree.plan_move(id.into(), to.into(), TreeLimits::default()),
            Step::Remove { id, children } => tree.plan_remove(id.into(), to_children(children)),
        };
        change.map(Some).map_err(StepRefusal::Change)
    }

    /// Whether any tree permits the read, even the wrong one.
    pub(crate) fn can_read(&self, reader: Uuid, author: Uuid, scope: oracle::Scope, team: Option<Uuid>) -> bool {
        let team = team.map(Into::into);
        self.trees.iter().any(|tree| tree.read(reader.into(), author.into(), to_scope(scope), team).is_ok())
    }

    /// The tree that contains a live workspace; otherwise an empty one.
    pub(crate) fn tree_of(&self, id: Uuid) -> &Tree {
        self.trees.iter().find(|tree| tree.contains(id.into())).unwrap_or(&self.empty)
    }

    /// The tree that a step concerns.
    pub(crate) fn tree_index(&self, step: &Step) -> Option<usize> {
        let subject = match *step {
            Step::Found { root } => root,
            Step::Create { parent, .. } => parent,
            Step::Move { id, .. } | Step::Remove { id, .. } => id,
            Step::Commit(Memory { author, .. }) => author,
        };
        self.trees.iter().position(|tree| tree.contains(subject.into()))
    }
}

/// Whether the refusal is one of the valid objections to the step.
pub(crate) fn is_among(no: &StepRefusal, objections: &[Objection]) -> bool {
    let uuid = |id: WorkspaceId| id.uuid();
    let objection = match *no {
        StepRefusal::Change(ChangeRefusal::NotLive(id)) => Objection::NotLive(uuid(id)),
        StepRefusal::Change(ChangeRefusal::ParentNotInTree(id)) => {
            return objections.contains(&Objection::ParentNotLive(uuid(id)))
                || objections.contains(&Objection::OtherTree);
        }
        StepRefusal::Change(ChangeRefusal::Taken(id)) => Objection::IdTaken(uuid(id)),
        StepRefusal::Change(ChangeRefusal::UnderItself(_)) => Objection::UnderItself,
        StepRefusal::Change(ChangeRefusal::Cycle { .. }) => Objection::Cycle,
        StepRefusal::Change(ChangeRefusal::RootStays(_)) => Objection::RootStays,
        StepRefusal::Change(ChangeRefusal::TooDeep { levels, .. }) => Objection::TooDeep(levels),
        StepRefusal::Change(ChangeRefusal::TooLarge { .. }) => Objection::Full,
        StepRefusal::Change(ChangeRefusal::HasChildren { count }) => Objection::HasChildren(count),
        StepRefusal::Change(ChangeRefusal::NothingAboveRoot) => Objection::NothingAboveRoot,
        StepRefusal::Write(Reason::OnlyRootWritesGlobal(_)) => Objection::OnlyRootWritesGlobal,
        StepRefusal::Write(Reason::TeamNeedsTeamScope) => Objection::TeamNeedsTeamScope,
        StepRefusal::Write(Reason::TeamNotOwn(_)) => Objection::TeamNotOwn,
        StepRefusal::Write(Reason::NotInSameTree) => {
            return objections.iter().any(|objection| matches!(objection, Objection::NotLive(_)));
        }
        StepRefusal::Write(_) => return false,
    };
    objections.contains(&objection)
}

/// Whether the step uses the id of an earlier workspace. Only the store can refuse that, because the tree contains
/// neither removed workspaces nor other orgs.
pub(crate) fn reuses_an_id(step: &Step, oracle: &Oracle) -> bool {
    match *step {
        Step::Found { root: id } | Step::Create { id, .. } => oracle.exists(id),
        Step::Move { .. } | Step::Remove { .. } | Step::Commit(_) => false,
    }
}

/// The oracle's rows of every workspace of the org of `root`.
pub(crate) fn rows_of(oracle: &Oracle, root: WorkspaceId) -> Vec<Placement> {
    let place = |id: Uuid| Placement { id: id.into(), parent: oracle.parent(id).map(Into::into), live: true };
    oracle.subtree(root.uuid()).into_iter().map(place).collect()
}

pub(crate) fn to_scope(scope: oracle::Scope) -> Scope {
    match scope {
        oracle::Scope::Local => Scope::Local,
        oracle::Scope::Team => Scope::Team,
        oracle::Scope::Global => Scope::Global,
    }
}

fn to_children(children: oracle::Children) -> Children {
    match children {
        oracle::Children::Refuse => Children::Refuse,
        oracle::Children::Promote => Children::Promote,
        oracle::Children::Cascade => Children::Cascade,
    }
}

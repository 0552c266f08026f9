//! What a change would do to who reads what, before it is made: the tree decides twice, as it is and as it would be.

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::RandomState;

use crate::{Audience, Placement, Scope, Tree, TreeChange, TreeFaults, WorkspaceId};

/// What a change does to one reader and what one author shares in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// It is read from then on.
    Gains,
    /// It is read no more.
    Loses,
}

/// A change that was planned, and what comes of it for who reads what. Nothing is changed.
///
/// It holds the part of the tree that the change touches, as it is and as it would be, and asks the two what
/// [`Tree::read`] and [`Tree::audience`] answer.
pub struct Effect {
    before: Tree,
    after: Tree,
    /// Those that stand elsewhere after it, or nowhere.
    changed: HashSet<WorkspaceId, RandomState>,
    /// Those of them that somebody may lose or gain who stays where it is.
    outer: Vec<WorkspaceId>,
    readers: Vec<WorkspaceId>,
}

impl Tree {
    /// What `change`, which was planned on this tree, would do.
    ///
    /// # Errors
    /// [`TreeFaults`] when it was not planned on this tree.
    ///
    /// # Complexity
    /// O(workspaces that the change names, their children and siblings, old and new), each with its depth.
    ///
    /// # Source
    /// product.md, section 4.1: `dry_run`.
    pub fn effect(&self, change: &TreeChange) -> Result<Effect, TreeFaults> {
        let moves = |row: &&Placement| !row.live || self.parent(row.id) != row.parent;
        let rows: Vec<Placement> = change.placements().iter().filter(moves).copied().collect();
        let changed: HashSet<WorkspaceId, RandomState> = rows.iter().map(|row| row.id).collect();
        let parents: BTreeSet<WorkspaceId> =
            rows.iter().flat_map(|row| [self.parent(row.id), row.parent]).flatten().collect();
        let mut touched: BTreeSet<WorkspaceId> = changed.iter().chain(&parents).copied().collect();
        touched.extend(parents.iter().chain(&changed).flat_map(|&id| self.children(id)));
        let before = self.part_with(&touched)?;
        let mut after = before.clone();
        after.apply(&rows)?;
        let seen_from_outside =
            |id: &WorkspaceId| after.contains(*id) || before.parent(*id).is_some_and(|parent| after.contains(parent));
        let outer = rows.iter().map(|row| row.id).filter(seen_from_outside).collect();
        let readers = in_order(change, &rows, &parents, &before, &changed);
        Ok(Effect { before, after, changed, outer, readers })
    }

    /// The same tree with these workspaces and all above them alone: how those stand to each other is the same.
    fn part_with(&self, these: &BTreeSet<WorkspaceId>) -> Result<Self, TreeFaults> {
        let mut taken: HashSet<WorkspaceId, RandomState> = HashSet::default();
        let mut rows = Vec::with_capacity(these.len());
        for &id in these {
            let mut at = Some(id).filter(|&id| self.contains(id));
            while let Some(next) = at.filter(|&id| taken.insert(id)) {
                at = self.parent(next);
                rows.push(Placement { id: next, parent: at, live: true });
            }
        }
        Self::build(self.org(), rows)
    }
}

/// Who may gain or lose something: first what the change is about, then what moves, the parents, those beside them, and
/// what else is removed. The order is the same whenever and wherever it is asked for.
fn in_order(
    change: &TreeChange,
    rows: &[Placement],
    parents: &BTreeSet<WorkspaceId>,
    before: &Tree,
    changed: &HashSet<WorkspaceId, RandomState>,
) -> Vec<WorkspaceId> {
    let top = change.removed().next().or_else(|| rows.first().map(|row| row.id));
    let live: BTreeSet<WorkspaceId> = rows.iter().filter(|row| row.live).map(|row| row.id).collect();
    let beside = |&id: &WorkspaceId| before.children(id).collect::<Vec<_>>();
    // what was below a removed one moves or is removed too
    let beside: BTreeSet<WorkspaceId> = parents.iter().flat_map(beside).filter(|id| !changed.contains(id)).collect();
    let stay = parents.iter().copied().filter(|id| !changed.contains(id));
    let mut seen: HashSet<WorkspaceId, RandomState> = HashSet::default();
    let all = top.into_iter().filter(|_| !rows.is_empty()).chain(live).chain(stay).chain(beside);
    all.chain(change.removed()).filter(|&id| seen.insert(id)).collect()
}

impl Effect {
    /// Those who may gain or lose something, each once, what the change is about first; nobody else does.
    #[must_use]
    pub fn readers(&self) -> &[WorkspaceId] {
        &self.readers
    }

    /// The authors of what `reader` may gain or lose, each once: of nobody else does it gain or lose anything.
    ///
    /// # Complexity
    /// O(children of `reader` + children of its parent, old and new) for one that moves or is removed, else O(those that
    /// move and are seen by who stays).
    #[must_use]
    pub fn authors(&self, reader: WorkspaceId) -> Vec<WorkspaceId> {
        if !self.changed.contains(&reader) {
            return self.outer.clone();
        }
        let root = self.before.root();
        let near = |tree: &Tree| -> Vec<WorkspaceId> {
            tree.parent(reader).into_iter().chain(tree.children(reader)).chain(tree.siblings(reader)).collect()
        };
        let authors: BTreeSet<WorkspaceId> =
            near(&self.before).into_iter().chain(near(&self.after)).chain([reader, root]).collect();
        authors.into_iter().collect()
    }

    /// What becomes of `reader`'s reading what `author` shares so; none where nothing does.
    #[must_use]
    pub fn turn(
        &self,
        reader: WorkspaceId,
        author: WorkspaceId,
        scope: Scope,
        team: Option<WorkspaceId>,
    ) -> Option<Turn> {
        let reads = |tree: &Tree| tree.read(reader, author, scope, team).is_ok();
        match (reads(&self.before), reads(&self.after)) {
            (false, true) => Some(Turn::Gains),
            (true, false) => Some(Turn::Loses),
            (true, true) | (false, false) => None,
        }
    }

    /// Whether what `author` shares so was read by others and is from then on read by the author alone: as is what is
    /// bound to a team that it leaves.
    #[must_use]
    pub fn leaves_alone(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> bool {
        let alone = |tree: &Tree| match tree.audience(author, scope, team) {
            Some(Audience::These(readers)) => Some(readers.len() == 1),
            Some(Audience::WholeOrg) => Some(tree.len() == 1),
            None => None,
        };
        alone(&self.before) == Some(false) && alone(&self.after) == Some(true)
    }

    /// Whether it removes this workspace.
    #[must_use]
    pub fn removes(&self, workspace: WorkspaceId) -> bool {
        self.before.contains(workspace) && !self.after.contains(workspace)
    }

    /// The part of the tree that it touches, as it is: the workspaces that it is about and all above them.
    #[must_use]
    pub fn before(&self) -> &Tree {
        &self.before
    }
}

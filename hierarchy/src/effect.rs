//! The effect of a planned change on reach: the same rules decide on the tree before and after it.

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::RandomState;

use crate::{Audience, Placement, Scope, Tree, TreeChange, TreeFaults, WorkspaceId};

/// Effect on one reader of the memories that one author shares in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessChange {
    /// Newly readable.
    Gains,
    /// No longer readable.
    Loses,
}

/// A planned change and its effect on reach.
///
/// It contains the affected part of the tree before and after the change and evaluates [`Tree::read`] and
/// [`Tree::audience`] on both.
pub struct Effect {
    before: Tree,
    after: Tree,
    /// Moved or removed workspaces.
    changed: HashSet<WorkspaceId, RandomState>,
    /// Those of them that an unmoved workspace may lose or gain.
    outer: Vec<WorkspaceId>,
    readers: Vec<WorkspaceId>,
}

impl Tree {
    /// The effect of `change`, which was planned on this tree.
    ///
    /// # Errors
    /// [`TreeFaults`] when it was planned on another tree.
    ///
    /// # Complexity
    /// O(workspaces that the change names, their children and siblings, old and new), each with its depth.
    ///
    /// # Source
    /// `docs/spec/workspaces.md`, "Dry run of a change".
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

    /// The tree reduced to these workspaces and their ancestors, which preserves their relations.
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

/// Candidates for gains and losses, in a deterministic order: the subject of the change, moved workspaces, the parents,
/// their children, and other removed workspaces.
fn in_order(
    change: &TreeChange,
    rows: &[Placement],
    parents: &BTreeSet<WorkspaceId>,
    before: &Tree,
    changed: &HashSet<WorkspaceId, RandomState>,
) -> Vec<WorkspaceId> {
    let top = change.removed().next().or_else(|| rows.first().map(|row| row.id));
    let live: BTreeSet<WorkspaceId> = rows.iter().filter(|row| row.live).map(|row| row.id).collect();
    let children_of = |&id: &WorkspaceId| before.children(id).collect::<Vec<_>>();
    // descendants of a removed workspace move or are removed too
    let siblings: BTreeSet<WorkspaceId> =
        parents.iter().flat_map(children_of).filter(|id| !changed.contains(id)).collect();
    let unmoved_parents = parents.iter().copied().filter(|id| !changed.contains(id));
    let mut seen: HashSet<WorkspaceId, RandomState> = HashSet::default();
    let all = top.into_iter().filter(|_| !rows.is_empty()).chain(live).chain(unmoved_parents).chain(siblings);
    all.chain(change.removed()).filter(|&id| seen.insert(id)).collect()
}

impl Effect {
    /// Every workspace that may gain or lose something, once, the subject of the change first.
    #[must_use]
    pub fn readers(&self) -> &[WorkspaceId] {
        &self.readers
    }

    /// The authors whose memories `reader` may gain or lose, each once.
    ///
    /// # Complexity
    /// O(children of `reader` + children of its parent, old and new) if `reader` moves or is removed, otherwise O(moved
    /// workspaces that an unmoved one can read).
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

    /// Effect on `reader` of the memories that `author` shares with `scope` and `team`; `None` without effect.
    #[must_use]
    pub fn access_change(
        &self,
        reader: WorkspaceId,
        author: WorkspaceId,
        scope: Scope,
        team: Option<WorkspaceId>,
    ) -> Option<AccessChange> {
        let reads = |tree: &Tree| tree.read(reader, author, scope, team).is_ok();
        match (reads(&self.before), reads(&self.after)) {
            (false, true) => Some(AccessChange::Gains),
            (true, false) => Some(AccessChange::Loses),
            (true, true) | (false, false) => None,
        }
    }

    /// Whether others read these memories of `author` before the change and only the author does after it. Example:
    /// memories bound to a team that the author leaves.
    #[must_use]
    pub fn becomes_unshared(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> bool {
        let only_author = |tree: &Tree| match tree.audience(author, scope, team) {
            Some(Audience::These(readers)) => Some(readers.len() == 1),
            Some(Audience::WholeOrg) => Some(tree.len() == 1),
            None => None,
        };
        only_author(&self.before) == Some(false) && only_author(&self.after) == Some(true)
    }

    /// Whether the change removes this workspace.
    #[must_use]
    pub fn removes(&self, workspace: WorkspaceId) -> bool {
        self.before.contains(workspace) && !self.after.contains(workspace)
    }

    /// The affected part of the tree before the change: the workspaces concerned and their ancestors.
    #[must_use]
    pub fn before(&self) -> &Tree {
        &self.before
    }
}

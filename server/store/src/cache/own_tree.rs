//! Transactional changes to the shared tree, with rollback.

use orgmem_hierarchy::{Placement, Tree, TreeFaults, WorkspaceId};
use parking_lot::{ArcRwLockWriteGuard, RawRwLock};

use super::{OrgCache, Versioned};

/// The shared tree with the uncommitted changes of a transaction. It holds the write lock, so other readers wait for
/// the commit. When dropped without [`keep`](OwnTree::keep), it rolls the changes back.
///
/// The changes are in place because a copy would make each change of one workspace cost O(tree).
pub(crate) struct OwnTree {
    // INVARIANT: there is a tree, unless a rollback failed
    slot: ArcRwLockWriteGuard<RawRwLock, Option<Versioned<Tree>>>,
    /// The previous placements for each change, in the order of the changes.
    undo: Vec<Vec<Placement>>,
}

impl OwnTree {
    /// Locks the shared tree; none if it has another version.
    pub(crate) fn take(cache: &OrgCache, version: i64) -> Option<Self> {
        let slot = cache.tree.write_arc();
        let is_of_version = slot.as_ref().is_some_and(|tree| tree.version == version);
        is_of_version.then(|| Self { slot, undo: Vec::new() })
    }

    /// The tree with the changes.
    pub(crate) fn tree(&self) -> Option<&Tree> {
        self.slot.as_ref().map(|tree| &tree.value)
    }

    pub(crate) fn apply(&mut self, placements: &[Placement]) -> Result<(), TreeFaults> {
        let Some(tree) = self.slot.as_mut() else { return Ok(()) };
        self.undo.push(placements.iter().map(|placement| placement_of(&tree.value, placement.id)).collect());
        tree.value.apply(placements)
    }

    /// Publishes the changed tree as `version`.
    pub(crate) fn keep(mut self, version: i64) {
        self.undo.clear();
        if let Some(tree) = self.slot.as_mut() {
            tree.version = version;
        }
    }
}

impl Drop for OwnTree {
    fn drop(&mut self) {
        for placements in std::mem::take(&mut self.undo).iter().rev() {
            if let Some(tree) = self.slot.as_mut()
                && tree.value.apply(placements).is_err()
            {
                // the next reader rebuilds it from all rows
                *self.slot = None;
            }
        }
    }
}

/// The current placement of a workspace, for a rollback.
fn placement_of(tree: &Tree, id: WorkspaceId) -> Placement {
    match tree.parent(id) {
        Some(parent) => Placement::under(id, parent),
        None if tree.contains(id) => Placement::root(id),
        None => Placement::removed(id),
    }
}

#[cfg(test)]
mod tests {
    use orgmem_hierarchy::OrgId;
    use uuid::Uuid;

    use super::*;
    use crate::cache::PartitionCache;

    fn id(n: u128) -> WorkspaceId {
        Uuid::from_u128(n).into()
    }

    /// A cache at version 7 with a tree: 1 is the parent of 2 and 4, and 2 of 3.
    fn cache() -> OrgCache {
        let rows = [Placement::root(id(1)), Placement::under(id(2), id(1)), Placement::under(id(3), id(2))];
        let rows = rows.into_iter().chain([Placement::under(id(4), id(1))]);
        let value = Tree::build(OrgId::of_root(id(1)), rows).expect("a tree");
        let cache = OrgCache::new(&std::sync::Arc::new(PartitionCache::new(0)));
        *cache.tree.write() = Some(Versioned { version: 7, value });
        cache
    }

    fn parents(tree: &Tree) -> Vec<Option<Option<WorkspaceId>>> {
        (1..=5).map(|n| tree.contains(id(n)).then(|| tree.parent(id(n)))).collect()
    }

    #[test]
    fn changes_are_rolled_back_without_keep() {
        let cache = cache();
        let before = parents(&cache.tree.read().as_ref().expect("a tree").value);
        let mut own = OwnTree::take(&cache, 7).expect("it is of this version");
        own.apply(&[Placement::under(id(5), id(3))]).expect("created");
        own.apply(&[Placement::under(id(3), id(4))]).expect("moved");
        own.apply(&[Placement::under(id(3), id(1)), Placement::removed(id(4))]).expect("promoted");
        own.apply(&[1, 2, 3, 5].map(|n| Placement::removed(id(n)))).expect("removed");
        assert!(own.tree().expect("a tree").is_empty());
        drop(own);
        let tree = cache.tree.read();
        let tree = tree.as_ref().expect("a tree");
        assert_eq!((tree.version, parents(&tree.value)), (7, before));
    }

    #[test]
    fn changes_are_visible_to_all_after_keep() {
        let cache = cache();
        let mut own = OwnTree::take(&cache, 7).expect("it is of this version");
        own.apply(&[Placement::under(id(3), id(4))]).expect("moved");
        own.keep(8);
        let tree = cache.tree.read();
        let tree = tree.as_ref().expect("a tree");
        assert_eq!((tree.version, tree.value.parent(id(3))), (8, Some(id(4))));
        assert!(OwnTree::take(&self::cache(), 8).is_none());
    }
}

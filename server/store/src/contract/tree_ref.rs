//! The tree as a transaction sees it.

use std::ops::Deref;

use orgmem_hierarchy::Tree;
use parking_lot::MappedRwLockReadGuard;

/// The tree of one org at the transaction's snapshot, with what the transaction itself has changed.
///
/// While it is held, changes that are committed meanwhile wait to be taken over: decide with it, then drop it.
pub struct TreeRef<'t>(pub(crate) TreeSource<'t>);

pub(crate) enum TreeSource<'t> {
    /// The tree that all transactions share.
    Shared(MappedRwLockReadGuard<'t, Tree>),
    /// The tree as this transaction has changed it.
    Changed(&'t Tree),
}

impl Deref for TreeRef<'_> {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        match &self.0 {
            TreeSource::Shared(guard) => guard,
            TreeSource::Changed(tree) => tree,
        }
    }
}

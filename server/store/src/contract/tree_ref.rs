//! The tree at the snapshot of a transaction.

use std::ops::Deref;

use orgmem_hierarchy::Tree;
use parking_lot::MappedRwLockReadGuard;

/// The tree of one org at the snapshot of the transaction, with the transaction's own changes.
///
/// It holds a read lock: while it exists, concurrent commits cannot update the shared tree. Drop it soon.
pub struct TreeRef<'t>(pub(crate) TreeSource<'t>);

pub(crate) enum TreeSource<'t> {
    Shared(MappedRwLockReadGuard<'t, Tree>),
    /// The tree with uncommitted changes of this transaction.
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

//! A sequence lock (seqlock) that detects commits in progress, for databases with a single writer thread.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// The sequence number. It is incremented before and after each commit, so it is odd during a commit. All snapshots
/// taken while it has the same even value are equal, provided that one thread of this process is the only writer.
#[derive(Default)]
pub(crate) struct Commits(AtomicU64);

/// A guard for a commit in progress.
#[must_use = "the commit counts as over when this is dropped"]
pub(crate) struct CommitGuard<'c>(&'c AtomicU64);

impl Commits {
    /// The sequence number; none during a commit.
    pub(crate) fn at_rest(&self) -> Option<u64> {
        let now = self.0.load(Ordering::Acquire);
        now.is_multiple_of(2).then_some(now)
    }

    /// Whether no commit has begun since the number was `at`, so that all reads in between are of one instant.
    pub(crate) fn is_still(&self, at: u64) -> bool {
        // earlier reads are not reordered after this load
        fence(Ordering::Acquire);
        self.0.load(Ordering::Relaxed) == at
    }

    /// Marks the start of a commit. Call it before the changes can become visible, and drop the guard when all caches
    /// are updated.
    pub(crate) fn begin(&self) -> CommitGuard<'_> {
        self.0.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        CommitGuard(&self.0)
    }
}

impl Drop for CommitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::Commits;

    #[test]
    fn sequence_number_changes_with_each_commit() {
        let commits = Commits::default();
        let before = commits.at_rest().expect("no commit is on its way");
        assert!(commits.is_still(before));
        let commit = commits.begin();
        assert_eq!(commits.at_rest(), None);
        assert!(!commits.is_still(before));
        drop(commit);
        let after = commits.at_rest().expect("it is over");
        assert!(commits.is_still(after) && !commits.is_still(before));
    }
}

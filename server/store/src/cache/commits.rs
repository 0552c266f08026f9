//! Whether the database is about to show something new, as its only writer knows beforehand.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Counts before each commit and after it, so it is odd while one is on its way. Of use where one thread commits and
/// nobody else writes to the database: while it stands still at an even number, every snapshot shows the same.
#[derive(Default)]
pub(crate) struct Commits(AtomicU64);

/// A commit on its way, until this is dropped.
#[must_use = "the commit counts as over when this is dropped"]
pub(crate) struct OnItsWay<'c>(&'c AtomicU64);

impl Commits {
    /// The number at which it stands; none while a commit is on its way.
    pub(crate) fn at_rest(&self) -> Option<u64> {
        let now = self.0.load(Ordering::Acquire);
        now.is_multiple_of(2).then_some(now)
    }

    /// Whether no commit began since it stood `at` this number: all that was read in between is of one instant.
    pub(crate) fn is_still(&self, at: u64) -> bool {
        // what was read before is not read after
        fence(Ordering::Acquire);
        self.0.load(Ordering::Relaxed) == at
    }

    /// Says that a commit is on its way: to be called before anybody may see what it changes, and to be dropped when
    /// all that is kept in memory has been changed accordingly.
    pub(crate) fn begin(&self) -> OnItsWay<'_> {
        self.0.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        OnItsWay(&self.0)
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::Commits;

    #[test]
    fn nothing_stands_still_over_a_commit() {
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

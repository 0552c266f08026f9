//! Whether the caches of an org recently had all data of a read, where other servers may write.

use std::sync::atomic::{AtomicU32, Ordering};

/// Reads since the caches lacked data; 0 while they have it. A count that is off by a few only costs a statement.
#[derive(Default)]
pub(crate) struct Recalls(AtomicU32);

impl Recalls {
    /// After a miss one read in this number tries the caches again, as each attempt costs a statement.
    const RETRY_EVERY: u32 = 8;

    /// Whether to try the caches.
    pub(crate) fn is_worthwhile(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0 || self.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(Self::RETRY_EVERY)
    }

    /// Notes whether the caches had all data.
    pub(crate) fn note(&self, found: bool) {
        if found {
            self.0.store(0, Ordering::Relaxed);
        } else {
            let _: Result<u32, u32> = self.0.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recalls;

    #[test]
    fn after_a_miss_one_read_in_eight_tries_the_caches_until_one_succeeds() {
        let recalls = Recalls::default();
        assert!(recalls.is_worthwhile() && recalls.is_worthwhile());
        recalls.note(false);
        for _ in 0..2 {
            assert!((0..7).all(|_| !recalls.is_worthwhile()));
            assert!(recalls.is_worthwhile());
            recalls.note(false);
        }
        recalls.note(true);
        assert!(recalls.is_worthwhile());
    }
}

//! Whether several orgs use the store at the same time.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use orgmem_hierarchy::OrgId;

/// How long an org counts as active after a request, in milliseconds.
const RECENT: u64 = 1_000;

/// Notes whose requests follow each other, and when.
///
/// Threads that note different orgs at the same time may overwrite each other; the orgs still differ. Times are in milliseconds
/// since 1970.
#[derive(Default)]
pub(super) struct OrgActivity {
    /// The org of the latest request; 0 before the first.
    latest: AtomicU64,
    /// When that request arrived.
    latest_at: AtomicI64,
    /// When a request arrived shortly after one of another org; 0 if none did.
    shared_at: AtomicI64,
}

impl OrgActivity {
    /// Notes a request of `org` at `now`.
    pub(super) fn note(&self, org: OrgId, now: DateTime<Utc>) {
        let (high, low) = org.uuid().as_u64_pair();
        let (org, now) = (high ^ low, now.timestamp_millis());
        let before = self.latest_at.swap(now, Ordering::Relaxed);
        if self.latest.swap(org, Ordering::Relaxed) != org && is_recent(before, now) {
            self.shared_at.store(now, Ordering::Relaxed);
        }
    }

    /// Whether requests of different orgs arrived within a second of `now`.
    pub(super) fn is_shared(&self, now: DateTime<Utc>) -> bool {
        is_recent(self.shared_at.load(Ordering::Relaxed), now.timestamp_millis())
    }
}

/// Whether `time` is less than [`RECENT`] before `now`, or after it, if the clock was set back.
fn is_recent(time: i64, now: i64) -> bool {
    now.abs_diff(time) < RECENT
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn two_orgs_share_the_store_for_a_second_after_a_change() {
        let activity = OrgActivity::default();
        let org = |number| OrgId::from(Uuid::from_u128(number));
        let at = |millis| DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::milliseconds(millis);
        activity.note(org(1), at(0));
        activity.note(org(1), at(10));
        assert!(!activity.is_shared(at(10)), "one org only");
        activity.note(org(2), at(500));
        assert!(activity.is_shared(at(500)) && activity.is_shared(at(1_499)));
        activity.note(org(2), at(1_400));
        assert!(!activity.is_shared(at(1_500)), "the other org was active too long ago");
        activity.note(org(1), at(9_000));
        assert!(!activity.is_shared(at(9_000)), "org 2 was active too long ago");
        activity.note(org(2), at(9_999));
        assert!(activity.is_shared(at(10_998)) && !activity.is_shared(at(10_999)));
        assert!(!activity.is_shared(at(0)), "after the clock was set back");
    }
}

//! Threads for work that may block, at a priority that depends on what its org used.
//!
//! Priorities lose no processor time: work of low priority uses whatever the others leave.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use orgmem_hierarchy::OrgId;
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use super::activity::OrgActivity;
use super::priority::{LowPriorityThreads, ThreadTime};
use super::turns::FairTurn;
use crate::Clock;
use crate::contract::Requester;

/// An org that used less than this in two seconds, an eighth of a processor, never has a low priority for what it used.
const FREE: Duration = Duration::from_millis(250);

/// Runs work of orgs. Clones share the threads.
#[derive(Clone)]
pub struct OrgThreads(Arc<Inner>);

struct Inner {
    clock: Arc<dyn Clock>,
    activity: OrgActivity,
    used: Mutex<UsedTime>,
    /// `None` if they could not be started.
    low_priority: OnceLock<Option<LowPriorityThreads>>,
}

impl OrgThreads {
    /// Threads that start on demand.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let (activity, used) = (OrgActivity::default(), Mutex::default());
        Self(Arc::new(Inner { clock, activity, used, low_priority: OnceLock::new() }))
    }

    pub(crate) fn note_request_of(&self, org: OrgId) {
        self.0.activity.note(org, self.0.clock.now());
    }

    /// Whether several orgs use the server now.
    pub(super) fn is_shared(&self) -> bool {
        self.0.activity.is_shared(self.0.clock.now())
    }

    /// Runs `work` in its turn.
    ///
    /// While other orgs use the server too, two kinds of work have a low priority: further work of an org next to its first,
    /// and all work of the org that used most of the processor time of the last seconds.
    pub fn run<T: Send + 'static>(&self, turn: FairTurn, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        self.run_for(turn.requester(), turn.is_further(), move || {
            let _turn = turn;
            work()
        })
    }

    /// The same for work that has its turn; `is_further` says whether it runs next to other work of its org.
    pub(super) fn run_for<T: Send + 'static>(
        &self,
        requester: Requester,
        is_further: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let Some(org) = requester.org else { return tokio::task::spawn_blocking(work) };
        let inner = Arc::clone(&self.0);
        let timed = move || {
            let began = ThreadTime::now();
            let result = work();
            inner.used.lock().add(org, began.elapsed(), inner.clock.now());
            result
        };
        let is_low = self.is_shared() && (is_further || self.0.used.lock().is_most_of(org, self.0.clock.now()));
        match self.0.low_priority().filter(|_| is_low) {
            Some(threads) => threads.run(timed),
            None => tokio::task::spawn_blocking(timed),
        }
    }
}

impl Inner {
    fn low_priority(&self) -> Option<&LowPriorityThreads> {
        let start = || {
            let started = LowPriorityThreads::start();
            started.inspect_err(|error| tracing::warn!(%error, "all work of orgs runs at the same priority")).ok()
        };
        self.low_priority.get_or_init(start).as_ref()
    }
}

/// The processor time of each org in this second and in the one before.
#[derive(Default)]
struct UsedTime {
    /// In seconds since 1970.
    second: i64,
    now: HashMap<OrgId, Duration, RandomState>,
    before: HashMap<OrgId, Duration, RandomState>,
}

impl UsedTime {
    fn add(&mut self, org: OrgId, used: Duration, at: DateTime<Utc>) {
        self.advance(at);
        *self.now.entry(org).or_default() += used;
    }

    /// Whether `org` used more than all others, and not only little.
    fn is_most_of(&mut self, org: OrgId, at: DateTime<Utc>) -> bool {
        self.advance(at);
        let of_org = [&self.now, &self.before].into_iter().filter_map(|second| second.get(&org)).sum::<Duration>();
        let of_all = self.now.values().chain(self.before.values()).sum::<Duration>();
        of_org > FREE && of_org > of_all - of_org
    }

    fn advance(&mut self, at: DateTime<Utc>) {
        let second = at.timestamp();
        if second != self.second {
            let is_next = second == self.second + 1;
            let ended = std::mem::take(&mut self.now);
            self.before = if is_next { ended } else { HashMap::default() };
            self.second = second;
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn org_that_used_more_than_all_others_in_two_seconds_used_most() {
        let mut used = UsedTime::default();
        let (one, other) = (OrgId::from(Uuid::from_u128(1)), OrgId::from(Uuid::from_u128(2)));
        let (at, millis) = (|second| DateTime::UNIX_EPOCH + TimeDelta::seconds(second), Duration::from_millis);
        used.add(one, millis(250), at(100));
        assert!(!used.is_most_of(one, at(100)), "little");
        used.add(one, millis(50), at(100));
        assert!(used.is_most_of(one, at(100)) && used.is_most_of(one, at(101)));
        used.add(other, millis(300), at(101));
        assert!(!used.is_most_of(one, at(101)) && !used.is_most_of(other, at(101)), "half each");
        used.add(other, millis(1), at(101));
        assert!(!used.is_most_of(one, at(101)) && used.is_most_of(other, at(101)));
        assert!(used.is_most_of(other, at(102)), "the time of `one` has passed");
        assert!(!used.is_most_of(other, at(103)) && !used.is_most_of(other, at(99)), "long ago, or in the future");
    }
}

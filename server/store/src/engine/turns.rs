//! Turns for a bounded number of places, shared out by org first, then by caller: for connections of readers, and for other
//! work that costs a processor.
//!
//! Of the orgs that wait, the one that has used the least time has the next turn; within an org, the caller that has. An org
//! that begins to wait starts at the time of the others, so that nobody saves up turns. One place is left to other orgs,
//! however many requests one org has.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foldhash::fast::RandomState;
use orgmem_hierarchy::OrgId;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::StoreError;
use crate::contract::Requester;

/// Hands out turns. Clones share the places.
#[derive(Clone)]
pub struct FairTurns(Arc<Mutex<Schedule<oneshot::Sender<FairTurn>>>>);

/// One place, until it is dropped. The time until then counts for the org and the caller.
pub struct FairTurn {
    turns: FairTurns,
    requester: Requester,
    began: Instant,
    /// Whether the org had another place when it got this one.
    is_further: bool,
}

impl FairTurns {
    /// `places` at once. Of two or more, one org has at most all but one.
    #[must_use]
    pub fn new(places: usize) -> Self {
        Self(Arc::new(Mutex::new(Schedule::new(places))))
    }

    /// Waits for a place. A caller that gives up by dropping the future leaves the queue.
    ///
    /// # Errors
    /// [`StoreError::Closed`], which cannot happen while `self` exists.
    pub async fn acquire(&self, requester: Requester) -> Result<FairTurn, StoreError> {
        let (turn, granted) = oneshot::channel();
        self.0.lock().enqueue(requester, turn);
        self.grant();
        granted.await.map_err(|_| StoreError::Closed)
    }

    /// Gives free places to those who wait.
    fn grant(&self) {
        loop {
            let Some((requester, is_further, waiting)) = self.0.lock().next(oneshot::Sender::is_closed) else { return };
            let turn = FairTurn { turns: self.clone(), requester, began: Instant::now(), is_further };
            // a turn that nobody receives any more is dropped, and so is given back
            drop(waiting.send(turn));
        }
    }
}

impl FairTurn {
    pub(super) fn requester(&self) -> Requester {
        self.requester
    }

    /// Whether the org had another place when it got this one.
    pub(super) fn is_further(&self) -> bool {
        self.is_further
    }
}

impl Drop for FairTurn {
    fn drop(&mut self) {
        self.turns.0.lock().release(self.requester, self.began.elapsed());
        self.turns.grant();
    }
}

/// The order of turns, without a clock or a thread. `W` is one who waits.
struct Schedule<W> {
    free: usize,
    /// Places that one org can have at once.
    most_of_org: usize,
    orgs: Shares<Option<OrgId>, Shares<Uuid, VecDeque<W>>>,
}

impl<W> Schedule<W> {
    fn new(places: usize) -> Self {
        Self { free: places, most_of_org: places.saturating_sub(1).max(1), orgs: Shares::default() }
    }

    fn enqueue(&mut self, requester: Requester, waiting: W) {
        let org = self.orgs.entry(requester.org);
        org.queue.entry(requester.caller).queue.push_back(waiting);
    }

    /// Takes the next of those who wait, for a free place, and whether its org has another one. Those who gave up are
    /// forgotten.
    fn next(&mut self, gave_up: impl Fn(&W) -> bool) -> Option<(Requester, bool, W)> {
        self.orgs.retain(|org| {
            org.queue.retain(|caller| {
                caller.queue.retain(|waiting| !gave_up(waiting));
                !caller.queue.is_empty()
            });
            !org.queue.is_empty()
        });
        if self.free == 0 {
            return None;
        }
        let most = self.most_of_org;
        let (org_id, org) = self.orgs.least_used(|org| org.running < most && org.queue.has_waiting())?;
        let is_further = org.running > 1;
        let (caller_id, caller) = org.queue.least_used(|caller| !caller.queue.is_empty())?;
        let waiting = caller.queue.pop_front()?;
        self.free -= 1;
        Some((Requester { org: org_id, caller: caller_id }, is_further, waiting))
    }

    fn release(&mut self, requester: Requester, used: Duration) {
        self.free += 1;
        let org = self.orgs.release(requester.org, used);
        org.queue.release(requester.caller, used);
    }
}

/// The shares of those who have a place or wait for one, by key.
struct Shares<K, Q> {
    by_key: HashMap<K, Share<Q>, RandomState>,
    /// The time used by the one that had the last turn.
    now: Duration,
}

struct Share<Q> {
    used: Duration,
    running: usize,
    queue: Q,
}

impl<K, Q> Default for Shares<K, Q> {
    fn default() -> Self {
        Self { by_key: HashMap::default(), now: Duration::ZERO }
    }
}

impl<K: Copy + Ord + Hash, Q: Default> Shares<K, Q> {
    fn entry(&mut self, key: K) -> &mut Share<Q> {
        let used = self.now;
        self.by_key.entry(key).or_insert_with(|| Share { used, running: 0, queue: Q::default() })
    }

    /// Forgets those without a place for whom `waits` is false.
    fn retain(&mut self, mut waits: impl FnMut(&mut Share<Q>) -> bool) {
        self.by_key.retain(|_, share| waits(share) || share.running > 0);
    }

    /// The one that has used the least time of those that `may` have a turn. It has one more.
    fn least_used(&mut self, may: impl Fn(&Share<Q>) -> bool) -> Option<(K, &mut Share<Q>)> {
        let candidates = self.by_key.iter_mut().filter(|(_, share)| may(share));
        let (key, share) = candidates.min_by_key(|(key, share)| (share.used, **key))?;
        self.now = self.now.max(share.used);
        share.running += 1;
        Some((*key, share))
    }

    fn release(&mut self, key: K, used: Duration) -> &mut Share<Q> {
        let share = self.entry(key);
        share.running = share.running.saturating_sub(1);
        share.used += used;
        share
    }
}

impl<W> Shares<Uuid, VecDeque<W>> {
    fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    fn has_waiting(&self) -> bool {
        self.by_key.values().any(|caller| !caller.queue.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use super::*;

    const ONE: Duration = Duration::from_secs(1);

    fn requester(org: u128, caller: u128) -> Requester {
        Requester { org: Some(OrgId::of_root(Uuid::from_u128(org).into())), caller: Uuid::from_u128(caller) }
    }

    /// Enqueues `waiting`, and releases each turn after `cost` before the next: the order of turns.
    fn order(waiting: &[(Requester, u32)], cost: impl Fn(Requester) -> Duration) -> Vec<u32> {
        let mut schedule = Schedule::new(1);
        waiting.iter().for_each(|(requester, number)| schedule.enqueue(*requester, *number));
        let mut order = Vec::new();
        while let Some((requester, _, number)) = schedule.next(|_| false) {
            order.push(number);
            schedule.release(requester, cost(requester));
        }
        assert_eq!(schedule.free, 1);
        order
    }

    #[test]
    fn orgs_and_callers_take_turns() {
        let (a, b) = (requester(1, 1), requester(2, 1));
        let many = [(a, 1), (a, 2), (a, 3), (b, 10), (b, 11)];
        assert_eq!(order(&many, |_| ONE), [1, 10, 2, 11, 3]);
        let (a, other) = (requester(1, 1), requester(1, 2));
        assert_eq!(order(&[(a, 1), (a, 2), (a, 3), (other, 20)], |_| ONE), [1, 20, 2, 3]);
        // a caller does not get more for its org, and an org does not get more for its callers
        let waiting = [
            (requester(1, 1), 1),
            (requester(1, 2), 2),
            (requester(1, 3), 3),
            (requester(2, 1), 10),
            (requester(2, 1), 11),
        ];
        assert_eq!(order(&waiting, |_| ONE), [1, 10, 2, 11, 3]);
    }

    #[test]
    fn org_with_expensive_reads_has_fewer_turns() {
        let (a, b) = (requester(1, 1), requester(2, 1));
        let waiting: Vec<_> = (0..3).map(|n| (a, n)).chain((10..16).map(|n| (b, n))).collect();
        let cost = |requester| if requester == a { 3 * ONE } else { ONE };
        assert_eq!(order(&waiting, cost), [0, 10, 11, 12, 1, 13, 14, 15, 2]);
    }

    #[test]
    fn one_place_is_left_to_other_orgs() {
        let mut schedule = Schedule::new(3);
        (0..5).for_each(|number| schedule.enqueue(requester(1, u128::from(number)), number));
        let next =
            |schedule: &mut Schedule<u32>| schedule.next(|_| false).map(|(_, is_further, number)| (number, is_further));
        let places = (next(&mut schedule), next(&mut schedule), next(&mut schedule));
        assert_eq!(places, (Some((0, false)), Some((1, true)), None));
        schedule.enqueue(requester(2, 1), 10);
        assert_eq!((next(&mut schedule), next(&mut schedule)), (Some((10, false)), None));
        schedule.release(requester(1, 0), ONE);
        assert_eq!(next(&mut schedule), Some((2, true)));
    }

    #[test]
    fn org_that_was_idle_has_no_turns_saved_up() {
        let (a, b) = (requester(1, 1), requester(2, 1));
        let mut schedule = Schedule::new(1);
        for number in 0..10 {
            schedule.enqueue(a, number);
            assert!(schedule.next(|_| false).is_some());
            schedule.enqueue(a, 100 + number);
            schedule.release(a, ONE);
            assert!(schedule.next(|_| false).is_some());
            schedule.release(a, ONE);
        }
        let waiting = [(a, 1), (a, 2), (b, 10), (b, 11)];
        waiting.iter().for_each(|(requester, number)| schedule.enqueue(*requester, *number));
        let mut order = Vec::new();
        while let Some((requester, _, number)) = schedule.next(|_| false) {
            order.push(number);
            schedule.release(requester, ONE);
        }
        assert_eq!(order, [10, 1, 11, 2]);
    }

    #[tokio::test]
    async fn turn_of_a_caller_who_gave_up_goes_to_the_next() {
        let turns = FairTurns::new(1);
        let first = turns.acquire(requester(1, 1)).await.expect("a place");
        let mut gone = Box::pin(turns.acquire(requester(2, 1)));
        let context = &mut Context::from_waker(Waker::noop());
        assert!(gone.as_mut().poll(context).is_pending());
        let mut next = Box::pin(turns.acquire(requester(3, 1)));
        assert!(next.as_mut().poll(context).is_pending());
        drop(gone);
        drop(first);
        drop(next.await.expect("a place"));
        // nobody waits, and nothing is left of those who did
        assert!(turns.0.lock().orgs.by_key.len() <= 1);
        assert_eq!(turns.0.lock().free, 1);
    }
}

//! The queue of a writer.

use std::collections::{HashMap, VecDeque};

use orgmem_hierarchy::OrgId;
use parking_lot::{Condvar, Mutex};

use super::WriteJob;
use crate::StoreError;

/// A bounded queue with one consumer, which takes jobs in batches, from each org in turn.
#[derive(Default)]
pub(crate) struct WriteQueue {
    waiting: Mutex<QueueState>,
    arrived: Condvar,
}

#[derive(Default)]
struct QueueState {
    /// The jobs of each org with any, in the order of their arrival.
    by_org: HashMap<OrgId, VecDeque<Box<dyn WriteJob>>>,
    /// The same orgs, in the order of their turns.
    turns: VecDeque<OrgId>,
    count: usize,
    closed: bool,
}

impl WriteQueue {
    /// Maximum number of queued jobs of one org, some seconds of writes on a slow disk, and of all orgs.
    const ROOM_OF_ORG: usize = 4096;
    const ROOM: usize = 4 * Self::ROOM_OF_ORG;

    /// # Errors
    /// [`StoreError::Busy`] when the queue is full, [`StoreError::Closed`] after it is closed.
    pub(crate) fn push(&self, job: Box<dyn WriteJob>) -> Result<(), StoreError> {
        let mut waiting = self.waiting.lock();
        if waiting.closed {
            return Err(StoreError::Closed);
        }
        let org = job.org();
        let of_org = waiting.by_org.get(&org).map_or(0, VecDeque::len);
        if of_org >= Self::ROOM_OF_ORG || waiting.count >= Self::ROOM {
            return Err(StoreError::Busy);
        }
        if of_org == 0 {
            waiting.turns.push_back(org);
        }
        waiting.by_org.entry(org).or_default().push_back(job);
        waiting.count += 1;
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for jobs and takes up to `most` of them, one of each org in turn; a large job, when it is its turn, by itself.
    /// Returns none when the queue is closed and empty.
    pub(crate) fn take(&self, most: usize) -> Vec<Box<dyn WriteJob>> {
        let mut waiting = self.waiting.lock();
        while waiting.count == 0 && !waiting.closed {
            self.arrived.wait(&mut waiting);
        }
        waiting.take(most)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.lock().count
    }

    /// Whether a job of another org waits.
    pub(crate) fn has_others(&self, org: OrgId) -> bool {
        let waiting = self.waiting.lock();
        waiting.by_org.len() > usize::from(waiting.by_org.contains_key(&org))
    }

    /// Rejects new jobs. Queued jobs remain available to the writer.
    pub(crate) fn close(&self) {
        self.waiting.lock().closed = true;
        self.arrived.notify_all();
    }
}

impl QueueState {
    fn take(&mut self, most: usize) -> Vec<Box<dyn WriteJob>> {
        let mut taken: Vec<Box<dyn WriteJob>> = Vec::new();
        // the orgs whose turn is for a large job
        let mut passed = Vec::new();
        while taken.len() < most
            && let Some(org) = self.turns.pop_front()
        {
            let is_large = self.by_org.get(&org).and_then(VecDeque::front).is_some_and(|job| job.is_large());
            if is_large && !taken.is_empty() {
                passed.push(org);
                continue;
            }
            taken.extend(self.next(org));
            if is_large {
                break;
            }
        }
        passed.into_iter().rev().for_each(|org| self.turns.push_front(org));
        taken
    }

    /// The first job of an org, whose turn it is.
    fn next(&mut self, org: OrgId) -> Option<Box<dyn WriteJob>> {
        let jobs = self.by_org.get_mut(&org)?;
        let job = jobs.pop_front()?;
        if jobs.is_empty() {
            self.by_org.remove(&org);
        } else {
            self.turns.push_back(org);
        }
        self.count -= 1;
        Some(job)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::contract::WriteTx;

    /// A job of an org, and whether it is large.
    struct Job(OrgId, bool);

    impl WriteJob for Job {
        fn org(&self) -> OrgId {
            self.0
        }

        fn is_large(&self) -> bool {
            self.1
        }

        fn is_abandoned(&self) -> bool {
            false
        }

        fn run(&mut self, _: &mut dyn WriteTx) -> bool {
            true
        }

        fn finish(&mut self, _: Result<(), StoreError>) {}
    }

    fn org(number: u128) -> OrgId {
        OrgId::from(Uuid::from_u128(number))
    }

    fn orgs(jobs: &[Box<dyn WriteJob>]) -> Vec<OrgId> {
        jobs.iter().map(|job| job.org()).collect()
    }

    #[test]
    fn orgs_take_turns() {
        let queue = WriteQueue::default();
        for of in [1, 1, 1, 1, 2, 3, 2] {
            queue.push(Box::new(Job(org(of), false))).expect("room");
        }
        assert_eq!(orgs(&queue.take(4)), [org(1), org(2), org(3), org(1)]);
        queue.push(Box::new(Job(org(3), false))).expect("room");
        assert_eq!(orgs(&queue.take(10)), [org(2), org(1), org(3), org(1)]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn jobs_of_the_same_org_are_no_others() {
        let queue = WriteQueue::default();
        assert!(!queue.has_others(org(1)));
        queue.push(Box::new(Job(org(1), false))).expect("room");
        assert!(!queue.has_others(org(1)) && queue.has_others(org(2)));
        queue.push(Box::new(Job(org(2), false))).expect("room");
        assert!(queue.has_others(org(1)));
    }

    #[test]
    fn large_job_has_a_group_of_its_own() {
        let queue = WriteQueue::default();
        for (of, is_large) in [(1, false), (2, true), (3, false), (2, true), (1, false), (4, true)] {
            queue.push(Box::new(Job(org(of), is_large))).expect("room");
        }
        assert_eq!(orgs(&queue.take(10)), [org(1), org(3), org(1)]);
        queue.push(Box::new(Job(org(5), false))).expect("room");
        for expected in [&[org(2)][..], &[org(4)], &[org(5)], &[org(2)]] {
            assert_eq!(orgs(&queue.take(10)), expected);
        }
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn full_queue_of_one_org_accepts_jobs_of_others() {
        let queue = WriteQueue::default();
        for _ in 0..WriteQueue::ROOM_OF_ORG {
            queue.push(Box::new(Job(org(1), false))).expect("room");
        }
        assert!(matches!(queue.push(Box::new(Job(org(1), false))), Err(StoreError::Busy)));
        queue.push(Box::new(Job(org(2), false))).expect("room of another org");
        assert_eq!(orgs(&queue.take(2)), [org(1), org(2)], "the other org does not wait for the first");
    }

    #[test]
    fn closed_queue_is_emptied_first() {
        let queue = WriteQueue::default();
        queue.push(Box::new(Job(org(1), false))).expect("room");
        queue.close();
        assert!(matches!(queue.push(Box::new(Job(org(1), false))), Err(StoreError::Closed)));
        assert_eq!(queue.take(5).len(), 1);
        assert!(queue.take(5).is_empty());
    }
}

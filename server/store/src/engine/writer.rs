//! The writer threads, which commit queued jobs in groups.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use orgmem_hierarchy::OrgId;
use parking_lot::Mutex;

use super::readers::OpenBackend;
use super::{Backend, Core, WriteJob, WriteQueue};
use crate::StoreError;

/// Maximum number of jobs in a commit.
const MAX_GROUP: usize = 256;

/// Limits on the attempts of a job that conflicts with another server: their number, and the time after which no
/// further attempt begins. While a job waits for a lock, the queued jobs wait too.
const ATTEMPTS: usize = 5;
const MAX_RETRY_TIME: Duration = Duration::from_secs(10);

/// Whether the attempts of a job ended with a retriable error after [`MAX_RETRY_TIME`]: another server holds its lock.
#[derive(PartialEq)]
enum RetryOutcome {
    Finished,
    TimedOut,
}

/// The writer threads of one store. All jobs of an org have the same thread, so they never wait for each other's lock
/// on the org's row.
pub(crate) struct Writers {
    queues: Vec<Arc<WriteQueue>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    hasher: RandomState,
}

impl Writers {
    pub(crate) fn start<B: Backend>(held: &Arc<OpenBackend<B>>, core: &Arc<Core>, count: u32) -> std::io::Result<Self> {
        let queues: Vec<Arc<WriteQueue>> = (0..count.max(1)).map(|_| Arc::default()).collect();
        let start = |queue: &Arc<WriteQueue>| {
            let (held, core, queue) = (Arc::clone(held), Arc::clone(core), Arc::clone(queue));
            let work = move || Writer { backend: &**held, core: &core, queue: &queue, conn: None }.run();
            std::thread::Builder::new().name("orgmem-writer".into()).spawn(work)
        };
        let threads = Mutex::new(queues.iter().map(start).collect::<Result<_, _>>()?);
        Ok(Self { queues, threads, hasher: RandomState::new() })
    }

    /// The queue of an org's writer.
    pub(crate) fn of(&self, org: OrgId) -> &WriteQueue {
        let hash = usize::try_from(self.hasher.hash_one(org) >> 1).unwrap_or_default();
        &self.queues[hash % self.queues.len()]
    }

    /// The number of queued jobs.
    pub(crate) fn waiting(&self) -> usize {
        self.queues.iter().map(|queue| queue.len()).sum()
    }

    /// Rejects new jobs and waits until all accepted jobs are finished.
    pub(crate) fn close(&self) {
        self.queues.iter().for_each(|queue| queue.close());
        for thread in std::mem::take(&mut *self.threads.lock()) {
            if thread.join().is_err() {
                tracing::error!("a writer thread of the store panicked");
            }
        }
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        self.close();
    }
}

/// One writer thread. Its connection is opened on demand, and again after a failure.
struct Writer<'w, B: Backend> {
    backend: &'w B,
    core: &'w Core,
    queue: &'w WriteQueue,
    conn: Option<B::Conn>,
}

impl<B: Backend> Writer<'_, B> {
    fn run(mut self) {
        loop {
            let mut jobs = self.queue.take(MAX_GROUP);
            if jobs.is_empty() {
                return;
            }
            // a caller that is gone cannot know whether its write was begun
            jobs.retain(|job| !job.is_abandoned());
            let mut rest = jobs.as_mut_slice();
            while !rest.is_empty() {
                let done = self.commit_some(rest);
                rest = &mut rest[done..];
            }
        }
    }

    /// Commits and finishes a group of jobs from the front of `jobs`. Returns the number of finished jobs.
    fn commit_some(&mut self, jobs: &mut [Box<dyn WriteJob>]) -> usize {
        match self.commit(jobs) {
            Ok(done) => finish_all(&mut jobs[..done], &Ok(())),
            Err(error) if !error.is_rolled_back() => {
                tracing::error!(%error, jobs = jobs.len(), "could not commit; nothing was acknowledged");
                finish_all(jobs, &Err(error))
            }
            // one job fails the whole group: commit each separately, so that only the faulty one fails
            Err(_) => {
                self.commit_each(jobs);
                jobs.len()
            }
        }
    }

    fn commit_each(&mut self, jobs: &mut [Box<dyn WriteJob>]) {
        let mut locked_orgs = HashSet::new();
        for job in jobs {
            if locked_orgs.contains(&job.org()) {
                job.finish(Err(StoreError::Busy));
            } else if self.commit_with_retries(job) == RetryOutcome::TimedOut {
                locked_orgs.insert(job.org());
            }
        }
    }

    fn commit_with_retries(&mut self, job: &mut Box<dyn WriteJob>) -> RetryOutcome {
        let begin = Instant::now();
        let mut result = Err(StoreError::Busy);
        for _ in 0..ATTEMPTS {
            result = self.commit(std::slice::from_mut(job)).map(drop);
            if !may_pass(&result) || begin.elapsed() > MAX_RETRY_TIME {
                break;
            }
        }
        if let Err(error) = &result {
            tracing::error!(%error, "could not commit a write");
        }
        let timed_out = may_pass(&result) && begin.elapsed() > MAX_RETRY_TIME;
        job.finish(result);
        if timed_out { RetryOutcome::TimedOut } else { RetryOutcome::Finished }
    }

    fn commit(&mut self, jobs: &mut [Box<dyn WriteJob>]) -> Result<usize, StoreError> {
        let (core, backend, queue) = (self.core, self.backend, self.queue);
        let _turn = backend.turn();
        let result = B::commit(self.begin()?, core, jobs, queue);
        if matches!(result, Err(StoreError::Unavailable(_))) {
            self.conn = None;
        }
        result
    }

    /// Begins a transaction on the open connection, or on a new one if that was cut off.
    fn begin(&mut self) -> Result<&mut B::Conn, StoreError> {
        if let Some(mut conn) = self.conn.take()
            && B::begin_write(&mut conn).is_ok()
        {
            return Ok(self.conn.insert(conn));
        }
        let mut conn = self.backend.connect_writer()?;
        B::begin_write(&mut conn)?;
        Ok(self.conn.insert(conn))
    }
}

fn finish_all(jobs: &mut [Box<dyn WriteJob>], result: &Result<(), StoreError>) -> usize {
    jobs.iter_mut().for_each(|job| job.finish(result.clone()));
    jobs.len()
}

/// Whether another attempt may succeed: the transaction collided with another server's, or the database ran short of
/// something.
fn may_pass(end: &Result<(), StoreError>) -> bool {
    matches!(end, Err(error @ (StoreError::Busy | StoreError::Unavailable(_))) if error.is_rolled_back())
}

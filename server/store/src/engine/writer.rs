//! The writer threads: jobs that wait together are committed together.

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

/// How many jobs share a commit at most.
const GROUP: usize = 256;

/// How often a job that collides with another server's is tried, and for how long at most: who waits for a lock that is not
/// given back makes others wait.
const ATTEMPTS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether somebody holds what a job needs for longer than it is waited for.
#[derive(PartialEq)]
enum Patience {
    Left,
    Ended,
}

/// The writer threads of one store. The jobs of an org always go to the same one, so they never wait for each other's
/// lock on its row.
pub(crate) struct Writers {
    queues: Vec<Arc<WriteQueue>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    spread: RandomState,
}

impl Writers {
    pub(crate) fn start<B: Backend>(held: &Arc<OpenBackend<B>>, core: &Arc<Core>, count: u32) -> std::io::Result<Self> {
        let queues: Vec<Arc<WriteQueue>> = (0..count.max(1)).map(|_| Arc::default()).collect();
        let start = |queue: &Arc<WriteQueue>| {
            let (held, core, queue) = (Arc::clone(held), Arc::clone(core), Arc::clone(queue));
            let work = move || Writer { backend: &**held, core: &core, conn: None }.work_off(&queue);
            std::thread::Builder::new().name("orgmem-writer".into()).spawn(work)
        };
        let threads = Mutex::new(queues.iter().map(start).collect::<Result<_, _>>()?);
        Ok(Self { queues, threads, spread: RandomState::new() })
    }

    /// The queue of an org's writer.
    pub(crate) fn of(&self, org: OrgId) -> &WriteQueue {
        let spread = usize::try_from(self.spread.hash_one(org) >> 1).unwrap_or_default();
        &self.queues[spread % self.queues.len()]
    }

    /// How many jobs wait.
    pub(crate) fn waiting(&self) -> usize {
        self.queues.iter().map(|queue| queue.len()).sum()
    }

    /// Takes nothing more on and waits until all that was accepted is answered.
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

/// One writer thread. Its connection is opened when it is needed, and again after it has failed.
struct Writer<'w, B: Backend> {
    backend: &'w B,
    core: &'w Core,
    conn: Option<B::Conn>,
}

impl<B: Backend> Writer<'_, B> {
    fn work_off(mut self, queue: &WriteQueue) {
        loop {
            let mut jobs = queue.take(GROUP);
            if jobs.is_empty() {
                return;
            }
            let mut rest = jobs.as_mut_slice();
            while !rest.is_empty() {
                let done = self.commit_some(rest);
                rest = &mut rest[done..];
            }
        }
    }

    /// Commits a group from the front of `jobs` and answers it; says how many jobs that were.
    fn commit_some(&mut self, jobs: &mut [Box<dyn WriteJob>]) -> usize {
        match self.commit(jobs) {
            Ok(done) => answer(&mut jobs[..done], &Ok(())),
            Err(error @ StoreError::Unavailable(_)) => {
                tracing::error!(%error, jobs = jobs.len(), "could not commit; nothing was acknowledged");
                answer(jobs, &Err(error))
            }
            // somebody in the group spoils it: each for itself, so that only the guilty one fails
            Err(_) => {
                self.commit_each(jobs);
                jobs.len()
            }
        }
    }

    fn commit_each(&mut self, jobs: &mut [Box<dyn WriteJob>]) {
        let mut held = HashSet::new();
        for job in jobs {
            if held.contains(&job.org()) {
                job.finish(Err(StoreError::Busy));
            } else if self.commit_alone(job) == Patience::Ended {
                held.insert(job.org());
            }
        }
    }

    fn commit_alone(&mut self, job: &mut Box<dyn WriteJob>) -> Patience {
        let begin = Instant::now();
        let mut end = Err(StoreError::Busy);
        for _ in 0..ATTEMPTS {
            end = self.commit(std::slice::from_mut(job)).map(drop);
            if !matches!(end, Err(StoreError::Busy)) || begin.elapsed() > PATIENCE {
                break;
            }
        }
        if let Err(error) = &end {
            tracing::error!(%error, "could not commit a write");
        }
        let is_held = matches!(end, Err(StoreError::Busy)) && begin.elapsed() > PATIENCE;
        job.finish(end);
        if is_held { Patience::Ended } else { Patience::Left }
    }

    fn commit(&mut self, jobs: &mut [Box<dyn WriteJob>]) -> Result<usize, StoreError> {
        let (core, backend) = (self.core, self.backend);
        let _turn = backend.turn();
        let end = B::commit(self.begun()?, core, jobs);
        if matches!(end, Err(StoreError::Unavailable(_))) {
            self.conn = None;
        }
        end
    }

    /// The connection with a transaction begun: the one at hand or, where that was cut off meanwhile, a new one.
    fn begun(&mut self) -> Result<&mut B::Conn, StoreError> {
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

fn answer(jobs: &mut [Box<dyn WriteJob>], end: &Result<(), StoreError>) -> usize {
    jobs.iter_mut().for_each(|job| job.finish(end.clone()));
    jobs.len()
}

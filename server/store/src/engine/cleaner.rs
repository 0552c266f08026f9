//! The cleaner thread: removes the residue of deleted rows from the database files.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::readers::OpenBackend;
use super::{Backend, ReadLease};

/// Delay before a clean-up, so that successive redactions share one run.
const GATHER: Duration = Duration::from_millis(200);

/// Delay between attempts while readers block the clean-up or the database is unreachable.
const AGAIN: Duration = Duration::from_millis(200);

/// Limit on attempts after the store starts to close.
const LAST_ATTEMPTS: usize = 25;

/// The names of tables.
pub(crate) type TableSet = BTreeSet<&'static str>;

/// How a database's files are cleaned.
pub(crate) struct CleaningPolicy {
    /// How long reads of old snapshots may delay the clean-up before they are restarted. None for any time.
    pub(crate) max_delay: Option<Duration>,
    /// The minimum pause after a clean-up.
    pub(crate) min_rest: Duration,
    /// The same, as a multiple of its duration.
    pub(crate) rest_ratio: u32,
}

/// The tables whose deleted rows may still have copies in the database files.
#[derive(Default)]
pub(crate) struct CleanupQueue {
    state: Mutex<CleanupState>,
    changed: Condvar,
    snapshot_limit: AtomicU64,
    /// The reads that the clean-up may restart.
    reads: Mutex<Vec<Weak<ReadLease>>>,
}

#[derive(Default)]
struct CleanupState {
    tables: TableSet,
    /// The number of committed groups of writes that deleted data.
    taken: u64,
    /// The number of those groups whose residue is removed.
    cleaned: u64,
    closed: bool,
}

/// The clean-up of all deletions up to now.
struct Batch {
    tables: TableSet,
    taken: u64,
    closed: bool,
}

impl CleanupQueue {
    /// Queues the tables from which a committed group of writes deleted data.
    pub(crate) fn add(&self, tables: TableSet) {
        let mut state = self.state.lock();
        state.tables.extend(tables);
        state.taken += 1;
        self.changed.notify_all();
    }

    /// Waits until the residue of all earlier deletions is removed. Returns false after a timeout.
    pub(crate) fn wait(&self, at_most: Duration) -> bool {
        let until = Instant::now() + at_most;
        let mut state = self.state.lock();
        let wanted = state.taken;
        while state.cleaned < wanted {
            if self.changed.wait_until(&mut state, until).timed_out() {
                return state.cleaned >= wanted;
            }
        }
        true
    }

    /// Registers a new read, which the clean-up may restart.
    pub(super) fn begin_read(&self) -> Arc<ReadLease> {
        let lease = Arc::new(ReadLease::default());
        let mut reads = self.reads.lock();
        // ended reads are dropped when the list would grow
        if reads.len() == reads.capacity() {
            reads.retain(|read| read.strong_count() > 0);
        }
        reads.push(Arc::downgrade(&lease));
        lease
    }

    /// Restarts the reads of all current snapshots, by an interruption of their statements.
    fn restart_reads(&self) {
        self.snapshot_limit.fetch_add(1, Ordering::Release);
        let reads: Vec<Arc<ReadLease>> = self.reads.lock().iter().filter_map(Weak::upgrade).collect();
        reads.iter().for_each(|read| read.outdate());
    }

    /// A number that grows when the reads of all earlier snapshots have to be restarted.
    pub(crate) fn snapshot_limit(&self) -> u64 {
        self.snapshot_limit.load(Ordering::Acquire)
    }

    fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits for deletions to clean up. Returns none when the store is closed and the queue is empty.
    fn take(&self) -> Option<Batch> {
        let mut state = self.state.lock();
        loop {
            if state.cleaned < state.taken {
                if !state.closed {
                    self.changed.wait_for(&mut state, GATHER);
                }
                let tables = std::mem::take(&mut state.tables);
                return Some(Batch { tables, taken: state.taken, closed: state.closed });
            }
            if state.closed {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }

    fn done(&self, taken: u64) {
        self.state.lock().cleaned = taken;
        self.changed.notify_all();
    }

    fn not_yet(&self, tables: TableSet) {
        self.state.lock().tables.extend(tables);
        self.pause(AGAIN);
    }

    /// Waits, but not while the store closes.
    fn pause(&self, duration: Duration) {
        let until = Instant::now() + duration;
        let mut state = self.state.lock();
        while !state.closed && !self.changed.wait_until(&mut state, until).timed_out() {}
    }
}

pub(crate) struct Cleaner {
    cleanup: Arc<CleanupQueue>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Cleaner {
    pub(crate) fn start<B: Backend>(held: &Arc<OpenBackend<B>>, cleanup: &Arc<CleanupQueue>) -> std::io::Result<Self> {
        let (held, taken) = (Arc::clone(held), Arc::clone(cleanup));
        let work = move || clean(&**held, &taken);
        let thread = std::thread::Builder::new().name("orgmem-cleaner".into()).spawn(work)?;
        Ok(Self { cleanup: Arc::clone(cleanup), thread: Mutex::new(Some(thread)) })
    }

    /// Cleans up the queued residue, then joins the thread.
    pub(crate) fn close(&self) {
        self.cleanup.close();
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the cleaner of the store panicked");
        }
    }
}

impl Drop for Cleaner {
    fn drop(&mut self) {
        self.close();
    }
}

fn clean<B: Backend>(backend: &B, cleanup: &CleanupQueue) {
    let mut conn = None;
    let mut last_attempts = 0;
    let mut delayed_since = None;
    while let Some(batch) = cleanup.take() {
        let begun = Instant::now();
        let delay = begun - *delayed_since.get_or_insert(begun);
        let is_overdue = B::CLEANING.max_delay.is_some_and(|max_delay| delay >= max_delay);
        if is_overdue {
            cleanup.restart_reads();
            delayed_since = Some(begun);
        }
        match backend.clean(&mut conn, &batch.tables) {
            Ok(true) => {
                cleanup.done(batch.taken);
                delayed_since = None;
                cleanup.pause(B::CLEANING.min_rest.max(begun.elapsed() * B::CLEANING.rest_ratio));
            }
            failed => {
                if let Err(error) = failed {
                    tracing::warn!(%error, "deleted data is still in the database files; the clean-up is retried");
                    conn = None;
                }
                last_attempts += usize::from(batch.closed);
                if last_attempts > LAST_ATTEMPTS {
                    return tracing::error!("the store closes with deleted data in the database files");
                }
                if batch.closed {
                    std::thread::sleep(AGAIN);
                }
                cleanup.not_yet(batch.tables);
            }
        }
    }
}

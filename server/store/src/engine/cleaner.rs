//! The cleaner thread: removes the residue of deleted rows from the database files.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::readers::OpenBackend;
use super::{Backend, ResidueSet};

/// Delay before a clean-up, so that successive redactions share one run.
const GATHER: Duration = Duration::from_millis(200);

/// Delay between attempts while readers block the clean-up or the database is unreachable.
const AGAIN: Duration = Duration::from_millis(200);

/// Limit on attempts after the store starts to close.
const LAST_ATTEMPTS: usize = 25;

/// The residue that the database files may still contain.
#[derive(Default)]
pub(crate) struct CleanupQueue {
    state: Mutex<CleanupState>,
    changed: Condvar,
}

#[derive(Default)]
struct CleanupState {
    traces: ResidueSet,
    /// The number of committed groups of writes that deleted data.
    taken: u64,
    /// The number of those groups whose residue is removed.
    cleaned: u64,
    closed: bool,
}

impl CleanupQueue {
    /// Queues the residue of a committed group of writes.
    pub(crate) fn add(&self, traces: ResidueSet) {
        let mut state = self.state.lock();
        state.traces.merge(traces);
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

    fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits for residue to clean up. Returns none when the store is closed and the queue is empty.
    fn take(&self) -> Option<(ResidueSet, u64, bool)> {
        let mut state = self.state.lock();
        loop {
            if state.cleaned < state.taken {
                if !state.closed {
                    self.changed.wait_for(&mut state, GATHER);
                }
                return Some((std::mem::take(&mut state.traces), state.taken, state.closed));
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

    fn not_yet(&self, traces: ResidueSet) {
        let mut state = self.state.lock();
        state.traces.merge(traces);
        if !state.closed {
            self.changed.wait_for(&mut state, AGAIN);
        }
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
    while let Some((traces, taken, closed)) = cleanup.take() {
        match backend.clean(&mut conn, &traces) {
            Ok(true) => cleanup.done(taken),
            failed => {
                if let Err(error) = failed {
                    tracing::warn!(%error, "what was redacted is not out of the files yet; it is tried again");
                    conn = None;
                }
                last_attempts += usize::from(closed);
                if last_attempts > LAST_ATTEMPTS {
                    return tracing::error!("the store closes before what was redacted is out of the files");
                }
                if closed {
                    std::thread::sleep(AGAIN);
                }
                cleanup.not_yet(traces);
            }
        }
    }
}

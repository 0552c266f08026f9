//! The cleaner: a thread that takes out of the files what was taken out of the tables.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::readers::OpenBackend;
use super::{Backend, ResidueSet};

/// Taken out together: what is redacted one by one is cleaned up in one go.
const GATHER: Duration = Duration::from_millis(200);

/// Between two attempts, where readers are in the way or the database cannot be reached.
const AGAIN: Duration = Duration::from_millis(200);

/// How often it is tried once the store closes.
const LAST_ATTEMPTS: usize = 25;

/// What is owed to the files.
#[derive(Default)]
pub(crate) struct CleanupQueue {
    state: Mutex<CleanupState>,
    changed: Condvar,
}

#[derive(Default)]
struct CleanupState {
    traces: ResidueSet,
    /// How many groups of writes have taken something out.
    taken: u64,
    /// How many of them have left no trace.
    cleaned: u64,
    closed: bool,
}

impl CleanupQueue {
    /// Something was taken out, and committed.
    pub(crate) fn add(&self, traces: ResidueSet) {
        let mut state = self.state.lock();
        state.traces.merge(traces);
        state.taken += 1;
        self.changed.notify_all();
    }

    /// Waits until nothing is left of what was taken out before; says whether that was so in time.
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

    /// Waits for something to clean up; none once the store closes and nothing is owed.
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

/// The thread.
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

    /// Cleans up what is owed and ends.
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

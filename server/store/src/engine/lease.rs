//! Cancellation of reads: because their caller is gone, or because their snapshot delays the removal of deleted data from
//! the files.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Retry;

/// Number of restarts after which a read may delay the clean-up for [`PROTECTED`], so that deletions of other orgs do not
/// restart it for ever.
const MAX_RESTARTS: usize = 2;

/// Below the time within which deleted data has to leave the files.
const PROTECTED: Duration = Duration::from_secs(4);

/// Interrupts the running statement of one connection, if there is one. Later statements are unaffected.
pub(crate) trait Interrupt: Send + Sync {
    fn interrupt(&self);

    /// Whether an interruption neither blocks nor uses the network.
    fn is_instant(&self) -> bool;
}

/// Why a read has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// Its caller is gone.
    Abandoned,
    /// It has to take a new snapshot.
    Outdated,
}

impl From<Cancelled> for Retry {
    fn from(cancelled: Cancelled) -> Self {
        match cancelled {
            Cancelled::Abandoned => Self::Abandoned,
            Cancelled::Outdated => Self::OutdatedSnapshot,
        }
    }
}

/// A read, shared by the thread that executes it and those that may cancel it.
///
/// INVARIANT: a connection is interrupted only under the lock of the read that uses it, and `end` takes that lock before
/// the connection is returned. So the next borrower of a connection is never interrupted.
#[derive(Default)]
pub(crate) struct ReadLease(Mutex<LeaseState>);

#[derive(Default)]
struct LeaseState {
    /// The connection in use, and since when.
    running: Option<(Arc<dyn Interrupt>, Instant)>,
    is_abandoned: bool,
    is_outdated: bool,
    restarts: usize,
}

impl ReadLease {
    /// Starts to use a connection for a new snapshot.
    pub(crate) fn begin(&self, connection: &Arc<dyn Interrupt>) {
        let mut state = self.0.lock();
        state.is_outdated = false;
        state.running = Some((Arc::clone(connection), Instant::now()));
    }

    /// Ends the use of the connection. Returns whether the read was cancelled.
    pub(crate) fn end(&self) -> Option<Cancelled> {
        let mut state = self.0.lock();
        state.running = None;
        state.cancelled()
    }

    pub(crate) fn cancelled(&self) -> Option<Cancelled> {
        self.0.lock().cancelled()
    }

    /// Cancels the read, because its caller is gone.
    pub(crate) fn abandon(self: &Arc<Self>) {
        let mut state = self.0.lock();
        state.is_abandoned = true;
        match &state.running {
            None => {}
            Some((connection, _)) if connection.is_instant() => connection.interrupt(),
            Some(_) => {
                drop(state);
                let lease = Arc::clone(self);
                let work = move || {
                    if let Some((connection, _)) = &lease.0.lock().running {
                        connection.interrupt();
                    }
                };
                if let Err(error) = std::thread::Builder::new().name("orgmem-canceller".into()).spawn(work) {
                    tracing::warn!(%error, "no thread to cancel the statement of a caller that is gone");
                }
            }
        }
    }

    /// Restarts the read on a new snapshot, unless it was restarted too often.
    pub(super) fn outdate(&self) {
        let mut state = self.0.lock();
        let Some((connection, since)) = state.running.clone() else { return };
        if !state.is_outdated && (state.restarts < MAX_RESTARTS || since.elapsed() >= PROTECTED) {
            state.is_outdated = true;
            state.restarts += 1;
            connection.interrupt();
        }
    }
}

impl LeaseState {
    fn cancelled(&self) -> Option<Cancelled> {
        match (self.is_abandoned, self.is_outdated) {
            (true, _) => Some(Cancelled::Abandoned),
            (false, true) => Some(Cancelled::Outdated),
            (false, false) => None,
        }
    }
}

/// Abandons a read when it is dropped.
pub(super) struct AbandonOnDrop(pub(super) Arc<ReadLease>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[derive(Default)]
    struct Counted(AtomicUsize);

    impl Interrupt for Counted {
        fn interrupt(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn is_instant(&self) -> bool {
            true
        }
    }

    #[test]
    fn connection_is_interrupted_only_while_the_read_uses_it() {
        let counted = Arc::new(Counted::default());
        let connection: Arc<dyn Interrupt> = counted.clone();
        let (lease, next) = (Arc::new(ReadLease::default()), ReadLease::default());
        lease.begin(&connection);
        assert_eq!(lease.end(), None);
        next.begin(&connection);
        lease.abandon();
        assert_eq!((counted.0.load(Ordering::Relaxed), next.end()), (0, None), "the next borrower is not interrupted");
        lease.begin(&connection);
        lease.abandon();
        assert_eq!((counted.0.load(Ordering::Relaxed), lease.end()), (1, Some(Cancelled::Abandoned)));
    }

    #[test]
    fn read_that_was_restarted_often_may_finish() {
        let counted = Arc::new(Counted::default());
        let connection: Arc<dyn Interrupt> = counted.clone();
        let lease = ReadLease::default();
        for restart in 0..5 {
            lease.begin(&connection);
            lease.outdate();
            lease.outdate();
            assert_eq!(lease.end(), (restart < MAX_RESTARTS).then_some(Cancelled::Outdated));
        }
        assert_eq!(counted.0.load(Ordering::Relaxed), MAX_RESTARTS, "once for each snapshot");
    }
}

//! A write on its way: what to do, and whom to answer once it is durable.

use std::panic::{AssertUnwindSafe, catch_unwind};

use orgmem_hierarchy::OrgId;
use tokio::sync::oneshot;

use crate::StoreError;
use crate::contract::WriteTx;

/// Something to write. It may be run more than once, each time from the beginning, when its transaction has to be
/// repeated; it is answered once.
pub(crate) trait WriteJob: Send {
    /// The org whose row it needs locked.
    fn org(&self) -> OrgId;

    /// Does it; says whether what it wrote is to be kept.
    fn run(&mut self, tx: &mut dyn WriteTx) -> bool;

    /// Tells the caller how it ended, after the commit: what it was told itself, or why the commit failed.
    fn finish(&mut self, end: Result<(), StoreError>);
}

/// A closure as a job.
pub(crate) struct Task<F, T, E> {
    org: OrgId,
    work: F,
    outcome: Option<Result<T, E>>,
    reply: Option<oneshot::Sender<Result<T, E>>>,
}

impl<F, T, E> Task<F, T, E> {
    pub(crate) fn new(org: OrgId, work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { org, work, outcome: None, reply: Some(reply) }, answer)
    }
}

impl<F, T, E> WriteJob for Task<F, T, E>
where
    F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn org(&self) -> OrgId {
        self.org
    }

    fn run(&mut self, tx: &mut dyn WriteTx) -> bool {
        let work = &mut self.work;
        let outcome = catch_unwind(AssertUnwindSafe(|| work(tx)))
            .unwrap_or_else(|payload| Err(StoreError::panicked(payload.as_ref()).into()));
        self.outcome.insert(outcome).is_ok()
    }

    fn finish(&mut self, end: Result<(), StoreError>) {
        let Some(reply) = self.reply.take() else { return };
        let outcome = match end {
            Ok(()) => self.outcome.take().unwrap_or_else(|| Err(StoreError::Closed.into())),
            Err(error) => Err(error.into()),
        };
        // the caller may have gone away; what was written stays written
        let _ = reply.send(outcome);
    }
}

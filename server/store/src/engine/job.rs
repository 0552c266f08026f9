//! Write jobs: the work, and the reply to the caller after the commit.

use std::panic::{AssertUnwindSafe, catch_unwind};

use orgmem_hierarchy::OrgId;
use tokio::sync::oneshot;

use crate::StoreError;
use crate::contract::WriteTx;

/// A write. It may run several times, each time from the beginning, when its transaction is retried. The caller gets
/// one reply.
pub(crate) trait WriteJob: Send {
    /// The org whose row the job locks.
    fn org(&self) -> OrgId;

    /// Whether the job takes so long that the jobs of other orgs should not share its commit.
    fn is_large(&self) -> bool;

    /// Whether the caller is gone, so that nobody receives the reply.
    fn is_abandoned(&self) -> bool;

    /// Runs the job. Returns whether to commit its changes.
    fn run(&mut self, tx: &mut dyn WriteTx) -> bool;

    /// Sends the result to the caller after the commit: the result of the job, or the error of the commit.
    fn finish(&mut self, end: Result<(), StoreError>);
}

pub(crate) struct Task<F, T, E> {
    org: OrgId,
    is_large: bool,
    work: F,
    outcome: Option<Result<T, E>>,
    reply: Option<oneshot::Sender<Result<T, E>>>,
}

impl<F, T, E> Task<F, T, E> {
    pub(crate) fn new(org: OrgId, is_large: bool, work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { org, is_large, work, outcome: None, reply: Some(reply) }, answer)
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

    fn is_large(&self) -> bool {
        self.is_large
    }

    fn is_abandoned(&self) -> bool {
        self.reply.as_ref().is_none_or(oneshot::Sender::is_closed)
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
        // the caller may have gone away; its write remains committed
        let _ = reply.send(outcome);
    }
}

//! The runner of all jobs: intervals, errors, panics and shutdown.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use orgmem_hierarchy::OrgId;
use orgmem_store::StoreError;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::rounds::Rounds;

/// A job, over a context `C`.
pub(crate) struct Job<C: 'static> {
    pub(super) name: &'static str,
    pub(super) does: &'static str,
    /// The pause between two runs.
    pub(super) every: Duration,
    pub(super) runs_on: RunsOn,
    pub(super) work: Work<C>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RunsOn {
    /// Each server does work of its own.
    EveryServer,
    /// Any server does the work of all; the lock of the org's row admits one at a time.
    AnyByOrgRow,
}

/// The future of one run.
type JobFuture<'c, T> = BoxFuture<'c, Result<T, JobError>>;

pub(super) enum Work<C: 'static> {
    /// One run after the other. Shutdown interrupts a run.
    Whole(for<'c> fn(&'c C) -> JobFuture<'c, ()>),
    /// Finds orgs and runs for each. A slow org delays neither other orgs nor their next rounds, unless `at_once` is
    /// reached. Shutdown waits for runs that have started.
    PerOrg {
        at_once: usize,
        /// Starts a round before the interval has passed.
        wake: Option<fn(&C) -> &Notify>,
        due: for<'c> fn(&'c C) -> JobFuture<'c, Vec<OrgId>>,
        run: for<'c> fn(&'c C, OrgId) -> JobFuture<'c, Progress>,
    },
}

/// What a run for an org leaves to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing until the org is due again.
    Done,
    /// More: it runs again before the interval has passed, after the orgs that wait.
    HasMore,
}

/// Why a run failed. The job runs again after its pause.
#[derive(Debug)]
pub(crate) struct JobError {
    error: Box<dyn std::error::Error + Send + Sync>,
    retry_after: Option<Duration>,
    is_logged: bool,
}

impl JobError {
    pub(crate) fn of(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { error: Box::new(error), retry_after: None, is_logged: true }
    }

    /// Changes the pause before the next run.
    pub(crate) fn retry_after(self, pause: Duration) -> Self {
        Self { retry_after: Some(pause), ..self }
    }

    /// Sets whether the error is logged; a repeated error is logged once.
    pub(crate) fn logged_if(self, is_logged: bool) -> Self {
        Self { is_logged, ..self }
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        // a closed store means that the server is stopping
        let is_logged = !matches!(error, StoreError::Closed);
        Self::of(error).logged_if(is_logged)
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// The running jobs of a server.
pub(crate) struct Jobs {
    tasks: JoinSet<()>,
    stopping: CancellationToken,
}

impl Jobs {
    /// Starts each job in a task of its own.
    pub(crate) fn start<C: Send + Sync>(jobs: &'static [Job<C>], context: &Arc<C>) -> Self {
        let (mut tasks, stopping) = (JoinSet::new(), CancellationToken::new());
        for job in jobs {
            tracing::debug!(job = job.name, does = job.does, every = ?job.every, runs_on = ?job.runs_on, "job started");
            let (context, stopping) = (Arc::clone(context), stopping.clone());
            tasks.spawn(async move { job.repeat(&context, &stopping).await });
        }
        Self { tasks, stopping }
    }

    /// Stops all jobs. On return none of them uses the store.
    pub(crate) async fn stop(&mut self) {
        self.stopping.cancel();
        while self.tasks.join_next().await.is_some() {}
    }
}

impl<C: Sync> Job<C> {
    async fn repeat(&self, context: &C, stopping: &CancellationToken) {
        match &self.work {
            Work::Whole(run) => {
                let mut pause = self.every;
                while stopping.run_until_cancelled(sleep(pause)).await.is_some() {
                    let Some(ended) = stopping.run_until_cancelled(self.attempt(run(context))).await else { return };
                    pause = ended.err().flatten().unwrap_or(self.every);
                }
            }
            Work::PerOrg { at_once, wake, due, run } => {
                let mut rounds = Rounds::new(*at_once);
                let next = || async {
                    match wake {
                        None => sleep(self.every).await,
                        Some(wake) => tokio::select! {
                            () = sleep(self.every) => {}
                            () = wake(context).notified() => {}
                        },
                    }
                };
                while rounds.until(stopping.run_until_cancelled(next())).await.is_some() {
                    let orgs = rounds.until(self.attempt(due(context))).await.unwrap_or_default();
                    rounds.begin(orgs, |org| {
                        let running = run(context, org);
                        async move {
                            let has_more = self.attempt(running).await == Ok(Progress::HasMore);
                            has_more && !stopping.is_cancelled()
                        }
                    });
                }
                rounds.finish().await;
            }
        }
    }

    /// Awaits a run. Its error or panic is logged here and ends nothing else.
    ///
    /// # Errors
    /// The pause before the next run, if the error sets one.
    async fn attempt<T>(&self, run: BoxFuture<'_, Result<T, JobError>>) -> Result<T, Option<Duration>> {
        match AssertUnwindSafe(run).catch_unwind().await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => {
                if error.is_logged {
                    tracing::warn!(job = self.name, %error, "a job failed, it runs again");
                }
                Err(error.retry_after)
            }
            // the panic hook has logged where and why
            Err(_) => {
                tracing::error!(job = self.name, "a job panicked, it runs again");
                Err(None)
            }
        }
    }
}

#[cfg(test)]
mod tests;

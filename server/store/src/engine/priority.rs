//! Threads of low priority, and the processor time of a thread.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

/// Added to `nice`: where all cores are busy the thread gets about a tenth of one.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Lowers the priority of the calling thread; it cannot be raised again. Only Linux has priorities of threads.
#[cfg(target_os = "linux")]
pub fn lower_thread_priority() {
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "a thread for background work competes with requests for the cores");
    }
}

#[cfg(not(target_os = "linux"))]
pub fn lower_thread_priority() {}

/// Threads of low priority for work that blocks, started on demand.
pub(super) struct LowPriorityThreads {
    threads: Handle,
    /// Taken by the drop.
    runtime: Option<Runtime>,
}

impl LowPriorityThreads {
    pub(super) fn start() -> io::Result<Self> {
        let mut builder = Builder::new_current_thread();
        let runtime = builder.thread_name("orgmem-low").on_thread_start(lower_thread_priority).build()?;
        Ok(Self { threads: runtime.handle().clone(), runtime: Some(runtime) })
    }

    pub(super) fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        self.threads.spawn_blocking(work)
    }
}

impl Drop for LowPriorityThreads {
    fn drop(&mut self) {
        // a plain drop waits for the threads, which a task must not do
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The processor time of the calling thread.
pub(super) struct ThreadTime(Duration);

impl ThreadTime {
    #[cfg(target_os = "linux")]
    pub(super) fn now() -> Self {
        use rustix::time::{ClockId, clock_gettime};

        Self(Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default())
    }

    /// Elsewhere it is the time of a clock.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn now() -> Self {
        use std::sync::LazyLock;
        use std::time::Instant;

        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self(START.elapsed())
    }

    pub(super) fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{LowPriorityThreads, NICE};

    #[tokio::test]
    async fn work_has_a_lower_priority_than_its_starter() {
        let priority = || rustix::process::getpriority_process(None).expect("it has one");
        let (threads, own) = (LowPriorityThreads::start().expect("threads"), priority());
        let lower = threads.run(priority).await;
        assert_eq!(lower.expect("no panic"), (own + NICE).min(19));
        assert_eq!(priority(), own, "the starter keeps its priority");
    }
}

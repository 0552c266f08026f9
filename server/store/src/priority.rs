//! Priorities of threads: long work yields the cores to small requests.

use tokio::task::JoinHandle;

/// Added to `nice`: where all cores are busy, a thread of low priority gets about a tenth of one.
pub const NICE: i32 = 10;

/// Runs `work` on the blocking pool at a low priority. Small requests run on the threads of their connections, so work of one
/// org that occupies all cores delays those of others less.
pub fn spawn_low_priority<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    tokio::task::spawn_blocking(move || {
        lower_priority();
        work()
    })
}

/// Lowers the priority of this thread by [`NICE`] for the rest of its life. A process may not raise it again without a
/// privilege. Only Linux has priorities of threads.
#[cfg(target_os = "linux")]
pub fn lower_priority() {
    use std::cell::Cell;

    thread_local! {
        static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
    }
    if !IS_LOWERED.replace(true)
        && let Err(error) = rustix::process::nice(NICE)
    {
        tracing::debug!(%error, "long work competes with small requests for the cores");
    }
}

/// Does nothing.
#[cfg(not(target_os = "linux"))]
pub fn lower_priority() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{NICE, lower_priority, spawn_low_priority};

    fn priority() -> i32 {
        rustix::process::getpriority_process(None).expect("it has one")
    }

    #[tokio::test]
    async fn long_work_has_a_lower_priority_than_its_caller() {
        let own = priority();
        let lowered = (own + NICE).min(19);
        let work = || {
            lower_priority();
            priority()
        };
        assert_eq!(spawn_low_priority(work).await.expect("no panic"), lowered, "lowered once");
        assert_eq!(spawn_low_priority(priority).await.expect("no panic"), lowered);
        assert_eq!(priority(), own);
    }
}

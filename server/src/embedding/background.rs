//! A thread for work that no request waits for.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use orgmem_store::lower_thread_priority;
use tokio::sync::oneshot;

/// The pause after a job, in multiples of the time that other threads worked during it.
const PAUSE_FACTOR: u32 = 8;

/// The longest pause: on a busy server the work proceeds too.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

type BoxedJob = Box<dyn FnOnce() + Send>;

/// Runs one job after the other at a low priority, and pauses while other threads work. Dropped, it ends after the current
/// job and its pause.
///
/// The priority is not enough: work done while others wait for the disk evicts their caches and occupies their cores.
pub(super) struct Background {
    jobs: mpsc::Sender<BoxedJob>,
}

impl Background {
    pub(super) fn start(name: &str) -> io::Result<Self> {
        let (jobs, waiting) = mpsc::channel::<BoxedJob>();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            lower_thread_priority();
            // a sleep, as no event says that the other threads are idle
            for job in waiting {
                let before = used_by_others();
                job();
                thread::sleep(pause(used_by_others().saturating_sub(before)));
            }
        })?;
        Ok(Self { jobs })
    }

    /// The result of `job`; `None` when it panicked.
    pub(super) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (done, result) = oneshot::channel();
        let job = move || {
            if let Ok(value) = catch_unwind(AssertUnwindSafe(job)) {
                // the caller may have stopped waiting
                let _ = done.send(value);
            }
        };
        self.jobs.send(Box::new(job)).ok()?;
        result.await.ok()
    }
}

fn pause(used_by_others: Duration) -> Duration {
    used_by_others.saturating_mul(PAUSE_FACTOR).min(LONGEST_PAUSE)
}

/// The CPU time of the other threads of this process.
#[cfg(target_os = "linux")]
fn used_by_others() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let of = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    of(ClockId::ProcessCPUTime).saturating_sub(of(ClockId::ThreadCPUTime))
}

#[cfg(not(target_os = "linux"))]
fn used_by_others() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[cfg(target_os = "linux")]
    use rustix::time::{ClockId, clock_gettime};

    #[cfg(target_os = "linux")]
    use super::used_by_others;
    use super::{Background, LONGEST_PAUSE, pause};

    #[tokio::test]
    async fn jobs_run_in_order_and_a_panic_ends_only_one() {
        let background = Background::start("test").expect("a thread");
        assert_eq!(background.run(|| 1).await, Some(1));
        assert_eq!(background.run(|| -> i32 { panic!("on purpose") }).await, None);
        assert_eq!(background.run(|| 2).await, Some(2));
    }

    #[test]
    fn pause_grows_with_the_work_of_others_up_to_a_limit() {
        assert_eq!(pause(Duration::ZERO), Duration::ZERO);
        assert_eq!(pause(Duration::from_millis(10)), Duration::from_millis(80));
        assert_eq!(pause(Duration::from_secs(60)), LONGEST_PAUSE);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn thread_has_a_lower_priority_than_its_starter() {
        let priority = || rustix::process::getpriority_process(None).expect("it has one");
        let background = Background::start("test").expect("a thread");
        let own = priority();
        assert!(background.run(priority).await > Some(own), "a greater number is a lower priority");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn time_of_other_threads_counts() {
        let worked = Duration::from_millis(20);
        let of_this_thread = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("it began at 0");
        let spin = move || {
            let before = of_this_thread();
            while of_this_thread() - before < worked {}
        };
        let before = used_by_others();
        std::thread::spawn(spin).join().expect("it ends");
        assert!(used_by_others() - before >= worked);
    }
}

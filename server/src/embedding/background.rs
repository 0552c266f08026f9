//! A thread for work that nobody waits for.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

/// How far it steps back, in steps of `nice`: where all cores are wanted it gets about a tenth of one.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// How many times as long it rests after a job as the other threads worked during it.
const STAND_ASIDE: u32 = 8;

/// How long it rests at most, so that it comes to its end at some time whatever else there is to do.
const LONGEST_REST: Duration = Duration::from_secs(5);

type BoxedJob = Box<dyn FnOnce() + Send>;

/// Does one job after the other, with less claim to the cores than those who answer requests, and stands aside while
/// they work. Dropped, it ends after the job at hand and its rest.
///
/// Less claim alone is not enough: whoever computes while others wait for the disk leaves them cold caches, and a core that
/// they have to take back.
pub(super) struct Background {
    jobs: mpsc::Sender<BoxedJob>,
}

impl Background {
    /// # Errors
    /// When the machine has no thread to give.
    pub(super) fn start(name: &str) -> io::Result<Self> {
        let (jobs, waiting) = mpsc::channel::<BoxedJob>();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            step_back();
            // to rest is the purpose here: no event tells that the others have nothing to do
            for job in waiting {
                let before = used_by_others();
                job();
                thread::sleep(rest(used_by_others().saturating_sub(before)));
            }
        })?;
        Ok(Self { jobs })
    }

    /// What `job` comes to; none when it panicked.
    pub(super) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (done, result) = oneshot::channel();
        let job = move || {
            if let Ok(value) = catch_unwind(AssertUnwindSafe(job)) {
                // who gave up waiting does not want it
                let _ = done.send(value);
            }
        };
        self.jobs.send(Box::new(job)).ok()?;
        result.await.ok()
    }
}

/// How long to rest after a job during which others used the cores for so long.
fn rest(used_by_others: Duration) -> Duration {
    used_by_others.saturating_mul(STAND_ASIDE).min(LONGEST_REST)
}

/// On Linux each thread has a place of its own among those that want a core; elsewhere only the whole process has.
#[cfg(target_os = "linux")]
fn step_back() {
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "embedding competes with requests for the cores");
    }
}

/// For how long the other threads of this process had a core, all together.
#[cfg(target_os = "linux")]
fn used_by_others() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let of = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    of(ClockId::ProcessCPUTime).saturating_sub(of(ClockId::ThreadCPUTime))
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}

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
    use super::{Background, LONGEST_REST, rest};

    #[tokio::test]
    async fn jobs_are_done_in_their_order_and_a_panic_ends_only_its_own() {
        let background = Background::start("test").expect("a thread");
        assert_eq!(background.run(|| 1).await, Some(1));
        assert_eq!(background.run(|| -> i32 { panic!("on purpose") }).await, None);
        assert_eq!(background.run(|| 2).await, Some(2));
    }

    #[test]
    fn it_rests_for_longer_the_more_others_worked_and_not_for_ever() {
        assert_eq!(rest(Duration::ZERO), Duration::ZERO);
        assert_eq!(rest(Duration::from_millis(10)), Duration::from_millis(80));
        assert_eq!(rest(Duration::from_secs(60)), LONGEST_REST);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn it_has_less_claim_to_the_cores_than_who_started_it() {
        let priority = || rustix::process::getpriority_process(None).expect("it has one");
        let background = Background::start("test").expect("a thread");
        let own = priority();
        assert_eq!(background.run(priority).await, Some((own + super::NICE).min(19)));
        assert_eq!(priority(), own, "who started it stays where it was");
    }

    /// The clocks are the process's and the thread's: what another thread does counts, and what this one does does not.
    #[cfg(target_os = "linux")]
    #[test]
    fn it_knows_how_long_others_worked() {
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

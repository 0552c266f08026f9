//! A thread for work that nobody waits for.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// How far it steps back, in steps of `nice`: where all cores are wanted it gets about a tenth of one.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// How many times as long as it was kept waiting for a core it rests.
const STAND_ASIDE: u32 = 10;

/// How long it rests at most, so that it comes to its end at some time whatever else there is to do.
const LONGEST_REST: Duration = Duration::from_secs(5);

type Job = Box<dyn FnOnce() + Send>;

/// Does one job after the other, with less claim to the cores than those who answer requests, and stands aside while
/// they want them. Dropped, it ends after the job at hand.
///
/// Less claim alone is not enough: whoever runs while others wait for the disk leaves them cold caches.
pub(super) struct Background {
    jobs: mpsc::Sender<Job>,
}

impl Background {
    /// # Errors
    /// When the machine has no thread to give.
    pub(super) fn start(name: &str) -> io::Result<Self> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            step_back();
            for job in waiting {
                let (begin, used_before) = (Instant::now(), used());
                job();
                let used = used_before.zip(used()).map(|(before, after)| after.saturating_sub(before));
                thread::sleep(rest(begin.elapsed(), used));
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

/// How long to rest after a job that took so long and of that had a core for so long, where that can be told: not at all
/// when nobody else wanted it.
fn rest(took: Duration, used: Option<Duration>) -> Duration {
    let kept_waiting = took.saturating_sub(used.unwrap_or(took));
    kept_waiting.saturating_mul(STAND_ASIDE).min(LONGEST_REST)
}

/// On Linux each thread has a place of its own among those that want a core; elsewhere only the whole process has.
#[cfg(target_os = "linux")]
fn step_back() {
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "embedding competes with requests for the cores");
    }
}

/// For how long this thread had a core.
#[cfg(target_os = "linux")]
fn used() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().ok()
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}

#[cfg(not(target_os = "linux"))]
fn used() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Background, LONGEST_REST, rest};

    #[tokio::test]
    async fn jobs_are_done_in_their_order_and_a_panic_ends_only_its_own() {
        let background = Background::start("test").expect("a thread");
        assert_eq!(background.run(|| 1).await, Some(1));
        assert_eq!(background.run(|| -> i32 { panic!("on purpose") }).await, None);
        assert_eq!(background.run(|| 2).await, Some(2));
    }

    #[test]
    fn it_rests_for_as_long_as_others_want_the_cores_and_no_longer() {
        let millis = Duration::from_millis;
        assert_eq!(rest(millis(300), Some(millis(300))), Duration::ZERO);
        assert_eq!(rest(millis(300), Some(millis(310))), Duration::ZERO, "clocks differ");
        assert_eq!(rest(millis(300), Some(millis(200))), millis(1_000));
        assert_eq!(rest(Duration::from_secs(60), Some(millis(200))), LONGEST_REST);
        assert_eq!(rest(millis(300), None), Duration::ZERO);
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

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn it_knows_how_long_it_had_a_core() {
        let background = Background::start("test").expect("a thread");
        let spin = || {
            let before = super::used()?;
            while super::used()?.checked_sub(before)? < Duration::from_millis(5) {}
            super::used()
        };
        assert!(background.run(spin).await.flatten().is_some_and(|used| used >= Duration::from_millis(5)));
    }
}

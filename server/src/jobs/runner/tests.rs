use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

#[derive(Default)]
struct Counts {
    steady: AtomicU32,
    failing: AtomicU32,
    panicking: AtomicU32,
}

const fn every_minute(name: &'static str, work: Work<Counts>) -> Job<Counts> {
    let every = Duration::from_secs(60);
    Job { name, does: "counts its runs", every, runs_on: RunsOn::EveryServer, work }
}

static JOBS: [Job<Counts>; 3] = [
    every_minute("steady", Work::Whole(|cx| async { add(&cx.steady) }.boxed())),
    every_minute("failing", Work::Whole(|cx| async { fail(&cx.failing) }.boxed())),
    every_minute("panicking", Work::Whole(|cx| async { panic_after(&cx.panicking) }.boxed())),
];

fn add(count: &AtomicU32) -> Result<(), JobError> {
    count.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

fn fail(count: &AtomicU32) -> Result<(), JobError> {
    add(count)?;
    Err(JobError::of(std::io::Error::other("on purpose")).retry_after(Duration::from_secs(30)))
}

fn panic_after(count: &AtomicU32) -> Result<(), JobError> {
    add(count)?;
    panic!("on purpose")
}

#[tokio::test(start_paused = true)]
async fn failed_or_panicked_job_runs_again_and_delays_no_other() {
    let counts = Arc::new(Counts::default());
    let mut jobs = Jobs::start(&JOBS, &counts);
    sleep(Duration::from_secs(185)).await;
    let runs = || [&counts.steady, &counts.failing, &counts.panicking].map(|count| count.load(Ordering::Relaxed));
    assert_eq!(runs(), [3, 5, 3], "the failing job asks for a shorter pause");
    jobs.stop().await;
    sleep(Duration::from_secs(185)).await;
    assert_eq!(runs(), [3, 5, 3]);
}

//! Reads that arrive together, on the thread of their callers.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Barrier, mpsc};
use std::task::{Context, Waker};
use std::thread::ThreadId;

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_store::{ReadPlan, ReadTx, Requester, StoreConfig, StoreError};
use uuid::Uuid;

use super::engine::name_of;
use super::orgs::{Org, draw};
use crate::stores::TestStore;

on_both!(
    read_that_is_given_up_on_arrival_does_not_begin,
    few_small_reads_run_on_the_thread_of_their_caller_and_many_take_turns,
    reads_of_one_org_take_turns_while_another_org_reads,
    scans_of_one_org_beyond_the_first_yield_to_other_orgs,
);

/// Runs `test` on a runtime with one thread, as a connection does.
async fn on_one_thread<T: Send + 'static>(test: impl AsyncFnOnce() -> T + Send + 'static) -> T {
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(test())
    };
    tokio::task::spawn_blocking(run).await.expect("no panic")
}

/// A connection polls a request before it looks whether the caller is gone.
async fn read_that_is_given_up_on_arrival_does_not_begin(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let (org, id) = (acme.id, acme.get("acme"));
    let (reading, begun) = mpsc::channel();
    let store = t.store.clone();
    let give_up = async move || {
        for plan in [ReadPlan::Adaptive, ReadPlan::Scan] {
            let reading = reading.clone();
            let look = move |tx: &mut dyn ReadTx| {
                reading.send(plan).ok();
                tx.workspaces(org, &[id]).map(drop)
            };
            let mut read = Box::pin(store.read(plan, look));
            for _ in 0..2 {
                assert!(read.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
        }
    };
    on_one_thread(give_up).await;
    assert_eq!(name_of(&t.store, &acme, "acme").await, "acme");
    assert_eq!(begun.iter().collect::<Vec<_>>(), []);
}

/// Of reads of which all arrive before the first begins, how many run here. Each returns its thread.
async fn count_inline(mut reads: Vec<Pin<Box<impl Future<Output = Result<ThreadId, StoreError>>>>>) -> usize {
    let here = std::thread::current().id();
    let context = &mut Context::from_waker(Waker::noop());
    assert!(reads.iter_mut().all(|read| read.as_mut().poll(context).is_pending()));
    let mut inline = 0;
    for read in reads {
        inline += usize::from(read.await.expect("a read") == here);
    }
    inline
}

/// On PostgreSQL no read runs on the thread of its caller.
async fn few_small_reads_run_on_the_thread_of_their_caller_and_many_take_turns(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let (store, org, id) = (t.store.clone(), acme.id, acme.get("acme"));
    let read = move || {
        let look = move |tx: &mut dyn ReadTx| {
            tx.workspaces(org, &[id])?;
            Ok::<_, StoreError>(std::thread::current().id())
        };
        let store = store.clone();
        async move { store.read(ReadPlan::Adaptive, look).await }
    };
    let inline = async move |count: usize| count_inline((0..count).map(|_| Box::pin(read())).collect()).await;
    let counts = on_one_thread(async move || [inline(8).await, inline(33).await, inline(8).await]).await;
    let expected = if matches!(t.config, StoreConfig::Sqlite { .. }) { [8, 32, 8] } else { [0; 3] };
    assert_eq!(counts, expected, "the first of 33 sees too many, the others one less");
}

/// The requester and the ids that a read of the root workspace needs.
fn reader_of(org: &Org, root: &str) -> (Requester, OrgId, WorkspaceId) {
    (Requester { org: Some(org.id), caller: Uuid::nil() }, org.id, org.get(root))
}

async fn reads_of_one_org_take_turns_while_another_org_reads(t: TestStore) {
    let (acme, globex) = (draw(&t.store, "acme").await, draw(&t.store, "globex").await);
    let (store, acme, globex) = (t.store.clone(), reader_of(&acme, "acme"), reader_of(&globex, "globex"));
    let read = move |(requester, org, id): (Requester, OrgId, WorkspaceId)| {
        let look = move |tx: &mut dyn ReadTx| {
            tx.workspaces(org, &[id])?;
            Ok::<_, StoreError>(std::thread::current().id())
        };
        let store = store.clone();
        Box::pin(async move { store.read_for(requester, ReadPlan::Adaptive, look).await })
    };
    t.clock.advance(TimeDelta::seconds(1));
    let clock = t.clock.clone();
    let counts = on_one_thread(async move || {
        let one_org = count_inline((0..4).map(|_| read(acme)).collect()).await;
        let two_orgs = count_inline((0..4).map(|_| read(acme)).chain([read(globex)]).collect()).await;
        clock.advance(TimeDelta::seconds(1));
        (one_org, two_orgs, count_inline((0..4).map(|_| read(acme)).collect()).await)
    });
    let expected = if matches!(t.config, StoreConfig::Sqlite { .. }) { (4, 2, 4) } else { (0, 0, 0) };
    assert_eq!(counts.await, expected, "with two orgs, the last read of each");
}

/// Two scans at the same time; each waits until both run. Only Linux has priorities of threads.
async fn scans_of_one_org_beyond_the_first_yield_to_other_orgs(t: TestStore) {
    let (acme, globex) = (draw(&t.store, "acme").await, draw(&t.store, "globex").await);
    let (acme, globex) = (reader_of(&acme, "acme"), reader_of(&globex, "globex"));
    let scan = |(requester, org, id): (Requester, OrgId, WorkspaceId), both: Arc<Barrier>| {
        let look = move |tx: &mut dyn ReadTx| {
            both.wait();
            tx.workspaces(org, &[id])?;
            Ok::<_, StoreError>(priority())
        };
        let store = t.store.clone();
        async move { store.read_for(requester, ReadPlan::Scan, look).await.expect("a turn") }
    };
    // of two scans, how many have a lower priority than the test
    let lower = async |one, other| {
        let both = Arc::new(Barrier::new(2));
        let (one, other) = tokio::join!(scan(one, Arc::clone(&both)), scan(other, both));
        [one, other].iter().filter(|scan| **scan > priority()).count()
    };
    t.clock.advance(TimeDelta::seconds(1));
    assert_eq!(lower(acme, acme).await, 0, "nobody else uses the store");
    assert_eq!(lower(acme, globex).await, 0, "one scan of each org");
    assert_eq!(
        lower(acme, acme).await,
        usize::from(cfg!(target_os = "linux")),
        "globex was active less than a second ago"
    );
    t.clock.advance(TimeDelta::seconds(1));
    assert_eq!(lower(acme, acme).await, 0, "a second later");
}

/// What `nice` is for the calling thread.
#[cfg(target_os = "linux")]
fn priority() -> i32 {
    rustix::process::getpriority_process(None).expect("it has one")
}

#[cfg(not(target_os = "linux"))]
fn priority() -> i32 {
    0
}

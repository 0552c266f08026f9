//! Reads that arrive together, on the thread of their callers.

use std::future::Future;
use std::sync::mpsc;
use std::task::{Context, Waker};

use orgmem_store::{ReadPlan, ReadTx, StoreConfig, StoreError};

use super::engine::name_of;
use super::orgs::draw;
use crate::stores::TestStore;

on_both!(
    read_that_is_given_up_on_arrival_does_not_begin,
    few_small_reads_run_on_the_thread_of_their_caller_and_many_take_turns,
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
    // of reads of which all arrive before the first begins, how many run here
    let inline = async move |count: usize| {
        let here = std::thread::current().id();
        let mut reads: Vec<_> = (0..count).map(|_| Box::pin(read())).collect();
        let context = &mut Context::from_waker(Waker::noop());
        assert!(reads.iter_mut().all(|read| read.as_mut().poll(context).is_pending()));
        let mut inline = 0;
        for read in reads {
            inline += usize::from(read.await.expect("a read") == here);
        }
        inline
    };
    let counts = on_one_thread(async move || [inline(8).await, inline(33).await, inline(8).await]).await;
    let expected = if matches!(t.config, StoreConfig::Sqlite { .. }) { [8, 32, 8] } else { [0; 3] };
    assert_eq!(counts, expected, "the first of 33 sees too many, the others one less");
}

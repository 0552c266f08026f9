//! Execution of reads: on the caches, on the calling thread or on the blocking pool, with retries on newer snapshots.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use diesel::r2d2::Pool;
use orgmem_hierarchy::OrgId;

use super::lease::AbandonOnDrop;
use super::readers::Lent;
use super::{Backend, Core, Engine, Lease, Manager, ReadLease, Retry};
use crate::StoreError;
use crate::contract::{ReadPlan, ReadTx, Requester};

/// Maximum number of snapshots of a read. Each is newer than the previous one, and a retry is rare.
const MAX_SNAPSHOTS: usize = 100;

/// After this number of snapshots the caches must be newer than the database itself, and are cleared.
const CACHES_TRUSTED: usize = 50;

impl<B: Backend> Engine<B> {
    pub(crate) async fn read<T, E, F>(&self, requester: Requester, plan: ReadPlan, mut query: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn ReadTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        if B::SOLE_WRITER
            && plan == ReadPlan::Cached
            && self.readers.is_open()
            && let Some(result) = read_cached::<B, T, E>(&self.core, &mut query)
        {
            return result;
        }
        let arrival = if plan.may_scan() { Some(self.readers.arrive(requester).await) } else { None };
        if B::READS_INLINE
            && plan.is_inline()
            && arrival.as_ref().is_none_or(|arrival| arrival.may_run_inline(self.core.threads.is_shared()))
            && let Some(mut reader) = self.readers.try_get()
            && let ReadOutcome::Done(result) = read_snapshot::<B, T, E>(&mut reader, &self.core, None, &mut query)
        {
            return result;
        }
        let lease = self.core.cleanup.begin_read();
        // the caller is gone if this future is dropped before its end
        let _abandoned = AbandonOnDrop(Arc::clone(&lease));
        let turn = self.readers.turn(requester, plan).await?;
        let (readers, core) = (self.readers.pool()?, Arc::clone(&self.core));
        // the caches of a sole writer were tried above
        let cached = requester.org.filter(|_| !B::SOLE_WRITER && plan == ReadPlan::Cached);
        let (threads, is_further) = (self.core.threads.clone(), turn.is_further());
        let task = threads.run_for(requester, is_further, move || {
            let _turn = turn;
            if let Some(org) = cached
                && let Some(result) = read_current::<B, T, E>(&readers, &core, org, &mut query)
            {
                return result;
            }
            read_on_pool::<B, T, E>(&readers, &core, &lease, &mut query)
        });
        task.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }
}

/// Reads from the caches. Returns none if they lack some of the data, or if a commit began during the read; otherwise
/// the result equals that of a snapshot.
fn read_cached<B: Backend, T, E: From<StoreError>>(
    core: &Core,
    query: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> Option<Result<T, E>> {
    let before = core.caches.commits.at_rest()?;
    let (retry, result) = run_caught(query, |query| B::recall(core, query));
    result.filter(|_| retry.is_none() && core.caches.commits.is_still(before))
}

/// Reads from the caches at the current row of the org: one statement instead of a transaction. Returns none if the caches
/// lack some of the data, or lacked it recently.
fn read_current<B: Backend, T, E: From<StoreError>>(
    readers: &Pool<Manager<B>>,
    core: &Core,
    org: OrgId,
    query: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> Option<Result<T, E>> {
    let cache = core.caches.org(org);
    if !cache.recalls.is_worthwhile() {
        return None;
    }
    let mut reader = readers.get().ok()?;
    let Lent { conn, held, .. } = &mut *reader;
    let (retry, result) = run_caught(query, |query| held.recall_current(conn, core, org, query));
    let result = result.filter(|_| retry.is_none());
    cache.recalls.note(result.is_some());
    result
}

enum ReadOutcome<T> {
    Done(T),
    /// The read takes too long for the calling thread.
    OnBlockingPool,
    /// The connection cannot be used for reads.
    Broken(StoreError),
}

/// Reads on a connection of the pool. If connections were cut off, tries the next ones, up to a new one.
fn read_on_pool<B: Backend, T, E: From<StoreError>>(
    readers: &Pool<Manager<B>>,
    core: &Core,
    lease: &ReadLease,
    query: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> Result<T, E> {
    let mut last = StoreError::Busy;
    for _ in 0..=readers.max_size() {
        let mut reader = readers.get().map_err(StoreError::unavailable)?;
        match read_snapshot::<B, T, E>(&mut reader, core, Some(lease), query) {
            ReadOutcome::Done(result) => return result,
            ReadOutcome::OnBlockingPool => {}
            ReadOutcome::Broken(error) => last = error,
        }
    }
    Err(last.into())
}

/// Reads on one connection, with new snapshots until one is new enough for the caches.
///
/// A read without a lease runs on a thread that must not block.
fn read_snapshot<B: Backend, T, E: From<StoreError>>(
    Lent { conn, interrupt, .. }: &mut Lent<B>,
    core: &Core,
    lease: Option<&ReadLease>,
    query: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> ReadOutcome<Result<T, E>> {
    let lease = lease.map(|read| Lease { read, connection: interrupt });
    let mut attempt = 0;
    while attempt < MAX_SNAPSHOTS {
        if attempt == CACHES_TRUSTED {
            tracing::warn!("the database is older than the caches; the caches are cleared");
            core.caches.forget();
        }
        if let Err(error) = B::begin_read(conn) {
            return ReadOutcome::Broken(error);
        }
        match run_caught(query, |query| B::read(conn, core, lease, query)) {
            (None, Some(result)) => return ReadOutcome::Done(result),
            (Some(Retry::OnBlockingPool), _) => return ReadOutcome::OnBlockingPool,
            // nobody receives the result
            (Some(Retry::Abandoned), _) => return ReadOutcome::Done(Err(StoreError::Busy.into())),
            (Some(Retry::OutdatedSnapshot), _) if lease.is_none() => return ReadOutcome::OnBlockingPool,
            // no limit: deletions elsewhere must not fail a read, and one that is restarted often may finish
            (Some(Retry::OutdatedSnapshot), _) => {}
            (Some(Retry::NewSnapshot | Retry::WithConnection), _) | (None, None) => attempt += 1,
        }
    }
    ReadOutcome::Done(Err(StoreError::Busy.into()))
}

/// Runs `query` in the transaction that `read` opens, and converts a panic of `query` into an error.
fn run_caught<T, E: From<StoreError>>(
    query: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
    read: impl FnOnce(&mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry>,
) -> (Option<Retry>, Option<Result<T, E>>) {
    let mut result = None;
    let retry = read(&mut |tx| {
        let outcome = catch_unwind(AssertUnwindSafe(|| query(tx)));
        result = Some(outcome.unwrap_or_else(|payload| Err(StoreError::panicked(payload.as_ref()).into())));
    });
    (retry, result)
}

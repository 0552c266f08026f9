//! Reads: where they run, and that they run again when their snapshot was too old.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use diesel::r2d2::Pool;

use super::{Backend, Core, Engine, Manager, Retry};
use crate::StoreError;
use crate::contract::{ReadPlan, ReadTx};

/// How often a snapshot is taken again at most. Each is newer than the one before, and few are too old even once.
const SNAPSHOTS: usize = 100;

/// After so many, the caches are not ahead of the snapshots but of the database itself.
const CACHES_TRUSTED: usize = 50;

impl<B: Backend> Engine<B> {
    pub(crate) async fn read<T, E, F>(&self, cost: ReadPlan, mut look: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn ReadTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        if B::SOLE_WRITER
            && cost == ReadPlan::Cached
            && self.readers.is_open()
            && let Some(answer) = recalled::<B, T, E>(&self.core, &mut look)
        {
            return answer;
        }
        if B::READS_INLINE
            && cost != ReadPlan::Scan
            && let Some(mut lent) = self.readers.try_get()
            && let ReadOutcome::Answer(answer) = snapshot::<B, T, E>(&mut lent.conn, &self.core, true, &mut look)
        {
            return answer;
        }
        let turn = self.readers.turn().await?;
        let (readers, core) = (self.readers.pool()?, Arc::clone(&self.core));
        let reading = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            on_pool::<B, T, E>(&readers, &core, &mut look)
        });
        reading.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }
}

/// Answers from what is kept in memory, if that is enough and no commit came meanwhile: then it is what a snapshot shows.
fn recalled<B: Backend, T, E: From<StoreError>>(
    core: &Core,
    look: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> Option<Result<T, E>> {
    let before = core.caches.commits.at_rest()?;
    let (retry, answer) = watched(look, |look| B::recall(core, look));
    answer.filter(|_| retry.is_none() && core.caches.commits.is_still(before))
}

enum ReadOutcome<T> {
    Answer(T),
    /// Not on this thread: it takes longer than was thought.
    OnBlockingPool,
    /// Not on this connection: there is no reading from it.
    Broken(StoreError),
}

/// Reads on a connection of the pool; when those in the pool were cut off meanwhile, on one after the other until a new
/// one.
fn on_pool<B: Backend, T, E: From<StoreError>>(
    readers: &Pool<Manager<B>>,
    core: &Core,
    look: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> Result<T, E> {
    let mut last = StoreError::Busy;
    for _ in 0..=readers.max_size() {
        let mut lent = readers.get().map_err(StoreError::unavailable)?;
        match snapshot::<B, T, E>(&mut lent.conn, core, false, look) {
            ReadOutcome::Answer(answer) => return answer,
            ReadOutcome::OnBlockingPool => {}
            ReadOutcome::Broken(error) => last = error,
        }
    }
    Err(last.into())
}

fn snapshot<B: Backend, T, E: From<StoreError>>(
    conn: &mut B::Conn,
    core: &Core,
    inline: bool,
    look: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
) -> ReadOutcome<Result<T, E>> {
    for attempt in 0..SNAPSHOTS {
        if attempt == CACHES_TRUSTED {
            tracing::warn!("the database is older than what was read from it before; the caches are dropped");
            core.caches.forget();
        }
        if let Err(error) = B::begin_read(conn) {
            return ReadOutcome::Broken(error);
        }
        match watched(look, |look| B::read(conn, core, inline, look)) {
            (None, Some(answer)) => return ReadOutcome::Answer(answer),
            (Some(Retry::OnBlockingPool), _) => return ReadOutcome::OnBlockingPool,
            (Some(Retry::NewSnapshot | Retry::WithConnection), _) | (None, None) => {}
        }
    }
    ReadOutcome::Answer(Err(StoreError::Busy.into()))
}

/// Has `show` show a transaction to `look`; a panic of it is an error like others.
fn watched<T, E: From<StoreError>>(
    look: &mut impl FnMut(&mut dyn ReadTx) -> Result<T, E>,
    show: impl FnOnce(&mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry>,
) -> (Option<Retry>, Option<Result<T, E>>) {
    let mut answer = None;
    let retry = show(&mut |tx| {
        let seen = catch_unwind(AssertUnwindSafe(|| look(tx)));
        answer = Some(seen.unwrap_or_else(|payload| Err(StoreError::panicked(payload.as_ref()).into())));
    });
    (retry, answer)
}

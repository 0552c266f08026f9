//! What both databases have in common: who reads and writes when. The statements themselves are in `shared/`.

mod cleaner;
mod error_context;
mod job;
mod notifier;
mod queue;
mod readers;
mod reads;
mod residue;
mod writer;

use std::sync::Arc;

use diesel::r2d2::{Builder, R2D2Connection};
use orgmem_hierarchy::OrgId;
use parking_lot::MutexGuard;

use crate::cache::Caches;
use crate::clock::IdSource;
use crate::contract::ReadTx;
use crate::{Clock, StoreError};

use cleaner::{Cleaner, CleanupQueue};
pub(crate) use error_context::RowContext;
pub(crate) use job::{Task, WriteJob};
pub(crate) use notifier::Notifier;
pub use notifier::Subscription;
use queue::WriteQueue;
pub(crate) use readers::Manager;
use readers::{Last, Readers};
pub(crate) use residue::ResidueSet;
use writer::Writers;

/// What every transaction of one store shares.
pub(crate) struct Core {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) caches: Caches,
    /// What is to be taken out of the files.
    pub(crate) cleanup: Arc<CleanupQueue>,
    pub(crate) notifier: Notifier,
}

impl Core {
    pub(crate) fn new(clock: Arc<dyn Clock>, index_cache_bytes: usize) -> Self {
        let (caches, cleanup) = (Caches::new(index_cache_bytes), Arc::default());
        Self { clock, ids: IdSource::default(), caches, cleanup, notifier: Notifier::default() }
    }
}

/// Why a snapshot is to be taken again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// A cache has gone on since the snapshot was taken.
    NewSnapshot,
    /// It takes too long for the thread it was begun on.
    OnBlockingPool,
    /// What is kept in memory is not enough.
    WithConnection,
}

/// What the engine asks of a database.
pub(crate) trait Backend: Send + Sync + 'static {
    /// A connection.
    type Conn: R2D2Connection + Send + 'static;

    /// Whether a read of a few rows costs less than changing threads.
    const READS_INLINE: bool;

    /// Whether one thread of this process writes to the database and nobody else, so that what is kept in memory can be
    /// the newest.
    const SOLE_WRITER: bool;

    /// The right to write to a file that only one may write to at a time.
    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        None
    }

    /// Takes what was taken out of the tables out of their files too; says whether that was possible yet. `conn` is a
    /// connection of its own, opened where there is none.
    fn clean(&self, conn: &mut Option<Self::Conn>, traces: &ResidueSet) -> Result<bool, StoreError>;

    /// Opens a connection that reads.
    fn connect_reader(&self) -> Result<Self::Conn, StoreError>;

    /// Opens a connection that writes, and makes sure that what it commits is durable.
    fn connect_writer(&self) -> Result<Self::Conn, StoreError>;

    /// Begins a read. On an error the connection counts as broken.
    fn begin_read(conn: &mut Self::Conn) -> Result<(), StoreError>;

    /// Shows the snapshot that was begun to `look`; says whether, and why, another one is to be taken. Ends the read.
    fn read(conn: &mut Self::Conn, core: &Core, inline: bool, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry>;

    /// Shows what is kept in memory; says whether, and why, that was not enough.
    fn recall(core: &Core, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry>;

    /// Begins a group of writes. On an error the connection counts as broken.
    fn begin_write(conn: &mut Self::Conn) -> Result<(), StoreError>;

    /// Runs jobs from the front of `jobs` in the transaction that was begun and commits it; says how many took part.
    /// On an error none did.
    fn commit(conn: &mut Self::Conn, core: &Core, jobs: &mut [Box<dyn WriteJob>]) -> Result<usize, StoreError>;
}

/// One open database.
pub(crate) struct Engine<B: Backend> {
    core: Arc<Core>,
    readers: Readers<B>,
    writers: Writers,
    cleaner: Cleaner,
    last: Last,
}

impl<B: Backend> Engine<B> {
    pub(crate) fn start(
        backend: B,
        core: Core,
        readers: Builder<Manager<B>>,
        writers: u32,
    ) -> Result<Self, StoreError> {
        let core = Arc::new(core);
        let (held, last) = readers::hold(backend);
        let readers = Readers::start(&held, readers)?;
        let writers = Writers::start(&held, &core, writers).map_err(StoreError::unavailable)?;
        let cleaner = Cleaner::start(&held, &core.cleanup).map_err(StoreError::unavailable)?;
        Ok(Self { core, readers, writers, cleaner, last })
    }

    pub(crate) fn shared_core(&self) -> &Arc<Core> {
        &self.core
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Hands a job to the writer of its org.
    pub(crate) fn submit(&self, org: OrgId, job: Box<dyn WriteJob>) -> Result<(), StoreError> {
        self.writers.of(org).push(job)
    }

    /// How many writes wait.
    pub(crate) fn waiting(&self) -> usize {
        self.writers.waiting()
    }

    /// Takes nothing more on; finishes what was accepted, and closes every connection.
    pub(crate) fn close(&self) {
        self.writers.close();
        self.cleaner.close();
        self.readers.close();
        if !self.last.wait() {
            tracing::error!("the store closes although somebody still reads");
        }
    }
}

//! The engine shared by both databases: connections, threads, the write queue and retries. The statements are in `tx/`.

mod activity;
mod cleaner;
mod error_context;
mod job;
mod lease;
mod notifier;
mod priority;
mod queue;
mod readers;
mod reads;
mod threads;
mod turns;
mod writer;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use diesel::r2d2::{Builder, R2D2Connection};
use orgmem_hierarchy::OrgId;
use parking_lot::MutexGuard;

use crate::cache::Caches;
use crate::clock::IdSource;
use crate::contract::ReadTx;
use crate::{Clock, StoreError};

use cleaner::{Cleaner, CleanupQueue};
pub(crate) use cleaner::{CleaningPolicy, TableSet};
pub(crate) use error_context::RowContext;
pub(crate) use job::{Task, WriteJob};
pub(crate) use lease::{Interrupt, ReadLease};
pub(crate) use notifier::Notifier;
pub use notifier::Subscription;
pub use priority::lower_thread_priority;
pub(crate) use queue::WriteQueue;
pub(crate) use readers::Manager;
use readers::{Last, Readers};
pub use threads::OrgThreads;
pub use turns::{FairTurn, FairTurns};
use writer::Writers;

/// State shared by all transactions of a store.
pub(crate) struct Core {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) caches: Caches,
    /// Deletions whose residue the cleaner has yet to remove from the database files.
    pub(crate) cleanup: Arc<CleanupQueue>,
    pub(crate) notifier: Notifier,
    /// Writes, and reads of requesters other than the server itself.
    pub(crate) calls: AtomicU64,
    /// For reads, and drafts of the services, that take their turn.
    pub(crate) threads: OrgThreads,
}

impl Core {
    pub(crate) fn new(clock: Arc<dyn Clock>, index_cache_bytes: usize) -> Self {
        let (caches, cleanup) = (Caches::new(index_cache_bytes), Arc::default());
        let threads = OrgThreads::new(Arc::clone(&clock));
        Self {
            clock,
            ids: IdSource::default(),
            caches,
            cleanup,
            notifier: Notifier::default(),
            calls: AtomicU64::new(0),
            threads,
        }
    }
}

/// The reason for a retry of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// A cache is newer than the snapshot.
    NewSnapshot,
    /// The removal of deleted data from the files waits for the end of the snapshot.
    OutdatedSnapshot,
    /// The caller is gone: no retry.
    Abandoned,
    /// The read takes too long for the current thread.
    OnBlockingPool,
    /// The caches lack some of the required data.
    WithConnection,
}

/// The operations that the engine requires of a database.
pub(crate) trait Backend: Send + Sync + 'static {
    type Conn: R2D2Connection + Send + 'static;

    /// Whether a read of a few rows is cheaper than a change of threads.
    const READS_INLINE: bool;

    /// Whether one thread of this process is the only writer, so that the caches can hold the newest version.
    const SOLE_WRITER: bool;

    const CLEANING: CleaningPolicy;

    /// The lock for writes to the file, if the database allows only one writer at a time.
    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        None
    }

    /// Removes the residue of deleted rows of these tables from the database files. Returns false if it is not possible
    /// yet. `conn` is the cleaner's own connection, opened on demand.
    fn clean(&self, conn: &mut Option<Self::Conn>, tables: &TableSet) -> Result<bool, StoreError>;

    /// Opens a read connection, and the means to interrupt its statements.
    fn connect_reader(&self) -> Result<(Self::Conn, Arc<dyn Interrupt>), StoreError>;

    /// Opens a write connection and verifies that its commits are durable.
    fn connect_writer(&self) -> Result<Self::Conn, StoreError>;

    /// Begins a read. An error means that the connection is broken.
    fn begin_read(conn: &mut Self::Conn) -> Result<(), StoreError>;

    /// Runs `look` on the snapshot and ends the read. Returns the reason if the read needs a retry. A read without a lease
    /// runs inline, on a thread that must not block.
    fn read(
        conn: &mut Self::Conn,
        core: &Core,
        lease: Option<Lease<'_>>,
        look: &mut dyn FnMut(&mut dyn ReadTx),
    ) -> Option<Retry>;

    /// Runs `look` on the caches only. Returns the reason if the read needs a retry.
    fn recall(core: &Core, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry>;

    /// Reads the current row of `org` with one statement, and runs `look` on the caches only. A cache entry is used only at a
    /// version of that row, so the result is that of a snapshot. Returns the reason if the read needs a retry.
    fn recall_current(
        &self,
        conn: &mut Self::Conn,
        core: &Core,
        org: OrgId,
        look: &mut dyn FnMut(&mut dyn ReadTx),
    ) -> Option<Retry>;

    /// Begins a transaction for a group of writes. An error means that the connection is broken.
    fn begin_write(conn: &mut Self::Conn) -> Result<(), StoreError>;

    /// Runs jobs from the front of `jobs` in the open transaction and commits it. Returns the number of jobs committed;
    /// an error means that no job was committed. Further jobs wait in `queue`.
    fn commit(
        conn: &mut Self::Conn,
        core: &Core,
        jobs: &mut [Box<dyn WriteJob>],
        queue: &WriteQueue,
    ) -> Result<usize, StoreError>;
}

/// A read, and the connection that it uses.
#[derive(Clone, Copy)]
pub(crate) struct Lease<'r> {
    pub(crate) read: &'r ReadLease,
    pub(crate) connection: &'r Arc<dyn Interrupt>,
}

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

    /// Queues a job for the writer of its org.
    pub(crate) fn submit(&self, org: OrgId, job: Box<dyn WriteJob>) -> Result<(), StoreError> {
        self.writers.of(org).push(job)
    }

    /// The number of queued writes.
    pub(crate) fn waiting(&self) -> usize {
        self.writers.waiting()
    }

    /// Rejects new work, finishes the accepted work and closes every connection.
    pub(crate) fn close(&self) {
        self.writers.close();
        self.cleaner.close();
        self.readers.close();
        if !self.last.wait() {
            tracing::error!("the store closes although somebody still reads");
        }
    }
}

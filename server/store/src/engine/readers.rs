//! The pool of read connections. All of them are returned before the store is closed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use diesel::r2d2::{Builder, ManageConnection, Pool, PooledConnection, R2D2Connection};
use foldhash::fast::RandomState;
use orgmem_hierarchy::OrgId;
use parking_lot::{Mutex, RwLock};

use super::turns::{FairTurn, FairTurns};
use super::{Backend, Interrupt};
use crate::StoreError;
use crate::contract::{ReadPlan, Requester};

/// How long a closing store waits for active reads. It equals the statement time-out on PostgreSQL.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(60);

/// With more reads that may scan, none of them runs on the thread of its caller: together they would delay all other
/// requests of that thread, and they take turns by org only on the blocking pool.
pub(super) const MAX_INLINE: usize = 32;

/// The same for the reads of one org, while other orgs use the store too.
const MAX_INLINE_OF_ORG: usize = 1;

/// A backend that is shared by all connections and dropped after the last of them.
pub(super) struct OpenBackend<B> {
    backend: B,
    /// Disconnects the channel of [`Last`] when dropped, which is after the drop of `backend`.
    _held: Sender<Infallible>,
}

impl<B> std::ops::Deref for OpenBackend<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.backend
    }
}

/// Waits for the drop of an [`OpenBackend`].
pub(super) struct Last(Mutex<Receiver<Infallible>>);

impl Last {
    /// Waits until no connection is left. Returns false after a time-out.
    pub(super) fn wait(&self) -> bool {
        let ended = self.0.lock().recv_timeout(CLOSE_TIMEOUT);
        ended == Err(RecvTimeoutError::Disconnected)
    }
}

pub(super) fn hold<B>(backend: B) -> (Arc<OpenBackend<B>>, Last) {
    let (held, last) = channel();
    (Arc::new(OpenBackend { backend, _held: held }), Last(Mutex::new(last)))
}

/// Opens the connections of the pool.
pub(crate) struct Manager<B> {
    held: Arc<OpenBackend<B>>,
}

/// A pooled connection. It keeps the backend open, even if it outlives the pool.
pub(crate) struct Lent<B: Backend> {
    pub(super) conn: B::Conn,
    pub(super) interrupt: Arc<dyn Interrupt>,
    pub(super) held: Arc<OpenBackend<B>>,
}

impl<B: Backend> ManageConnection for Manager<B> {
    type Connection = Lent<B>;
    type Error = StoreError;

    fn connect(&self) -> Result<Lent<B>, StoreError> {
        let (conn, interrupt) = self.held.connect_reader()?;
        Ok(Lent { conn, interrupt, held: Arc::clone(&self.held) })
    }

    fn is_valid(&self, lent: &mut Lent<B>) -> Result<(), StoreError> {
        Ok(lent.conn.ping()?)
    }

    fn has_broken(&self, lent: &mut Lent<B>) -> bool {
        std::thread::panicking() || lent.conn.is_broken()
    }
}

pub(super) struct Readers<B: Backend> {
    /// None once the store is closed.
    pool: RwLock<Option<Pool<Manager<B>>>>,
    /// One place for each connection, so that reads wait for a connection here and not on a thread.
    connections: FairTurns,
    /// One place for each connection that scans may use at once. The others are for point reads and health checks.
    scans: FairTurns,
    arrivals: Arc<Mutex<Arrivals>>,
}

/// The numbers of reads that may scan, from their arrival to their end.
#[derive(Default)]
struct Arrivals {
    all: usize,
    by_org: HashMap<Option<OrgId>, usize, RandomState>,
}

/// A read that may scan, until it ends or its caller is gone.
pub(super) struct Arrival {
    arrivals: Arc<Mutex<Arrivals>>,
    org: Option<OrgId>,
}

impl Arrival {
    fn new(arrivals: &Arc<Mutex<Arrivals>>, org: Option<OrgId>) -> Self {
        {
            let mut arrivals = arrivals.lock();
            arrivals.all += 1;
            *arrivals.by_org.entry(org).or_default() += 1;
        }
        Self { arrivals: Arc::clone(arrivals), org }
    }

    /// Whether so few reads have arrived that this one may run on the thread of its caller. `is_shared` says whether other
    /// orgs use the store too.
    pub(super) fn may_run_inline(&self, is_shared: bool) -> bool {
        let arrivals = self.arrivals.lock();
        let of_org = arrivals.by_org.get(&self.org).copied().unwrap_or_default();
        arrivals.all <= MAX_INLINE && (!is_shared || of_org <= MAX_INLINE_OF_ORG)
    }
}

impl Drop for Arrival {
    fn drop(&mut self) {
        let mut arrivals = self.arrivals.lock();
        arrivals.all -= 1;
        if let Some(of_org) = arrivals.by_org.get_mut(&self.org) {
            *of_org -= 1;
            if *of_org == 0 {
                arrivals.by_org.remove(&self.org);
            }
        }
    }
}

/// The turn of a read to use a connection, until it is dropped.
pub(super) struct Turn {
    scan: Option<FairTurn>,
    _connection: FairTurn,
}

impl Turn {
    /// Whether another scan of the org runs.
    pub(super) fn is_further(&self) -> bool {
        self.scan.as_ref().is_some_and(FairTurn::is_further)
    }
}

/// How many of `connections` scans may use at once: all but a quarter, and all but one at least. Where the database runs in
/// this process, at most one more than the processors: one org alone uses all of them, and another one shares them fairly.
fn scans_of(connections: usize, runs_here: bool) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = if runs_here { processors + 1 } else { usize::MAX };
    (connections - connections.div_ceil(4)).max(1).min(most)
}

impl<B: Backend> Readers<B> {
    pub(super) fn start(held: &Arc<OpenBackend<B>>, settings: Builder<Manager<B>>) -> Result<Self, StoreError> {
        let pool = settings.build(Manager { held: Arc::clone(held) }).map_err(StoreError::unavailable)?;
        let connections = pool.max_size() as usize;
        let (scans, connections) =
            (FairTurns::new(scans_of(connections, B::READS_INLINE)), FairTurns::new(connections));
        Ok(Self { pool: RwLock::new(Some(pool)), connections, scans, arrivals: Arc::default() })
    }

    /// Registers a read that may scan, then lets the other tasks of the calling thread run: so all reads that have
    /// arrived are counted before the first of them begins, and a caller that is gone already drops this future.
    ///
    /// A plain yield would not do: the connection polls its request again in the same turn, before it closes.
    pub(super) async fn arrive(&self, requester: Requester) -> Arrival {
        let arrival = Arrival::new(&self.arrivals, requester.org);
        // fails only if the runtime ends, as does this task then
        drop(tokio::spawn(async {}).await);
        arrival
    }

    /// Waits for the turn of `requester` to take a connection on a blocking thread. Scans wait for each other first, so that
    /// connections remain for other reads.
    pub(super) async fn turn(&self, requester: Requester, plan: ReadPlan) -> Result<Turn, StoreError> {
        let scan = if plan.may_scan() { Some(self.scans.acquire(requester).await?) } else { None };
        Ok(Turn { scan, _connection: self.connections.acquire(requester).await? })
    }

    pub(super) fn is_open(&self) -> bool {
        self.pool.read().is_some()
    }

    /// An idle connection, without waiting.
    pub(super) fn try_get(&self) -> Option<PooledConnection<Manager<B>>> {
        self.pool.read().as_ref()?.try_get()
    }

    /// The pool, for reads on the blocking pool.
    pub(super) fn pool(&self) -> Result<Pool<Manager<B>>, StoreError> {
        self.pool.read().clone().ok_or(StoreError::Closed)
    }

    /// Closes the pool. Connections in use are closed when they are returned.
    pub(super) fn close(&self) {
        *self.pool.write() = None;
    }
}

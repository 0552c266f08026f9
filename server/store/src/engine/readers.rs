//! The connections that read: lent by a pool, and all of them given back before the store is closed.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use diesel::r2d2::{Builder, ManageConnection, Pool, PooledConnection, R2D2Connection};
use parking_lot::{Mutex, RwLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Backend;
use crate::StoreError;

/// How long a store that closes waits for those who still read. PostgreSQL ends any statement by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// An open database, for as long as anything has a connection to it.
pub(super) struct OpenBackend<B> {
    backend: B,
    /// Dropped after the backend: whoever waits at its other end knows that no connection is left.
    _held: Sender<Infallible>,
}

impl<B> std::ops::Deref for OpenBackend<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.backend
    }
}

/// What knows when an open database is no longer held.
pub(super) struct Last(Mutex<Receiver<Infallible>>);

impl Last {
    /// Waits until nothing has a connection any more; says whether that was so in time.
    pub(super) fn wait(&self) -> bool {
        let ended = self.0.lock().recv_timeout(PATIENCE);
        ended == Err(RecvTimeoutError::Disconnected)
    }
}

pub(super) fn hold<B>(backend: B) -> (Arc<OpenBackend<B>>, Last) {
    let (held, last) = channel();
    (Arc::new(OpenBackend { backend, _held: held }), Last(Mutex::new(last)))
}

/// Opens the connections of a pool.
pub(crate) struct Manager<B> {
    held: Arc<OpenBackend<B>>,
}

/// A connection of the pool. The database is held for as long as it is open, wherever the pool has left it.
pub(crate) struct Lent<B: Backend> {
    pub(super) conn: B::Conn,
    _held: Arc<OpenBackend<B>>,
}

impl<B: Backend> ManageConnection for Manager<B> {
    type Connection = Lent<B>;
    type Error = StoreError;

    fn connect(&self) -> Result<Lent<B>, StoreError> {
        Ok(Lent { conn: self.held.connect_reader()?, _held: Arc::clone(&self.held) })
    }

    fn is_valid(&self, lent: &mut Lent<B>) -> Result<(), StoreError> {
        Ok(lent.conn.ping()?)
    }

    fn has_broken(&self, lent: &mut Lent<B>) -> bool {
        std::thread::panicking() || lent.conn.is_broken()
    }
}

/// The readers of one store.
pub(super) struct Readers<B: Backend> {
    /// None once the store is closed.
    pool: RwLock<Option<Pool<Manager<B>>>>,
    /// As many as there are connections: who waits for one waits here and not on a thread.
    turns: Arc<Semaphore>,
}

impl<B: Backend> Readers<B> {
    pub(super) fn start(held: &Arc<OpenBackend<B>>, settings: Builder<Manager<B>>) -> Result<Self, StoreError> {
        let pool = settings.build(Manager { held: Arc::clone(held) }).map_err(StoreError::unavailable)?;
        let turns = Arc::new(Semaphore::new(pool.max_size() as usize));
        Ok(Self { pool: RwLock::new(Some(pool)), turns })
    }

    /// The right to wait for a connection on a thread.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        // the semaphore is never closed
        Arc::clone(&self.turns).acquire_owned().await.map_err(|_| StoreError::Closed)
    }

    /// Whether it lends.
    pub(super) fn is_open(&self) -> bool {
        self.pool.read().is_some()
    }

    /// A connection where one is free at once.
    pub(super) fn try_get(&self) -> Option<PooledConnection<Manager<B>>> {
        self.pool.read().as_ref()?.try_get()
    }

    /// All of them, to wait for one on another thread.
    pub(super) fn pool(&self) -> Result<Pool<Manager<B>>, StoreError> {
        self.pool.read().clone().ok_or(StoreError::Closed)
    }

    /// Lends no more. Those that are lent are closed when they are given back.
    pub(super) fn close(&self) {
        *self.pool.write() = None;
    }
}

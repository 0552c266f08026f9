//! The public handle of a store.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use orgmem_hierarchy::{OrgId, WorkspaceId};

use crate::config::StoreConfig;
use crate::contract::{Due, ReadPlan, ReadTx, Requester, SERVER, WriteTx};
use crate::engine::{Core, Engine, OrgThreads, Subscription, Task};
use crate::postgres::{self, Postgres};
use crate::sqlite::{self, Sqlite};
use crate::{Clock, OpenError, StoreError};

/// The current load of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Writes that wait for their commit.
    pub waiting_writes: usize,
    /// Memory that the keyword index takes, in bytes.
    pub index_bytes: usize,
    /// Writes, and reads of requesters other than the server itself, since the start.
    pub calls: u64,
}

/// An open store. Cheap to clone; all clones share it.
#[derive(Clone)]
pub struct Store {
    database: Database,
    migrated: Arc<[String]>,
}

#[derive(Clone)]
enum Database {
    Sqlite(Arc<Engine<Sqlite>>),
    Postgres(Arc<Engine<Postgres>>),
}

/// The end of a dry run, passed as an error so that the store rolls it back.
enum DryRunEnd<T, E> {
    Done(T),
    Failed(E),
}

impl<T, E: From<StoreError>> From<StoreError> for DryRunEnd<T, E> {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Store {
    /// Opens the store, brings its schema up to date and starts its writers. Blocks; call it before serving.
    ///
    /// # Errors
    /// [`OpenError`], with a message of one line that names the remedy.
    pub fn open(config: &StoreConfig, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let core = Core::new(clock, config.index_cache_bytes());
        let (database, migrated) = match config {
            StoreConfig::Sqlite { path, readers, .. } => {
                let (engine, migrated) = sqlite::open(path, *readers, core)?;
                (Database::Sqlite(Arc::new(engine)), migrated)
            }
            StoreConfig::Postgres { url, pooler_url, readers, writers, .. } => {
                let (engine, migrated) = postgres::open(url, pooler_url.as_deref(), *readers, *writers, core)?;
                (Database::Postgres(Arc::new(engine)), migrated)
            }
        };
        Ok(Self { database, migrated: migrated.into() })
    }

    /// The migrations that [`open`](Self::open) ran, oldest first.
    #[must_use]
    pub fn migrated(&self) -> &[String] {
        &self.migrated
    }

    /// Runs `query` on one snapshot of the store and returns its result.
    ///
    /// The store may run `query` again on a newer snapshot, so it must have no side effects. If the future is dropped, a
    /// running statement is interrupted and the connection is returned.
    ///
    /// # Errors
    /// The error of `query`; [`StoreError`] when no snapshot is available.
    pub async fn read<T, E, F>(&self, plan: ReadPlan, query: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn ReadTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.read_for(Requester::SERVER, plan, query).await
    }

    /// As [`read`](Self::read), in the turn of `requester`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_for<T, E, F>(&self, requester: Requester, plan: ReadPlan, query: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn ReadTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        if requester != Requester::SERVER {
            self.core().calls.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(org) = requester.org {
            self.core().threads.note_request_of(org);
        }
        match &self.database {
            Database::Sqlite(engine) => engine.read(requester, plan, query).await,
            Database::Postgres(engine) => engine.read(requester, plan, query).await,
        }
    }

    /// Runs `work` in a transaction that locks the row of `org`, and returns once its writes are durable. Waiting jobs
    /// share a commit; a job that fails rolls back only its own writes.
    ///
    /// The store may run `work` again from its beginning, so it must have no side effects except its writes. If the
    /// future is dropped before the job begins, the job is skipped; later the job runs to its end.
    ///
    /// # Errors
    /// The error of `work`; [`StoreError`] when the job could not be run or not be made durable.
    pub async fn write<T, E, F>(&self, org: OrgId, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.submit(org, false, work).await
    }

    /// Runs `work`, which changes many rows, as [`write`](Self::write) does, but never in one commit with others.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub async fn write_many<T, E, F>(&self, org: OrgId, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.submit(org, true, work).await
    }

    async fn submit<T, E, F>(&self, org: OrgId, is_large: bool, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.core().calls.fetch_add(1, Ordering::Relaxed);
        if org != SERVER {
            self.core().threads.note_request_of(org);
        }
        let (task, reply) = Task::new(org, is_large, work);
        match &self.database {
            Database::Sqlite(engine) => engine.submit(org, Box::new(task))?,
            Database::Postgres(engine) => engine.submit(org, Box::new(task))?,
        }
        reply.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    /// Runs `work` as [`write`](Self::write) does, returns its result and rolls its writes back.
    ///
    /// # Errors
    /// The error of `work`; [`StoreError`] when the job could not be run.
    pub async fn dry_run<T, E, F>(&self, org: OrgId, mut work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let outcome = self.write(org, move |tx| match work(tx) {
            Ok(value) => Err::<Infallible, _>(DryRunEnd::Done(value)),
            Err(error) => Err(DryRunEnd::Failed(error)),
        });
        match outcome.await {
            Err(DryRunEnd::Done(value)) => Ok(value),
            Err(DryRunEnd::Failed(error)) => Err(error),
            Ok(never) => match never {},
        }
    }

    /// The org of a workspace, if the cache has it; the database is not queried.
    #[must_use]
    pub fn org_hint(&self, workspace: WorkspaceId) -> Option<OrgId> {
        self.core().caches.workspace_orgs.get(&workspace)
    }

    /// Waits until the database files hold no residue of earlier redactions, deletions and erasures. Blocks.
    ///
    /// # Returns
    /// Whether the files were clean within `at_most`. Readers that began before the deletion delay it.
    #[must_use]
    pub fn wait_until_clean(&self, at_most: std::time::Duration) -> bool {
        self.core().cleanup.wait(at_most)
    }

    /// Subscribes to commits in `org`, by this server or another one on the same database.
    #[must_use]
    pub fn watch(&self, org: OrgId) -> Subscription {
        self.core().notifier.watch(org)
    }

    /// Checks that the database responds.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read(ReadPlan::Probe, |tx| tx.token_status(None, uuid::Uuid::nil()).map(drop)).await
    }

    /// The database product: `sqlite` or `postgresql`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.database {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgresql",
        }
    }

    /// The current load.
    #[must_use]
    pub fn load(&self) -> Load {
        let waiting_writes = match &self.database {
            Database::Sqlite(engine) => engine.waiting(),
            Database::Postgres(engine) => engine.waiting(),
        };
        let core = self.core();
        let (index_bytes, calls) = (core.caches.partitions.bytes(), core.calls.load(Ordering::Relaxed));
        Load { waiting_writes, index_bytes, calls }
    }

    /// Deletes expired rows and returns their number. Call it periodically.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn sweep(&self) -> Result<usize, StoreError> {
        let mut reclaimed = 0;
        loop {
            let due: Vec<(OrgId, Due)> = self.read(ReadPlan::Scan, |tx| tx.due()).await?;
            if due.is_empty() {
                return Ok(reclaimed);
            }
            for (org, due) in due {
                reclaimed += due.len();
                self.write(org, move |tx| tx.reclaim(org, &due)).await?;
            }
        }
    }

    /// Deletes events older than `retention` and returns their number. Call it periodically.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn sweep_events(&self, retention: Duration) -> Result<usize, StoreError> {
        let Ok(retention) = chrono::TimeDelta::from_std(retention) else { return Ok(0) };
        let before = self.now() - retention;
        let mut dropped = 0;
        for org in self.read(ReadPlan::Scan, move |tx| tx.orgs_with_old_events(before)).await? {
            loop {
                let batch = self.write(org, move |tx| tx.drop_old_events(before)).await?;
                if batch == 0 {
                    break;
                }
                dropped += batch;
            }
        }
        Ok(dropped)
    }

    /// Deletes runs that ended longer than `retention` ago and returns their number. Call it periodically.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn sweep_runs(&self, retention: Duration) -> Result<usize, StoreError> {
        let Ok(retention) = chrono::TimeDelta::from_std(retention) else { return Ok(0) };
        let before = self.now() - retention;
        let mut dropped = 0;
        for org in self.read(ReadPlan::Scan, move |tx| tx.orgs_with_old_runs(before)).await? {
            loop {
                let batch = self.write(org, move |tx| tx.drop_old_runs(before)).await?;
                if batch == 0 {
                    break;
                }
                dropped += batch;
            }
        }
        Ok(dropped)
    }

    /// Ends sessions in which nothing was written for `idle`, and returns the number of their removed memories. Call it
    /// periodically.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn end_idle_sessions(&self, idle: Duration) -> Result<usize, StoreError> {
        let Ok(idle) = chrono::TimeDelta::from_std(idle) else { return Ok(0) };
        let before = self.now() - idle;
        let mut ended = 0;
        for (org, session) in self.read(ReadPlan::Scan, move |tx| tx.idle_sessions(before)).await? {
            loop {
                let session = session.clone();
                match self.write(org, move |tx| tx.end_idle_session(&session, before)).await? {
                    0 => break,
                    batch => ended += batch,
                }
            }
        }
        Ok(ended)
    }

    /// A new id, UUID v7, for a row that needs one before it is written.
    #[must_use]
    pub fn new_id(&self) -> uuid::Uuid {
        let core = self.core();
        core.ids.next(core.clock.now())
    }

    /// The time of the store's clock, in whole microseconds.
    #[must_use]
    pub fn now(&self) -> chrono::DateTime<chrono::Utc> {
        crate::columns::whole_micros(self.core().clock.now())
    }

    /// The threads for work of orgs, other than reads and writes, that may block.
    #[must_use]
    pub fn threads(&self) -> &OrgThreads {
        &self.core().threads
    }

    /// Rejects new work and finishes the accepted writes. Blocks until they are durable and all connections are closed.
    pub fn close(&self) {
        match &self.database {
            Database::Sqlite(engine) => engine.close(),
            Database::Postgres(engine) => engine.close(),
        }
    }

    pub(crate) fn core(&self) -> &Core {
        match &self.database {
            Database::Sqlite(engine) => engine.core(),
            Database::Postgres(engine) => engine.core(),
        }
    }
}

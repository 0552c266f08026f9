//! The store: one contract, two databases.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use orgmem_hierarchy::{OrgId, WorkspaceId};

use crate::config::StoreConfig;
use crate::contract::{Due, ReadPlan, ReadTx, WriteTx};
use crate::engine::{Core, Engine, Subscription, Task};
use crate::postgres::{self, Postgres};
use crate::sqlite::{self, Sqlite};
use crate::{Clock, OpenError, StoreError};

/// How busy a store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Writes that wait for a commit.
    pub waiting_writes: usize,
    /// Memory that the keyword index takes, in bytes.
    pub index_bytes: usize,
}

/// An open store. Cheap to clone; all clones are the same store.
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

/// How a rehearsal ended; either way it is undone.
enum DryRun<T, E> {
    Done(T),
    Failed(E),
}

impl<T, E: From<StoreError>> From<StoreError> for DryRun<T, E> {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Store {
    /// Opens the store, brings its schema up to date and starts its writers. Blocks; call it before serving.
    ///
    /// # Errors
    /// [`OpenError`], which says in one line what to do about it.
    pub fn open(config: &StoreConfig, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let core = Core::new(clock, config.index_cache_bytes());
        let (database, migrated) = match config {
            StoreConfig::Sqlite { path, readers, .. } => {
                let (engine, migrated) = sqlite::open(path, *readers, core)?;
                (Database::Sqlite(Arc::new(engine)), migrated)
            }
            StoreConfig::Postgres { url, readers, writers, .. } => {
                let (engine, migrated) = postgres::open(url, *readers, *writers, core)?;
                (Database::Postgres(Arc::new(engine)), migrated)
            }
        };
        Ok(Self { database, migrated: migrated.into() })
    }

    /// The migrations that opening it ran, oldest first; none when the schema was up to date.
    #[must_use]
    pub fn migrated(&self) -> &[String] {
        &self.migrated
    }

    /// Shows one snapshot of the store to `look` and gives what it answers.
    ///
    /// `look` may be run again, on a newer snapshot, so it must have no effect but its answer.
    ///
    /// # Errors
    /// What `look` fails with; [`StoreError`] when there is no snapshot to be had.
    pub async fn read<T, E, F>(&self, cost: ReadPlan, look: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn ReadTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match &self.database {
            Database::Sqlite(engine) => engine.read(cost, look).await,
            Database::Postgres(engine) => engine.read(cost, look).await,
        }
    }

    /// Does `work` in a transaction that has the row of `org` locked, and answers once it is durable. It shares the
    /// commit with what else waits to be written; when it fails, all that it wrote is undone, and only that.
    ///
    /// `work` may be run again from its beginning, so it must have no effect but its writes and its answer.
    ///
    /// # Errors
    /// What `work` fails with; [`StoreError`] when it could not be carried out or not be made durable.
    pub async fn write<T, E, F>(&self, org: OrgId, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (task, answer) = Task::new(org, work);
        match &self.database {
            Database::Sqlite(engine) => engine.submit(org, Box::new(task))?,
            Database::Postgres(engine) => engine.submit(org, Box::new(task))?,
        }
        answer.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    /// Does `work` as [`write`](Self::write) does and gives its answer, but undoes all that it wrote: a dry run.
    ///
    /// # Errors
    /// What `work` fails with; [`StoreError`] when it could not be carried out.
    pub async fn dry_run<T, E, F>(&self, org: OrgId, mut work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn WriteTx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let ended = self.write(org, move |tx| match work(tx) {
            Ok(answer) => Err::<Infallible, _>(DryRun::Done(answer)),
            Err(error) => Err(DryRun::Failed(error)),
        });
        match ended.await {
            Err(DryRun::Done(answer)) => Ok(answer),
            Err(DryRun::Failed(error)) => Err(error),
            Ok(never) => match never {},
        }
    }

    /// The org of a workspace where it is known without asking the database.
    #[must_use]
    pub fn org_hint(&self, workspace: WorkspaceId) -> Option<OrgId> {
        self.core().caches.workspace_orgs.get(&workspace)
    }

    /// Waits until nothing is left in the files of the database of what was redacted, forgotten or erased before. Blocks.
    ///
    /// # Returns
    /// Whether that was so within `at_most`; readers that began before and still read are waited for.
    #[must_use]
    pub fn wait_until_clean(&self, at_most: std::time::Duration) -> bool {
        self.core().cleanup.wait(at_most)
    }

    /// Wakes its holder when something was done in `org`, on this server or on another.
    #[must_use]
    pub fn watch(&self, org: OrgId) -> Subscription {
        self.core().notifier.watch(org)
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read(ReadPlan::Scan, |tx| tx.token_status(None, uuid::Uuid::nil()).map(drop)).await
    }

    /// Which database it is: `sqlite` or `postgresql`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.database {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgresql",
        }
    }

    /// How busy it is now.
    #[must_use]
    pub fn load(&self) -> Load {
        let waiting_writes = match &self.database {
            Database::Sqlite(engine) => engine.waiting(),
            Database::Postgres(engine) => engine.waiting(),
        };
        Load { waiting_writes, index_bytes: self.core().caches.partitions.bytes() }
    }

    /// Reclaims the space of what has expired; says how many rows that were. To be called now and then.
    ///
    /// # Errors
    /// [`StoreError`], after which nothing is lost: the next call goes on.
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

    /// Takes away events that are older than `kept`; says how many. To be called now and then.
    ///
    /// # Errors
    /// [`StoreError`], after which nothing is lost: the next call goes on.
    pub async fn sweep_events(&self, kept: Duration) -> Result<usize, StoreError> {
        let Ok(kept) = chrono::TimeDelta::from_std(kept) else { return Ok(0) };
        let before = self.now() - kept;
        let mut dropped = 0;
        for org in self.read(ReadPlan::Scan, move |tx| tx.orgs_with_old_events(before)).await? {
            loop {
                let some = self.write(org, move |tx| tx.drop_old_events(before)).await?;
                if some == 0 {
                    break;
                }
                dropped += some;
            }
        }
        Ok(dropped)
    }

    /// Takes away the rows of runs that ended longer ago than `kept`; says how many. To be called now and then.
    ///
    /// # Errors
    /// [`StoreError`], after which nothing is lost: the next call goes on.
    pub async fn sweep_runs(&self, kept: Duration) -> Result<usize, StoreError> {
        let Ok(kept) = chrono::TimeDelta::from_std(kept) else { return Ok(0) };
        let before = self.now() - kept;
        let mut dropped = 0;
        for org in self.read(ReadPlan::Scan, move |tx| tx.orgs_with_old_runs(before)).await? {
            loop {
                let some = self.write(org, move |tx| tx.drop_old_runs(before)).await?;
                if some == 0 {
                    break;
                }
                dropped += some;
            }
        }
        Ok(dropped)
    }

    /// A new id, UUID v7, for something that is named before it is written.
    #[must_use]
    pub fn new_id(&self) -> uuid::Uuid {
        let core = self.core();
        core.ids.next(core.clock.now())
    }

    /// The time, as the store sees it.
    #[must_use]
    pub fn now(&self) -> chrono::DateTime<chrono::Utc> {
        crate::columns::whole_micros(self.core().clock.now())
    }

    /// Takes nothing more on and finishes what was accepted. Blocks until writes are durable and no connection is left.
    pub fn close(&self) {
        match &self.database {
            Database::Sqlite(engine) => engine.close(),
            Database::Postgres(engine) => engine.close(),
        }
    }

    fn core(&self) -> &Core {
        match &self.database {
            Database::Sqlite(engine) => engine.core(),
            Database::Postgres(engine) => engine.core(),
        }
    }
}

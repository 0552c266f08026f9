//! A store of its own for every test, on either database.
//!
//! PostgreSQL is a private cluster, started once per test process from the programs found on this machine and gone when
//! the process is, however it ends. Each test gets a fresh database from a migrated template.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use orgmem_store::{ManualClock, Store, StoreConfig};
use tempfile::TempDir;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The embedded one.
    Sqlite,
    /// A server of its own.
    Postgres,
}

/// An open store that nobody else uses, with a clock that stands still.
pub struct TestStore {
    /// The store.
    pub store: Store,
    /// Its clock.
    pub clock: Arc<ManualClock>,
    /// How to open it once more.
    pub config: StoreConfig,
    // the folder goes when the test does
    folder: Option<TempDir>,
}

impl TestStore {
    /// A new, empty store.
    #[must_use]
    pub fn new(on: On) -> Self {
        let folder = (on == On::Sqlite).then(|| TempDir::new().expect("a temporary folder"));
        let config = match &folder {
            Some(folder) => StoreConfig::sqlite(folder.path().join("orgmem.db")),
            None => StoreConfig::postgres(cluster().database()),
        };
        let clock = Arc::new(ManualClock::at(test_epoch()));
        let store = Store::open(&config, clock.clone()).expect("a new store opens");
        Self { store, clock, config, folder }
    }

    /// Closes the store and opens it again, as a restart of the server does.
    #[must_use]
    pub fn reopened(self) -> Self {
        let Self { store, clock, config, folder } = self;
        store.close();
        drop(store);
        let store = Store::open(&config, clock.clone()).expect("a store opens again");
        Self { store, clock, config, folder }
    }

    /// A second server on the same database.
    #[must_use]
    pub fn second_server(&self) -> Store {
        Store::open(&self.config, self.clock.clone()).expect("a second server opens")
    }

    /// The database file, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join("orgmem.db"))
    }
}

/// When the clocks of tests begin.
#[must_use]
pub fn test_epoch() -> DateTime<Utc> {
    DateTime::from_timestamp_micros(1_790_000_000_000_000).expect("a time within the calendar")
}

/// The cluster of this test process, started by the first test that asks.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(Cluster::start)
}

/// A private PostgreSQL with a migrated template, from which every test gets a database of its own.
pub struct Cluster {
    server: orgmem_cluster::Cluster,
    made: AtomicUsize,
    template: OnceLock<()>,
}

impl Cluster {
    /// Starts one.
    ///
    /// # Panics
    /// When there is no PostgreSQL on this machine, or it does not start: what is missing is said.
    #[must_use]
    pub fn start() -> Self {
        // durable like the real thing, unless somebody is in a hurry
        let fsync = std::env::var("ORGMEM_TEST_FSYNC").unwrap_or_else(|_| "on".into());
        let fsync = format!("fsync={fsync}");
        let settings = [&fsync, "max_connections=500", "shared_buffers=64MB", "deadlock_timeout=200ms"];
        let server = orgmem_cluster::Cluster::start(&settings).unwrap_or_else(|missing| panic!("{missing}"));
        Self { server, made: AtomicUsize::new(0), template: OnceLock::new() }
    }

    /// Ends it as a crash does: nothing is written that was not.
    ///
    /// # Panics
    /// When it does not run.
    pub fn crash(&self) {
        self.server.crash().unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// Starts it again on what it has stored.
    ///
    /// # Panics
    /// When it does not start.
    pub fn come_back(&self) {
        self.server.come_back().unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// A new database with an up-to-date schema; its address.
    pub fn database(&self) -> String {
        self.template.get_or_init(|| {
            self.admin("CREATE DATABASE template_orgmem");
            let config = StoreConfig::postgres(self.server.url("template_orgmem"));
            let clock = Arc::new(ManualClock::at(test_epoch()));
            Store::open(&config, clock).expect("the template is migrated").close();
        });
        self.create("CREATE DATABASE {} TEMPLATE template_orgmem")
    }

    /// A new database with nothing in it; its address.
    pub fn empty_database(&self) -> String {
        self.create("CREATE DATABASE {}")
    }

    /// Runs one statement as the superuser.
    ///
    /// # Panics
    /// When it fails.
    pub fn admin(&self, statement: &str) {
        self.try_admin(statement).unwrap_or_else(|error| panic!("`{statement}`: {error}"));
    }

    fn create(&self, statement: &str) -> String {
        let name = format!("test_{}", self.made.fetch_add(1, Ordering::Relaxed));
        let statement = statement.replace("{}", &name);
        // the template is in use for a moment after its last connection was closed
        for _ in 0..200 {
            match self.try_admin(&statement) {
                Ok(()) => return self.server.url(&name),
                Err(error) if error.contains("being accessed") => std::thread::sleep(Duration::from_millis(20)),
                Err(error) => panic!("`{statement}`: {error}"),
            }
        }
        panic!("the template stays in use")
    }

    fn try_admin(&self, statement: &str) -> Result<(), String> {
        let mut conn = PgConnection::establish(&self.server.url("postgres")).map_err(|error| error.to_string())?;
        conn.batch_execute(statement).map_err(|error| error.to_string())
    }
}

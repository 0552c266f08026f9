//! A store for each test, on either database.
//!
//! PostgreSQL is one private cluster per test process, started from the machine's programs. It ends with the process,
//! also after a crash. Each test gets a new database copied from a migrated template.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use orgmem_store::{ManualClock, Store, StoreConfig};
use tempfile::TempDir;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Sqlite,
    Postgres,
}

/// An open store with a manual clock.
pub struct TestStore {
    pub store: Store,
    pub clock: Arc<ManualClock>,
    pub config: StoreConfig,
    // the folder is deleted at the end of the test
    folder: Option<TempDir>,
}

impl TestStore {
    #[must_use]
    pub fn new(on: On) -> Self {
        let folder = (on == On::Sqlite).then(|| TempDir::new().expect("a temporary folder"));
        let config = match &folder {
            Some(folder) => StoreConfig::sqlite(folder.path().join("orgmem.db")),
            None => cluster().pooled(StoreConfig::postgres(cluster().database())),
        };
        let clock = Arc::new(ManualClock::at(test_epoch()));
        let store = Store::open(&config, clock.clone()).expect("a new store opens");
        Self { store, clock, config, folder }
    }

    /// A store on an existing PostgreSQL database.
    #[must_use]
    pub fn on_database(config: StoreConfig, clock: Arc<ManualClock>) -> Self {
        let store = Store::open(&config, clock.clone()).expect("a store opens");
        Self { store, clock, config, folder: None }
    }

    /// Closes and reopens the store, like a restart of the server.
    #[must_use]
    pub fn reopened(self) -> Self {
        let Self { store, clock, config, folder } = self;
        store.close();
        drop(store);
        let store = Store::open(&config, clock.clone()).expect("a store opens again");
        Self { store, clock, config, folder }
    }

    #[must_use]
    pub fn second_server(&self) -> Store {
        Store::open(&self.config, self.clock.clone()).expect("a second server opens")
    }

    /// The database file; `None` on PostgreSQL.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join("orgmem.db"))
    }
}

/// The initial time of manual clocks.
#[must_use]
pub fn test_epoch() -> DateTime<Utc> {
    DateTime::from_timestamp_micros(1_790_000_000_000_000).expect("a time within the calendar")
}

/// The settings of a pooler's sessions in `docs/deployment.md`.
const POOLED_SESSION: &str = "SET synchronous_commit = on; SET lock_timeout = 20000; SET statement_timeout = 60000; \
     SET idle_in_transaction_session_timeout = 60000; SET timezone = UTC";

/// The cluster of this test process, started at the first call.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(Cluster::start)
}

/// A private PostgreSQL with a migrated template.
pub struct Cluster {
    server: orgmem_cluster::Cluster,
    created: AtomicUsize,
    template: OnceLock<()>,
    pooler: OnceLock<orgmem_cluster::Pooler>,
    standby: OnceLock<orgmem_cluster::Cluster>,
}

impl Cluster {
    #[must_use]
    pub fn start() -> Self {
        // durable as in production, unless the variable is set
        let fsync = std::env::var("ORGMEM_TEST_FSYNC").unwrap_or_else(|_| "on".into());
        let fsync = format!("fsync={fsync}");
        let settings = [&fsync, "max_connections=500", "shared_buffers=64MB", "deadlock_timeout=200ms"];
        Self::of(orgmem_cluster::Cluster::start(&settings))
    }

    /// A cluster with messages in German.
    #[must_use]
    pub fn start_in_german() -> Self {
        Self::of(orgmem_cluster::Cluster::start_translated("de", &["fsync=off"]))
    }

    /// A cluster behind a PgBouncer whose sessions have other settings.
    #[must_use]
    pub fn start_with_pooler(connect_query: &str) -> Self {
        let cluster = Self::of(orgmem_cluster::Cluster::start(&["fsync=off"]));
        let pooler = cluster.server.start_pooler(connect_query).unwrap_or_else(|missing| panic!("{missing}"));
        cluster.pooler.get_or_init(|| pooler);
        cluster
    }

    fn of(server: Result<orgmem_cluster::Cluster, String>) -> Self {
        let server = server.unwrap_or_else(|missing| panic!("{missing}"));
        Self {
            server,
            created: AtomicUsize::new(0),
            template: OnceLock::new(),
            pooler: OnceLock::new(),
            standby: OnceLock::new(),
        }
    }

    /// A cluster with a standby, which every commit waits for.
    #[must_use]
    pub fn start_with_standby() -> Self {
        let cluster = Self::of(orgmem_cluster::Cluster::start(&["fsync=off", "synchronous_standby_names=*"]));
        let standby = cluster.server.start_standby(&["fsync=off"]).unwrap_or_else(|fault| panic!("{fault}"));
        cluster.standby.get_or_init(|| standby);
        cluster
    }

    /// Creates a migrated database and returns its URL on the cluster or its standby, whichever is the primary.
    pub fn database_on_primary(&self) -> String {
        let url = self.database();
        let name = database_of(&url);
        self.server.url_on_primary(self.standby.get().expect("a standby"), name)
    }

    /// Makes the standby the primary.
    pub fn promote_standby(&self) {
        let standby = self.standby.get().expect("a standby");
        standby.promote().unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// Stops the cluster immediately, without a checkpoint.
    pub fn crash(&self) {
        self.server.crash().unwrap_or_else(|fault| panic!("{fault}"));
    }

    pub fn restart(&self) {
        self.server.restart().unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// Creates a migrated database and returns its URL.
    pub fn database(&self) -> String {
        self.template.get_or_init(|| {
            self.admin("CREATE DATABASE template_orgmem");
            let config = StoreConfig::postgres(self.server.url("template_orgmem"));
            let clock = Arc::new(ManualClock::at(test_epoch()));
            Store::open(&config, clock).expect("the template is migrated").close();
            if std::env::var_os("ORGMEM_TEST_PARTITIONED").is_some_and(|value| value == "yes") {
                partition_by_org(&self.server.url("template_orgmem"), "part");
            }
        });
        self.create("CREATE DATABASE {} TEMPLATE template_orgmem")
    }

    /// Creates an empty database and returns its URL.
    pub fn empty_database(&self) -> String {
        self.create("CREATE DATABASE {}")
    }

    /// With ORGMEM_TEST_POOLER=yes, the same database through a PgBouncer that pools by transaction.
    #[must_use]
    pub fn pooled(&self, config: StoreConfig) -> StoreConfig {
        if std::env::var_os("ORGMEM_TEST_POOLER").is_none_or(|value| value != "yes") {
            config
        } else {
            self.through_pooler(config)
        }
    }

    /// The same database through a PgBouncer.
    #[must_use]
    pub fn through_pooler(&self, config: StoreConfig) -> StoreConfig {
        let StoreConfig::Postgres { url, .. } = &config else { return config };
        self.pooler
            .get_or_init(|| self.server.start_pooler(POOLED_SESSION).unwrap_or_else(|missing| panic!("{missing}")));
        let name = database_of(url);
        let address = self.server.pooler_url(name);
        config.with_pooler(Some(address))
    }

    /// The address of the database `url` for the role `locked`, which needs a password.
    #[must_use]
    pub fn with_password(&self, url: &str, password: &str) -> String {
        let name = database_of(url);
        self.server.url_with_password(name, password)
    }

    /// The log of the cluster.
    #[must_use]
    pub fn log(&self) -> String {
        self.server.log().unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// A program of this PostgreSQL, such as `pg_dump`.
    #[must_use]
    pub fn tool(&self, name: &str) -> std::process::Command {
        self.server.tool(name)
    }

    /// Executes a statement as the superuser.
    pub fn admin(&self, statement: &str) {
        self.try_admin(statement).unwrap_or_else(|error| panic!("`{statement}`: {error}"));
    }

    fn create(&self, statement: &str) -> String {
        let name = format!("test_{}", self.created.fetch_add(1, Ordering::Relaxed));
        let statement = statement.replace("{}", &name);
        // the template is in use briefly after its last connection was closed
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

/// The name of the database in its URL.
fn database_of(url: &str) -> &str {
    url.split(['/', '?']).nth(3).unwrap_or_default()
}

/// Replaces every table whose key begins with the org by one that is partitioned by a hash of the org, as a distributed
/// PostgreSQL has it, with the same indexes under the same names. The names of the eight partitions end in `suffix` and a
/// number. A key that does not begin with the org is an error, because a partitioned table cannot have it.
pub fn partition_by_org(url: &str, suffix: &str) {
    let statements = format!(
        "DO $$ DECLARE name text; number int; statement text; keys text[]; indexes text[]; BEGIN
           FOR name IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
             WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'workspace_orgs'
           LOOP
             keys := ARRAY(SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid))
               FROM pg_constraint WHERE conrelid = name::regclass AND contype IN ('p', 'u'));
             indexes := ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = name::regclass
               AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid));
             FOR statement IN SELECT format('ALTER INDEX %I RENAME TO %I', c.relname, c.relname || '_plain')
               FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = name::regclass
             LOOP EXECUTE statement; END LOOP;
             EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_plain');
             EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (org_id)',
               name, name || '_plain');
             FOREACH statement IN ARRAY keys || indexes LOOP EXECUTE statement; END LOOP;
             FOR number IN 0..7 LOOP
               EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
                 name || '_{suffix}' || number, name, number);
             END LOOP;
             EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, name || '_plain');
             EXECUTE format('DROP TABLE %I', name || '_plain');
           END LOOP;
         END $$"
    );
    let mut conn = PgConnection::establish(url).unwrap_or_else(|error| panic!("{error}"));
    conn.batch_execute(&statements).unwrap_or_else(|error| panic!("{error}"));
}

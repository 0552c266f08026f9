//! Where a server keeps its data: a folder, and on PostgreSQL a database of its own.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::ValueEnum;
use orgmem_cluster::Cluster;
use orgmem_store::{Store, StoreConfig, SystemClock};
use tempfile::TempDir;

use crate::error::Outcome;

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    /// As figures name it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// A place for one server's data, gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Home {
    folder: TempDir,
    /// The address of its database, on PostgreSQL.
    database: Option<String>,
}

impl Home {
    /// An empty one.
    pub(crate) fn new(kind: Kind) -> Outcome<Self> {
        let folder = TempDir::with_prefix("orgmem-load-")?;
        let database = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(database()?),
        };
        Ok(Self { folder, database })
    }

    /// One that has the tables of the store and nothing in them.
    pub(crate) fn with_tables(kind: Kind) -> Outcome<Self> {
        let home = Self::new(kind)?;
        let config = match &home.database {
            None => StoreConfig::sqlite(home.file()),
            Some(url) => StoreConfig::postgres(url),
        };
        Store::open(&config, std::sync::Arc::new(SystemClock))?.close();
        Ok(home)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The address of its database, on PostgreSQL.
    pub(crate) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// The database file, on SQLite.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("orgmem.db")
    }
}

/// A new database on the private PostgreSQL, which is started when it is first asked for.
fn database() -> Outcome<String> {
    static CLUSTER: OnceLock<Result<Cluster, String>> = OnceLock::new();
    let start = || Cluster::start(&["fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "max_wal_size=2GB"]);
    let cluster = CLUSTER.get_or_init(start).as_ref().map_err(Clone::clone)?;
    let name = format!("load_{}", uuid::Uuid::new_v4().simple());
    postgres::Client::connect(&cluster.url("postgres"), postgres::NoTls)?
        .batch_execute(&format!("CREATE DATABASE {name}"))?;
    Ok(cluster.url(&name))
}

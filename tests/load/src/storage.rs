//! The data of a server: a folder and, on PostgreSQL, a database.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::ValueEnum;
use orgmem_cluster::Cluster;
use orgmem_store::{Store, StoreConfig, SystemClock};
use tempfile::TempDir;

use crate::error::Outcome;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The data of one server, deleted on drop.
#[derive(Debug)]
pub(crate) struct Storage {
    folder: TempDir,
    /// The URL of the database, on PostgreSQL.
    database: Option<String>,
}

impl Storage {
    pub(crate) fn new(kind: Kind) -> Outcome<Self> {
        let folder = TempDir::with_prefix("orgmem-load-")?;
        let database = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(database()?),
        };
        Ok(Self { folder, database })
    }

    /// With the store's tables, which are empty.
    pub(crate) fn with_tables(kind: Kind) -> Outcome<Self> {
        let storage = Self::new(kind)?;
        let config = match &storage.database {
            None => StoreConfig::sqlite(storage.file()),
            Some(url) => StoreConfig::postgres(url),
        };
        Store::open(&config, std::sync::Arc::new(SystemClock))?.close();
        Ok(storage)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The URL of the database, on PostgreSQL.
    pub(crate) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// =
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("orgmem.db")
    }
}

/// A new database on the private PostgreSQL, which the first call starts.
fn database() -> Outcome<String> {
    static CLUSTER: OnceLock<Result<Cluster, String>> = OnceLock::new();
    let start = || Cluster::start(&["fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "max_wal_size=2GB"]);
    let cluster = CLUSTER.get_or_init(start).as_ref().map_err(Clone::clone)?;
    let name = format!("load_{}", uuid::Uuid::new_v4().simple());
    postgres::Client::connect(&cluster.url("postgres"), postgres::NoTls)?
        .batch_execute(&format!("CREATE DATABASE {name}"))?;
    Ok(cluster.url(&name))
}

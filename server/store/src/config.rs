//! The configuration of a store: the database and its connections.

use std::num::NonZeroU32;
use std::path::PathBuf;

/// The database of a store.
#[derive(Clone, Debug)]
pub enum StoreConfig {
    /// The embedded database, which needs no setup.
    Sqlite {
        /// The database file. Its folder must exist; it also holds the lock file and the write-ahead log.
        path: PathBuf,
        /// Number of read connections.
        readers: NonZeroU32,
        /// Upper bound of the keyword index in memory.
        index_cache_bytes: usize,
    },
    /// A PostgreSQL server, which several orgmem servers may share.
    Postgres {
        /// In the syntax of libpq: `postgres://user@host/name`.
        url: String,
        /// A pooler in front of it that pools by transaction, in the same syntax. Transactions use it; everything that needs
        /// a session uses `url`.
        pooler_url: Option<String>,
        /// Number of read connections.
        readers: NonZeroU32,
        /// Number of writer threads, each with one connection. All writes of an org go through the same thread.
        writers: NonZeroU32,
        /// Upper bound of the keyword index in memory.
        index_cache_bytes: usize,
    },
}

impl StoreConfig {
    /// SQLite in this file, with 8 readers and 64 MiB for the keyword index.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self::Sqlite { path: path.into(), readers: EIGHT, index_cache_bytes: INDEX_CACHE_BYTES }
    }

    /// Sets the memory limit of the keyword index.
    #[must_use]
    pub fn with_index_cache(mut self, bytes: usize) -> Self {
        match &mut self {
            Self::Sqlite { index_cache_bytes, .. } | Self::Postgres { index_cache_bytes, .. } => {
                *index_cache_bytes = bytes;
            }
        }
        self
    }

    /// Sets the address of a pooler, on PostgreSQL.
    #[must_use]
    pub fn with_pooler(mut self, address: Option<String>) -> Self {
        if let Self::Postgres { pooler_url, .. } = &mut self {
            *pooler_url = address;
        }
        self
    }

    pub(crate) const fn index_cache_bytes(&self) -> usize {
        match self {
            Self::Sqlite { index_cache_bytes, .. } | Self::Postgres { index_cache_bytes, .. } => *index_cache_bytes,
        }
    }

    /// PostgreSQL at this address, with 8 readers, 2 writers and 64 MiB for the keyword index.
    pub fn postgres(url: impl Into<String>) -> Self {
        Self::Postgres {
            url: url.into(),
            pooler_url: None,
            readers: EIGHT,
            writers: TWO,
            index_cache_bytes: INDEX_CACHE_BYTES,
        }
    }
}

const INDEX_CACHE_BYTES: usize = 192 << 20;
const EIGHT: NonZeroU32 = NonZeroU32::new(8).expect("eight is not zero");
const TWO: NonZeroU32 = NonZeroU32::new(2).expect("two is not zero");

//! Which database, and how many connections.

use std::num::NonZeroU32;
use std::path::PathBuf;

/// Where the store keeps its rows.
#[derive(Clone, Debug)]
pub enum StoreConfig {
    /// One file beside which nothing needs to be set up.
    Sqlite {
        /// The database file. Its folder must exist; the lock and the write-ahead log lie beside it.
        path: PathBuf,
        /// Connections that read at the same time.
        readers: NonZeroU32,
        /// Memory that the keyword index may take, in bytes.
        index_cache_bytes: usize,
    },
    /// A PostgreSQL server, which several orgmem servers may share.
    Postgres {
        /// As libpq takes it: `postgres://user@host/name`.
        url: String,
        /// Connections that read at the same time.
        readers: NonZeroU32,
        /// Threads that write, each with a connection; the writes of an org all go through one of them.
        writers: NonZeroU32,
        /// Memory that the keyword index may take, in bytes.
        index_cache_bytes: usize,
    },
}

impl StoreConfig {
    /// SQLite in this file, with as many readers as suits most machines.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self::Sqlite { path: path.into(), readers: EIGHT, index_cache_bytes: INDEX_CACHE_BYTES }
    }

    /// The same with so many bytes of memory for the keyword index.
    #[must_use]
    pub fn with_index_cache(mut self, bytes: usize) -> Self {
        match &mut self {
            Self::Sqlite { index_cache_bytes, .. } | Self::Postgres { index_cache_bytes, .. } => {
                *index_cache_bytes = bytes;
            }
        }
        self
    }

    pub(crate) const fn index_cache_bytes(&self) -> usize {
        match self {
            Self::Sqlite { index_cache_bytes, .. } | Self::Postgres { index_cache_bytes, .. } => *index_cache_bytes,
        }
    }

    /// PostgreSQL at this address, with as many connections as suits most machines.
    pub fn postgres(url: impl Into<String>) -> Self {
        Self::Postgres { url: url.into(), readers: EIGHT, writers: TWO, index_cache_bytes: INDEX_CACHE_BYTES }
    }
}

const INDEX_CACHE_BYTES: usize = 64 << 20;
const EIGHT: NonZeroU32 = NonZeroU32::new(8).expect("eight is not zero");
const TWO: NonZeroU32 = NonZeroU32::new(2).expect("two is not zero");

//! The access log of a server: rows of reads that wait to be written, the chain, and its anchors outside the database.
//!
//! Source: `docs/spec/access-log.md`.

mod anchors;
mod chain;
mod read_buffer;
mod reads;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use orgmem_policies::chain::SealKey;
use orgmem_store::Store;

use crate::auth::{KeyError, seal_keys};
use crate::config::Settings;

use anchors::Anchors;
pub(crate) use chain::Chain;
pub(crate) use reads::{ReadCounts, Reads};

/// Orgs that are written or sealed at once when the server ends.
const CLOSED_AT_ONCE: usize = 64;

#[derive(Clone)]
pub(crate) struct AccessLog {
    pub(crate) reads: Arc<Reads>,
    pub(crate) chain: Arc<Chain>,
}

impl AccessLog {
    /// Must be called on the runtime of the server.
    ///
    /// # Errors
    /// [`KeyError`] when there is no key to seal with, or the file of anchors cannot be read.
    pub(crate) fn open(settings: &Settings, store: &Store) -> Result<Self, KeyError> {
        let keys: Vec<SealKey> = seal_keys(settings)?;
        let anchors = Anchors::open(&settings.data_dir)?;
        Ok(Self {
            reads: Arc::new(Reads::new(store.clone(), &settings.access_log)),
            chain: Arc::new(Chain::new(store.clone(), keys, anchors, &settings.access_log)),
        })
    }

    /// Writes and seals the rows that wait, for the last time. The jobs must have ended.
    pub(crate) async fn close(&self) {
        self.reads.close().await;
        self.chain.close().await;
    }
}

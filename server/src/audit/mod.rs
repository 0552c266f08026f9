//! The access log, as a server keeps it: rows of reads on their way, the chain, and what is remembered of it outside the
//! database.
//!
//! Source: product.md, section 4.5.

mod anchors;
mod chain;
mod read_buffer;
mod reads;
mod rounds;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use orgmem_policies::chain::SealKey;
use orgmem_store::Store;
use tokio_util::sync::CancellationToken;

use crate::auth::{KeyError, seal_keys};
use crate::config::Settings;

use anchors::Anchors;
pub(crate) use chain::Chain;
pub(crate) use reads::{ReadCounts, Reads};

/// What a server does for the access log.
#[derive(Clone)]
pub(crate) struct AccessLog {
    pub(crate) reads: Arc<Reads>,
    pub(crate) chain: Arc<Chain>,
}

impl AccessLog {
    /// Makes it ready, on the runtime of the server; nothing is written yet.
    ///
    /// # Errors
    /// [`KeyError`] when there is no key to vouch for the chain, or what is remembered of it cannot be read.
    pub(crate) fn open(settings: &Settings, store: &Store) -> Result<Self, KeyError> {
        let keys: Vec<SealKey> = seal_keys(settings)?;
        let anchors = Anchors::open(&settings.data_dir)?;
        let kept = settings.access_log.kept;
        Ok(Self {
            reads: Arc::new(Reads::new(store.clone(), &settings.access_log)),
            chain: Arc::new(Chain::new(store.clone(), keys, anchors, kept)),
        })
    }

    /// Writes, seals and reclaims rows until `stopping`, and what is left then.
    pub(crate) async fn run(self, stopping: CancellationToken) {
        let writing = self.reads.run(&stopping);
        let sealing = self.chain.run(&stopping);
        tokio::join!(writing, sealing);
        self.reads.close().await;
        self.chain.seal_due().await;
    }
}

//! The configured embedder, the vectors of queries, and its status.
//!
//! A commit never waits for the embedder. The database knows which rows of the index have no vectors, so there is no queue to
//! fill at a commit, and none to lose in a crash.
//!
//! Source: `docs/spec/search.md`, "Meaning".

mod background;
mod embedder;
mod endpoint;
mod error;
mod hub;
mod queries;
mod status;

pub(crate) use embedder::{Embedder, Urgency};
pub(crate) use endpoint::innermost;
pub(crate) use error::EmbedError;
pub use error::EmbedderError;
pub(crate) use queries::{Queries, QueryText};
pub(crate) use status::{EmbeddingProgress, EmbeddingStatus};

use std::sync::Arc;

use orgmem_store::{ReadPlan, Store, StoreError};

use crate::config::Settings;

#[derive(Clone)]
pub(crate) struct EmbeddingService {
    pub(crate) queries: Arc<Queries>,
    pub(crate) status: Arc<EmbeddingStatus>,
    pub(crate) embedder: Arc<Embedder>,
}

impl EmbeddingService {
    /// Opens the configured embedder, and earlier ones whose vectors are in use and that can still be opened.
    pub(crate) async fn open(settings: &Settings, store: &Store) -> Result<Option<Self>, EmbedderError> {
        let threads = store.threads();
        let opened = Embedder::open(&settings.embedder, &settings.data_dir, threads).await?;
        let Some(embedder) = opened else { return Ok(None) };
        let embedder = Arc::new(embedder);
        let number = embedder.number();
        let former = store.read(ReadPlan::Scan, move |tx| tx.former_models(number)).await;
        let former = former.map_err(|error: StoreError| EmbedderError::Store(error.to_string()))?;
        let mut all = vec![Arc::clone(&embedder)];
        for model in former {
            match Embedder::reopen(&settings.embedder, &model, threads).await {
                Some(former) => all.push(Arc::new(former)),
                None => tracing::warn!(
                    model = model.name,
                    "an earlier embedder cannot be opened: its memories are found by words only until they are embedded again"
                ),
            }
        }
        let status = Arc::new(EmbeddingStatus::of(&embedder));
        Ok(Some(Self { queries: Arc::new(Queries::new(all, Arc::clone(&status))), status, embedder }))
    }
}

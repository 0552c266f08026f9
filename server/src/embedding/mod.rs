//! What texts mean: the embedder that the settings name, and the queue of memories that wait for it.
//!
//! Embedding never holds a commit up. What waits is what the index has and the embedder has not come to; the database tells,
//! so nothing is lost when a server dies, and nothing is to be queued when a memory is committed.
//!
//! Source: product.md, section 6.

mod background;
mod embedder;
mod endpoint;
mod error;
mod hub;
mod queries;
mod status;

pub(crate) use embedder::{Embedder, Urgency};
pub(crate) use error::EmbedError;
pub use error::EmbedderError;
pub(crate) use queries::{Queries, QueryText};
pub(crate) use status::{EmbeddingStatus, Progress};

use std::sync::Arc;

use orgmem_store::{ReadPlan, Store, StoreError};

use crate::config::Settings;

/// What a server with an embedder has of it.
#[derive(Clone)]
pub(crate) struct Embedding {
    pub(crate) queries: Arc<Queries>,
    pub(crate) status: Arc<EmbeddingStatus>,
    pub(crate) embedder: Arc<Embedder>,
}

impl Embedding {
    /// Opens the embedder that the settings name, and those before it that are still here and whose vectors still serve.
    ///
    /// # Errors
    /// [`EmbedderError`]: a model that is not there or not usable.
    pub(crate) async fn open(settings: &Settings, store: &Store) -> Result<Option<Self>, EmbedderError> {
        let Some(embedder) = Embedder::open(&settings.embedder, &settings.data_dir).await? else { return Ok(None) };
        let embedder = Arc::new(embedder);
        let number = embedder.number();
        let former = store.read(ReadPlan::Scan, move |tx| tx.former_models(number)).await;
        let former = former.map_err(|error: StoreError| EmbedderError::Store(error.to_string()))?;
        let mut all = vec![Arc::clone(&embedder)];
        for model in former {
            match Embedder::reopen(&settings.embedder, &model).await {
                Some(former) => all.push(Arc::new(former)),
                None => tracing::warn!(
                    model = model.name,
                    "the embedder before is not here any more: until memories are embedded anew they are found by words alone"
                ),
            }
        }
        let status = Arc::new(EmbeddingStatus::of(&embedder));
        Ok(Some(Self { queries: Arc::new(Queries::new(all, Arc::clone(&status))), status, embedder }))
    }
}

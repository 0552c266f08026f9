//! What queries mean.

use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use orgmem_hierarchy::OrgId;
use orgmem_recall::{Embedding, Meaning, Vector};

use super::embedder::Urgency;
use super::{EmbedError, Embedder, EmbeddingStatus};

/// Queries whose vectors are kept: the pages of a list, and what is asked again and again.
const KEPT: u64 = 2_000;
/// For how long.
const KEPT_FOR: Duration = Duration::from_secs(600);
/// How long a query waits for its vector.
const PATIENCE: Duration = Duration::from_secs(5);

/// Embeds queries, by every embedder whose vectors serve.
pub(crate) struct Queries {
    embedders: Vec<Arc<Embedder>>,
    status: Arc<EmbeddingStatus>,
    /// Each org has its own: whether somebody asked the same elsewhere must not show, not even by how long it takes.
    kept: Cache<(OrgId, i32, String), Vector>,
}

impl Queries {
    pub(super) fn new(embedders: Vec<Arc<Embedder>>, status: Arc<EmbeddingStatus>) -> Self {
        Self { embedders, status, kept: Cache::builder().max_capacity(KEPT).time_to_live(KEPT_FOR).build() }
    }

    /// What `text` means by those of `models` that are here; nothing for a text that means nothing.
    ///
    /// # Errors
    /// [`EmbedError`] of the first one that fails.
    pub(crate) async fn meaning(&self, org: OrgId, models: &[i32], text: &str) -> Result<Meaning, EmbedError> {
        let mut meaning = Meaning::new();
        for embedder in self.embedders.iter().filter(|embedder| models.contains(&embedder.number())) {
            let key = (org, embedder.number(), text.to_owned());
            let vector = match self.kept.get(&key) {
                Some(vector) => Some(vector),
                None => {
                    let embedded = self.embed(embedder, text).await?;
                    let vector = embedded.into_iter().next().flatten();
                    if let Some(vector) = &vector {
                        self.kept.insert(key, vector.clone());
                    }
                    vector
                }
            };
            meaning.extend(vector.map(|vector| Embedding { model: embedder.number(), vector }));
        }
        Ok(meaning)
    }

    /// Asks the embedder, and notes whether it works.
    async fn embed(&self, embedder: &Embedder, text: &str) -> Result<Vec<Option<Vector>>, EmbedError> {
        let embedded = tokio::time::timeout(PATIENCE, embedder.embed(vec![text.to_owned()], Urgency::Query)).await;
        let embedded = embedded.unwrap_or_else(|_| Err(EmbedError::failing("it did not answer in time")));
        match &embedded {
            Ok(_) => self.status.works(),
            Err(error) if self.status.fails(&error.to_string()) => {
                tracing::warn!(%error, embedder = embedder.name(), "queries cannot be embedded now");
            }
            Err(_) => {}
        }
        embedded
    }
}

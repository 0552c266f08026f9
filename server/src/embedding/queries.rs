//! The vectors of queries.

use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use orgmem_hierarchy::OrgId;
use orgmem_recall::{Embedding, Meaning, Vector};
use orgmem_store::{FairTurns, Requester};

use tokio::time::Instant;

use super::embedder::Urgency;
use super::{EmbedError, Embedder, EmbeddingStatus};

/// Cached vectors: for the pages of a list, and for repeated queries.
const CACHED: u64 = 2_000;
const CACHED_FOR: Duration = Duration::from_secs(600);
/// How long a query waits for its turn and its vector.
const PATIENCE: Duration = Duration::from_secs(5);

/// Embeds queries by every embedder whose vectors are in use.
pub(crate) struct Queries {
    embedders: Vec<Arc<Embedder>>,
    /// One org cannot take all of an embedder.
    turns: FairTurns,
    status: Arc<EmbeddingStatus>,
    /// By org, as the time of a response must not reveal the queries of another.
    cache: Cache<(OrgId, i32, String), Vector>,
}

/// A text to embed for a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryText {
    pub(crate) org: OrgId,
    /// The models whose vectors the org has.
    pub(crate) models: Vec<i32>,
    pub(crate) text: String,
}

impl Queries {
    pub(super) fn new(embedders: Vec<Arc<Embedder>>, status: Arc<EmbeddingStatus>) -> Self {
        let turns = FairTurns::new(embedders.iter().map(|embedder| embedder.places()).min().unwrap_or(1));
        Self { embedders, turns, status, cache: Cache::builder().max_capacity(CACHED).time_to_live(CACHED_FOR).build() }
    }

    /// The vectors of a query, if all of them are cached.
    pub(crate) fn cached(&self, query: &QueryText) -> Option<Meaning> {
        let vectors = self.embedders_of(query).map(|embedder| {
            let vector = self.cache.get(&key(query, embedder))?;
            Some(Embedding { model: embedder.number(), vector })
        });
        vectors.collect()
    }

    /// The vectors of a query by those of its models that are available; none for a text without meaning.
    ///
    /// # Errors
    /// [`EmbedError`] of the first embedder that fails.
    pub(crate) async fn meaning(&self, query: &QueryText, requester: Requester) -> Result<Meaning, EmbedError> {
        let mut meaning = Meaning::new();
        for embedder in self.embedders_of(query) {
            let key = key(query, embedder);
            let vector = match self.cache.get(&key) {
                Some(vector) => Some(vector),
                None => {
                    let vector = self.embed(embedder, &query.text, requester).await?.into_iter().next().flatten();
                    if let Some(vector) = &vector {
                        self.cache.insert(key, vector.clone());
                    }
                    vector
                }
            };
            meaning.extend(vector.map(|vector| Embedding { model: embedder.number(), vector }));
        }
        Ok(meaning)
    }

    fn embedders_of<'q>(&'q self, query: &'q QueryText) -> impl Iterator<Item = &'q Embedder> {
        let embedders = self.embedders.iter().map(|embedder| &**embedder);
        embedders.filter(|embedder| query.models.contains(&embedder.number()))
    }

    /// Calls the embedder and records whether it works.
    async fn embed(
        &self,
        embedder: &Embedder,
        text: &str,
        requester: Requester,
    ) -> Result<Vec<Option<Vector>>, EmbedError> {
        let end = Instant::now() + PATIENCE;
        // a long queue is no failure of the embedder
        let turn = tokio::time::timeout_at(end, self.turns.acquire(requester)).await.ok().and_then(Result::ok);
        let turn = turn.ok_or_else(|| EmbedError::failing("too many queries wait for it"))?;
        let embedding = embedder.embed(vec![text.to_owned()], Urgency::Query(turn));
        let embedding = tokio::time::timeout_at(end, embedding).await;
        let vectors = embedding.unwrap_or_else(|_| Err(EmbedError::failing("it did not respond in time")));
        match &vectors {
            Ok(_) => self.status.works(),
            Err(error) if self.status.fails(&error.to_string()) => {
                tracing::warn!(%error, embedder = embedder.name(), "queries cannot be embedded");
            }
            Err(_) => {}
        }
        vectors
    }
}

fn key(query: &QueryText, embedder: &Embedder) -> (OrgId, i32, String) {
    (query.org, embedder.number(), query.text.clone())
}

//! Scores of texts for queries, from the cache or the reranker.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use orgmem_hierarchy::OrgId;
use orgmem_store::{FairTurns, OrgThreads, Requester};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::endpoint::RerankEndpoint;
use super::local::LocalReranker;
use super::{RerankError, RerankerError, RerankerStatus};
use crate::config::{RerankerSettings, RerankerSource};

/// Cached scores: of 2,000 searches.
const CACHED: u64 = 100_000;
const CACHED_FOR: Duration = Duration::from_secs(600);
/// Searches whose texts an endpoint scores at once.
const ENDPOINT_PLACES: usize = 32;
/// The most characters of a query or a text: models read no more than some hundred words, and every one costs time.
const TEXT_CHARS: usize = 4_000;

/// The configured reranker.
pub(crate) struct Reranking {
    backend: Backend,
    /// One org cannot take all of the reranker.
    turns: FairTurns,
    budget: Duration,
    status: Arc<RerankerStatus>,
    /// By org, as the time of a response must not reveal the queries of another.
    cache: Cache<(OrgId, TextKey), f64>,
}

enum Backend {
    /// It uses several threads for one search, so one search at a time.
    Local(LocalReranker),
    Endpoint(RerankEndpoint),
}

/// A query and a text, as a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextKey([u8; 32]);

impl TextKey {
    pub(crate) fn of(query: &str, text: &str) -> Self {
        // the length separates the two
        let hash = Sha256::new().chain_update(query.len().to_le_bytes()).chain_update(query).chain_update(text);
        Self(hash.finalize().into())
    }
}

/// Texts to score for a search.
#[derive(Clone, Debug)]
pub(crate) struct RerankRequest {
    pub(crate) org: OrgId,
    pub(crate) query: String,
    pub(crate) texts: Vec<(TextKey, String)>,
}

impl Reranking {
    /// The configured reranker, if there is one.
    pub(crate) async fn open(
        settings: &RerankerSettings,
        threads: &OrgThreads,
    ) -> Result<Option<Arc<Self>>, RerankerError> {
        let (backend, places, name) = match &settings.source {
            None => return Ok(None),
            Some(RerankerSource::Folder(folder)) => {
                let reranker = LocalReranker::open(folder.clone(), threads.clone()).await?;
                (Backend::Local(reranker), 1, folder.display().to_string())
            }
            Some(RerankerSource::Address(address)) => {
                let name =
                    settings.model.as_ref().map_or_else(|| address.clone(), |model| format!("{address} {model}"));
                (Backend::Endpoint(RerankEndpoint::new(settings, address)?), ENDPOINT_PLACES, name)
            }
        };
        Ok(Some(Arc::new(Self {
            backend,
            turns: FairTurns::new(places),
            budget: settings.timeout,
            status: Arc::new(RerankerStatus::of(name)),
            cache: Cache::builder().max_capacity(CACHED).time_to_live(CACHED_FOR).build(),
        })))
    }

    pub(crate) fn status(&self) -> &Arc<RerankerStatus> {
        &self.status
    }

    /// When a search that begins now stops waiting for scores.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.budget
    }

    /// The part of a query or a text that is scored.
    pub(crate) fn beginning(text: &str) -> &str {
        text.char_indices().nth(TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
    }

    pub(crate) fn cached(&self, org: OrgId, key: TextKey) -> Option<f64> {
        self.cache.get(&(org, key))
    }

    /// The score of each text of the request. Calls the reranker and records whether it works.
    ///
    /// # Errors
    /// [`RerankError`] if the reranker fails, or has not finished by `end`.
    pub(crate) async fn scores(
        &self,
        request: RerankRequest,
        requester: Requester,
        end: Instant,
    ) -> Result<HashMap<TextKey, f64>, RerankError> {
        // a long queue is no failure of the reranker
        let turn = tokio::time::timeout_at(end, self.turns.acquire(requester)).await.ok().and_then(Result::ok);
        let turn = turn.ok_or_else(|| RerankError::new("too many searches wait for it"))?;
        let RerankRequest { org, query, texts } = request;
        let (keys, texts): (Vec<TextKey>, Vec<String>) = texts.into_iter().unzip();
        let scoring = async {
            match &self.backend {
                Backend::Local(model) => model.scores(query, texts, turn).await,
                Backend::Endpoint(endpoint) => {
                    let _turn = turn;
                    endpoint.scores(&query, &texts).await
                }
            }
        };
        let late = |_| {
            let budget = self.budget.as_millis();
            Err(RerankError::new(format!("it did not respond in time; `reranking.timeout_ms` is {budget}")))
        };
        let scores = tokio::time::timeout_at(end, scoring).await.unwrap_or_else(late);
        let scores = scores.and_then(|scores| match scores.iter().all(|score| score.is_finite()) {
            true => Ok(scores),
            false => Err(RerankError::new("a score is not a number")),
        });
        match scores {
            Ok(scores) => {
                self.status.works();
                let scores: HashMap<TextKey, f64> = keys.into_iter().zip(scores).collect();
                scores.iter().for_each(|(key, score)| self.cache.insert((org, *key), *score));
                Ok(scores)
            }
            Err(error) => {
                if self.status.fails(&error.0) {
                    tracing::warn!(%error, reranker = self.status.name(), "searches are not reranked");
                }
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Reranking, TEXT_CHARS, TextKey};

    #[test]
    fn key_depends_on_where_the_query_ends() {
        assert_eq!(TextKey::of("a", "b"), TextKey::of("a", "b"));
        assert_ne!(TextKey::of("a", "bc"), TextKey::of("ab", "c"));
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        let text = "ä".repeat(TEXT_CHARS + 1);
        assert_eq!(Reranking::beginning(&text), "ä".repeat(TEXT_CHARS));
        assert_eq!(Reranking::beginning("short"), "short");
    }
}

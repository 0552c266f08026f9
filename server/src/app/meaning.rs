//! Reads by a query that is matched by words and by embeddings.

use std::sync::Arc;

use orgmem_policies::rules::BudgetLimit;
use orgmem_policies::{Permission, ReadPass};
use orgmem_recall::{Meaning, Query, in_first_person};
use orgmem_store::{AuditRecord, ReadPlan};
use orgmem_types as wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::{CallSpec, ReadCall};
use super::rerank::PoolScores;
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::embedding::{EmbeddingService, QueryText};
use crate::reranking::RerankRequest;

const NO_EMBEDDER: &str = "no embedder is configured, so `mode` must be `auto` or `keyword`";

/// A query as the caller wrote it and as it was parsed.
pub(super) struct ParsedQuery {
    text: String,
    query: Query,
    mode: Option<wire::Mode>,
}

impl ParsedQuery {
    pub(super) fn parse(text: Option<String>, mode: Option<wire::Mode>) -> Self {
        let text = text.unwrap_or_default();
        Self { query: Query::parse(&text), text, mode }
    }

    /// The query as the caller wrote it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the query is blank: a search is then a listing, and its hits have no score.
    pub(super) fn is_blank(&self) -> bool {
        self.query.is_blank()
    }

    /// The form of the query in the access log.
    pub(super) fn hash(&self) -> Option<String> {
        (!self.is_blank()).then(|| hex::encode(Sha256::digest(&self.text)))
    }

    /// Whether the mode excludes all models.
    pub(super) fn is_by_words_only(&self) -> bool {
        matches!(self.mode, Some(wire::Mode::Keyword))
    }

    fn requires_embedder(&self) -> bool {
        matches!(self.mode, Some(wire::Mode::Semantic | wire::Mode::Hybrid))
    }

    fn with_meaning(&self, meaning: Meaning) -> Query {
        let query = self.query.clone();
        let only_meaning = matches!(self.mode, Some(wire::Mode::Semantic)) && !query.is_blank();
        if only_meaning { query.without_words() } else { query }.with_meaning(meaning)
    }
}

/// The outcome of one read of a query.
pub(super) enum QueryStep<T> {
    Done(T, AuditRecord),
    /// The scores of these texts are not known.
    Rerank(RerankRequest),
}

/// The outcome of one read.
enum ReadStep<T> {
    Done(T),
    /// The vectors of this text are not cached.
    Embed(QueryText),
    Rerank(RerankRequest),
}

impl App {
    /// As [`read_audited`](Self::read_audited), with a query that is matched by words and, with an embedder, by
    /// meaning. In the mode `auto` the read falls back to words if the embedder fails; the metrics count the failure.
    ///
    /// The embedded text depends on the authors within the caller's reach, so only a read of an admitted caller can
    /// request vectors: callers without access cause no call of the embedder. A read whose vectors are not cached ends,
    /// and is retried with them: no snapshot is open during the call, which may take seconds. Other reads take one
    /// snapshot.
    ///
    /// # Errors
    /// [`AppError::NotConfigured`] for a mode that needs an embedder without one; [`AppError::Embedder`] in such a mode
    /// if the embedder does not respond; the errors of `f`.
    pub(super) async fn read_by_query<T, F>(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        plan: ReadPlan,
        query: ParsedQuery,
        f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: Fn(&mut ReadCall<'_>, Query) -> Result<(T, AuditRecord), AppError> + Send + Sync + 'static,
    {
        self.read_by_query_as(auth, workspace, plan, query, |call| call.reads(call.workspace), f).await
    }

    /// As [`read_by_query`](Self::read_by_query), for a search of what `reads` permits.
    pub(super) async fn read_by_query_as<T, P, F>(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        plan: ReadPlan,
        query: ParsedQuery,
        reads: P,
        f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        P: Fn(&mut ReadCall<'_>) -> Result<ReadPass, AppError> + Send + Sync + 'static,
        F: Fn(&mut ReadCall<'_>, Query) -> Result<(T, AuditRecord), AppError> + Send + Sync + 'static,
    {
        let f = move |call: &mut ReadCall<'_>, query: Query, _: &PoolScores| {
            f(call, query).map(|(response, record)| QueryStep::Done(response, record))
        };
        self.read_in_steps(auth.call(workspace).plan(plan), query, reads, f).await
    }

    /// As [`read_by_query`](Self::read_by_query), for a search whose results a reranker may order. No snapshot is open while
    /// it scores texts: the read ends, and another one uses the scores. Texts of the second read without a score are scored
    /// once more. A reranker that fails is not called again for the search.
    pub(super) async fn read_reranked<T, F>(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        plan: ReadPlan,
        query: ParsedQuery,
        f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: Fn(&mut ReadCall<'_>, Query, &PoolScores) -> Result<QueryStep<T>, AppError> + Send + Sync + 'static,
    {
        self.read_in_steps(auth.call(workspace).plan(plan), query, |call| call.reads(call.workspace), f).await
    }

    async fn read_in_steps<T, P, F>(
        &self,
        spec: CallSpec<'_>,
        query: ParsedQuery,
        reads: P,
        f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        P: Fn(&mut ReadCall<'_>) -> Result<ReadPass, AppError> + Send + Sync + 'static,
        F: Fn(&mut ReadCall<'_>, Query, &PoolScores) -> Result<QueryStep<T>, AppError> + Send + Sync + 'static,
    {
        let embedding = self.embedder_for(&query)?;
        let requires_embedder = query.requires_embedder();
        let shared = Arc::new((query, reads, f));
        let mut known: Option<Arc<(QueryText, Meaning)>> = None;
        let mut scores = Arc::new(PoolScores::default());
        let mut deadline = None;
        loop {
            let (shared, known_now, scores_now) = (Arc::clone(&shared), known.clone(), Arc::clone(&scores));
            let queries = embedding.map(|embedding| Arc::clone(&embedding.queries));
            let step = self.read_audited(spec.clone(), move |call| {
                let (query, reads, f) = &*shared;
                let meaning = match &queries {
                    None => Meaning::new(),
                    Some(queries) => {
                        let pass = reads(call)?;
                        let text = call.query_text(query, &pass)?;
                        let meaning = match known_now.as_deref() {
                            Some((known, meaning)) if *known == text => Some(Meaning::clone(meaning)),
                            _ => queries.cached(&text),
                        };
                        let Some(meaning) = meaning else {
                            call.spend(Permission::ReadMemories, BudgetLimit::EmbeddingsPerDay, 1)?;
                            return Ok((ReadStep::Embed(text), None));
                        };
                        meaning
                    }
                };
                // the read before the scores has spent it
                if scores_now.rounds == 0 {
                    call.spend_search()?;
                }
                Ok(match f(call, query.with_meaning(meaning), &scores_now)? {
                    QueryStep::Done(response, record) => (ReadStep::Done(response), Some(record)),
                    QueryStep::Rerank(request) => (ReadStep::Rerank(request), None),
                })
            });
            match (step.await?, embedding, &self.reranking) {
                (ReadStep::Done(response), ..) => return Ok(response),
                (ReadStep::Embed(text), Some(embedding), _) => {
                    let meaning = match embedding.queries.meaning(&text, self.requester(spec.claims())).await {
                        Err(error) if requires_embedder => return Err(AppError::Embedder(error.to_string())),
                        meaning => meaning.unwrap_or_default(),
                    };
                    known = Some(Arc::new((text, meaning)));
                }
                (ReadStep::Rerank(request), _, Some(reranking)) => {
                    let end = *deadline.get_or_insert_with(|| reranking.deadline());
                    let scored = reranking.scores(request, self.requester(spec.claims()), end).await;
                    let scores = Arc::make_mut(&mut scores);
                    scores.rounds += 1;
                    scores.has_failed = scored.is_err();
                    scores.known.extend(scored.unwrap_or_default());
                }
                // a read asks only for what is configured
                (ReadStep::Embed(_), None, _) | (ReadStep::Rerank(_), _, None) => {
                    Arc::make_mut(&mut scores).has_failed = true;
                }
            }
        }
    }

    /// The embedder, if the query is to be embedded.
    fn embedder_for(&self, query: &ParsedQuery) -> Result<Option<&EmbeddingService>, AppError> {
        match (&self.embedding, query.mode) {
            (None, _) if query.requires_embedder() => Err(AppError::NotConfigured(NO_EMBEDDER)),
            (_, Some(wire::Mode::Keyword)) => Ok(None),
            (embedding, _) => Ok(embedding.as_ref().filter(|_| !query.is_blank())),
        }
    }
}

impl ReadCall<'_> {
    fn spend_search(&mut self) -> Result<(), AppError> {
        self.spend(Permission::ReadMemories, BudgetLimit::SearchesPerMinute, 1)
    }

    /// The text to embed for a query of this reader, and the models whose vectors the org has.
    fn query_text(&mut self, query: &ParsedQuery, pass: &ReadPass) -> Result<QueryText, AppError> {
        let models = self.tx.models_of(self.org)?.iter().map(|model| model.number).collect();
        let names = self.tx.authors_named(pass, &query.query)?;
        Ok(QueryText { org: self.org, models, text: in_first_person(&query.text, &names) })
    }
}

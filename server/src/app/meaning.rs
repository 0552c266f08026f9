//! Reads by a query that is matched by words and by embeddings.

use std::sync::Arc;

use orgmem_policies::rules::BudgetLimit;
use orgmem_policies::{Permission, ReadPass};
use orgmem_recall::{Meaning, Query, in_first_person};
use orgmem_store::{AuditRecord, ReadPlan};
use orgmem_types as wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::ReadCall;
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::embedding::{EmbeddingService, QueryText};

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

    fn requires_embedder(&self) -> bool {
        matches!(self.mode, Some(wire::Mode::Semantic | wire::Mode::Hybrid))
    }

    fn with_meaning(&self, meaning: Meaning) -> Query {
        let query = self.query.clone();
        let only_meaning = matches!(self.mode, Some(wire::Mode::Semantic)) && !query.is_blank();
        if only_meaning { query.without_words() } else { query }.with_meaning(meaning)
    }
}

/// The outcome of one read.
enum ReadStep<T> {
    Done(T),
    /// The vectors of this text are not cached.
    Embed(QueryText),
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
        let spec = auth.call(workspace).plan(plan);
        let Some(embedding) = self.embedder_for(&query)? else {
            return self
                .read_audited(spec, move |call| {
                    call.spend_search()?;
                    f(call, query.with_meaning(Meaning::new()))
                })
                .await;
        };
        let requires_embedder = query.requires_embedder();
        let shared = Arc::new((query, reads, f));
        let mut known = None;
        loop {
            let (shared, cache, known_now) = (Arc::clone(&shared), Arc::clone(&embedding.queries), known.take());
            let step = self.read_audited(spec.clone(), move |call| {
                let (query, reads, f) = &*shared;
                let pass = reads(call)?;
                let text = call.query_text(query, &pass)?;
                let meaning = match &known_now {
                    Some((known, meaning)) if *known == text => Some(Meaning::clone(meaning)),
                    _ => cache.cached(&text),
                };
                let Some(meaning) = meaning else {
                    call.spend(Permission::ReadMemories, BudgetLimit::EmbeddingsPerDay, 1)?;
                    return Ok((ReadStep::Embed(text), None));
                };
                call.spend_search()?;
                let (response, record) = f(call, query.with_meaning(meaning))?;
                Ok((ReadStep::Done(response), Some(record)))
            });
            let text = match step.await? {
                ReadStep::Done(response) => return Ok(response),
                ReadStep::Embed(text) => text,
            };
            let meaning = match embedding.queries.meaning(&text, self.requester(auth)).await {
                Err(error) if requires_embedder => return Err(AppError::Embedder(error.to_string())),
                meaning => meaning.unwrap_or_default(),
            };
            known = Some((text, meaning));
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

//! The built-in provider: the store and the search of this server.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use orgmem_policies::ReadPass;
use orgmem_recall::{Meaning, PageRequest, Query, in_first_person};
use orgmem_store::{ReadPlan, ReadTx, Requester, Search, Store, StoreError};
use uuid::Uuid;

use super::interface::{ItemChange, MemoryProvider, ProviderFault, ProviderHealth, Retrieval};
use crate::embedding::{EmbeddingService, QueryText};

#[derive(Clone)]
pub(crate) struct BuiltIn {
    store: Store,
    embedding: Option<EmbeddingService>,
}

impl BuiltIn {
    pub(super) fn new(store: Store, embedding: Option<EmbeddingService>) -> Self {
        Self { store, embedding }
    }

    /// The vectors of the query, as a search of the reader has them.
    async fn meaning(&self, retrieval: &Retrieval, query: Arc<Query>) -> Result<Meaning, ProviderFault> {
        let Some(embedding) = &self.embedding else { return Ok(Meaning::new()) };
        let Retrieval { org, reader, .. } = *retrieval;
        let text = retrieval.query.clone();
        let reading = self.store.read(ReadPlan::Scan, move |tx| {
            let Some(pass) = reads(tx, org, reader)? else { return Ok::<_, StoreError>(None) };
            let models = tx.models_of(org)?.iter().map(|model| model.number).collect();
            let names = tx.authors_named(&pass, &query)?;
            Ok(Some(QueryText { org, models, text: in_first_person(&text, &names) }))
        });
        let Some(text) = reading.await? else { return Ok(Meaning::new()) };
        // a search falls back to words, too
        Ok(embedding.queries.meaning(&text, Requester::SERVER).await.unwrap_or_default())
    }
}

/// The pass of a workspace for what it reads itself; `None` if it is not live.
pub(super) fn reads(
    tx: &mut (impl ReadTx + ?Sized),
    org: orgmem_hierarchy::OrgId,
    reader: orgmem_hierarchy::WorkspaceId,
) -> Result<Option<ReadPass>, StoreError> {
    let profile = tx.default_settings(org, reader)?;
    Ok(ReadPass::of_workspace(&*tx.tree(org)?, reader, &profile))
}

impl MemoryProvider for BuiltIn {
    /// The store has recorded the item with its acknowledgement.
    fn record<'p>(&'p self, _: &'p ItemChange) -> BoxFuture<'p, Result<(), ProviderFault>> {
        async { Ok(()) }.boxed()
    }

    /// The compactor has written the page.
    fn compact<'p>(&'p self, _: &'p ItemChange) -> BoxFuture<'p, Result<(), ProviderFault>> {
        async { Ok(()) }.boxed()
    }

    fn retrieve<'p>(&'p self, retrieval: &'p Retrieval) -> BoxFuture<'p, Result<Vec<Uuid>, ProviderFault>> {
        async move {
            let query = Arc::new(Query::parse(&retrieval.query));
            let meaning = self.meaning(retrieval, Arc::clone(&query)).await?;
            let Retrieval { org, reader, limit, .. } = *retrieval;
            let search = Search {
                query: (*query).clone().with_meaning(meaning),
                cut: PageRequest { limit, ..PageRequest::default() },
                ..Search::default()
            };
            let searching = self.store.read(ReadPlan::Scan, move |tx| {
                let Some(pass) = reads(tx, org, reader)? else { return Ok::<_, StoreError>(Vec::new()) };
                let found = tx.search(&pass, &search)?;
                Ok(found.hits.into_iter().map(|hit| hit.memory.id).collect())
            });
            Ok(searching.await?)
        }
        .boxed()
    }

    fn audit(&self) -> BoxFuture<'_, Result<ProviderHealth, ProviderFault>> {
        async move {
            self.store.ping().await?;
            Ok(ProviderHealth { version: env!("CARGO_PKG_VERSION").to_owned(), capabilities: Vec::new() })
        }
        .boxed()
    }
}

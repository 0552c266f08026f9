//! Searching, listing and reading memories. `memory_rows.rs` makes the response.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use orgmem_policies::audit::AuditAction;
use orgmem_policies::{Permission, ReadPass, ViewPass};
use orgmem_recall::SortKey;
use orgmem_store::{AuditRecord, Found, FoundMemory, Memory, ReadPlan, SearchedItems};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::grants::note_grants;
use super::meaning::QueryStep;
use super::memory_rows::{collapsed, explained, memories, neighbours, understood};
use super::rerank::{ResultPage, SearchStep};
use super::search_params::{MemorySearch, SearchParams};
use super::{App, AppError, Listing};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

impl App {
    /// The memories that the workspace can read, best first; without a query pinned and newest first.
    ///
    /// # Errors
    /// [`AppError::NotConfigured`] for a search by meaning without an embedder; [`AppError::Embedder`] if the embedder
    /// does not respond; [`AppError::Field`] for an invalid parameter.
    pub async fn search_memories(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        search: impl Into<MemorySearch>,
    ) -> Result<Listing<wire::Memory>, AppError> {
        let (query, mut params) = SearchParams::resolve(search.into())?;
        params.hide_pages_of(self.compactor.kinds_without_pages());
        let (is_scored, query_hash) = (!query.is_blank(), query.hash());
        // what the memory-plugin contract can express
        let provided = (is_scored && self.providers.is_some() && params.is_plain()).then(|| query.text().to_owned());
        let limit = params.limit();
        let from_provider = match &provided {
            Some(query) => Box::pin(self.retrieved_by_provider(auth, workspace, query, limit)).await,
            None => None,
        };
        let reranking = self.reranking.clone().filter(|_| from_provider.is_none());
        let pool = params.pool(&query, reranking);
        let searching = self.read_reranked(auth, workspace, ReadPlan::Adaptive, query, move |call, query, scores| {
            let reader = call.workspace;
            params.name(call)?;
            let mut pass = call.reads(reader)?;
            if params.quoted() {
                pass = pass.as_agents_read();
            }
            let pass = call.under_grants(pass, params.sessions)?;
            let search = params.search(call, query)?;
            if search.items.pages {
                // pages are made of activity
                call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadActivity, tree, reader))?;
            }
            let page = match (&from_provider, params.is_namespace_readable(call)?) {
                (_, false) => ResultPage::default(),
                (Some(ids), true) => ResultPage::of(call.found_by_provider(&pass, ids)?),
                (None, true) => match call.searched(&pass, &search, &pool, scores)? {
                    SearchStep::Page(page) => page,
                    SearchStep::Rerank(request) => return Ok(QueryStep::Rerank(request)),
                },
            };
            let ResultPage { hits: mut items, next, reranked } = page;
            let mut record = AuditRecord::new(AuditAction::SearchMemories, reader).about(shown(&items));
            if search.items.pages {
                record = record.context_field("page_ids", shown_pages(&items));
            }
            let mut record =
                record.with_read_episode(&call.caller, |count| format!("found {}", memories_of(count)), None);
            if let Some(query_hash) = &query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let mut near = match search.neighbours {
                0 => HashMap::new(),
                _ => neighbours(call, &pass, &mut items)?,
            };
            let split = |hit: FoundMemory| {
                let found = (hit.memory, hit.via, is_scored.then_some(hit.score));
                let order = (understood(hit.understood), hit.outdated_by, collapsed(hit.repetitions));
                (found, (hit.similarity, hit.explanation, order))
            };
            let (items, scores): (Vec<_>, Vec<_>) = items.into_iter().map(split).unzip();
            let items = memories(call, &pass, items)?.into_iter().zip(scores);
            let with_types = search.items != SearchedItems::MEMORIES;
            let items = items.map(|(item, (similarity_score, explanation, order))| wire::Memory {
                item_type: with_types.then_some(match (&item.passage, &item.page) {
                    (Some(_), _) => wire::ItemType::Passage,
                    (None, Some(_)) => wire::ItemType::Page,
                    (None, None) => wire::ItemType::Memory,
                }),
                similarity_score,
                understood: order.0,
                outdated_by: order.1,
                collapsed: order.2,
                explanation: explanation.map(|explanation| wire::Explanation {
                    reranked: reranked.get(&item.id).copied(),
                    ..explained(explanation)
                }),
                neighbours: near.remove(&item.id),
                ..item
            });
            let items: Vec<wire::Memory> = items.collect();
            let record = note_grants(record, &pass, &items);
            Ok(QueryStep::Done(Listing { items, next }, record))
        });
        // on the heap: a query and its alternatives are large
        let found = self.measured(MemoryOperation::Search, Box::pin(searching)).await?;
        if let Some(query) = provided {
            self.note_query(auth, workspace, &query);
        }
        Ok(found)
    }

    /// Reads a memory.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the memory does not exist or the workspace cannot read it.
    pub async fn read_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        sessions: Option<wire::ReadSessions>,
    ) -> Result<wire::ReadMemory, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let pass = call.under_grants(pass, sessions)?;
            let Some((memory, via)) = call.tx.memory(&pass, memory)? else {
                return call.read_tombstone(&pass, memory);
            };
            let record = AuditRecord::new(AuditAction::ReadMemory, reader).about([(memory.id, memory.version)]);
            let record = record.with_read_episode(&call.caller, |_| format!("read a {} memory", memory.scope), None);
            let found = memories(call, &pass, vec![(memory, via, None)])?.pop();
            let found = found.ok_or(AppError::MEMORY_NOT_FOUND)?;
            let record = note_grants(record, &pass, [&found]);
            Ok((wire::ReadMemory::Readable(Box::new(found)), record))
        })
        .await
    }
}

impl ReadCall<'_> {
    /// The memories with these ids that the reader reads, in this order. Their text is that of the store.
    fn found_by_provider(&mut self, pass: &ReadPass, ids: &[Uuid]) -> Result<Found, AppError> {
        let mut hits = Vec::with_capacity(ids.len());
        for (rank, id) in (1_u32..).zip(ids) {
            let Some((memory, via)) = self.tx.memory(pass, *id)? else { continue };
            let score = 1.0 / f64::from(rank);
            let key = SortKey { rank: score, created_at: memory.created_at.timestamp_micros(), id: *id };
            hits.push(FoundMemory {
                memory,
                via,
                score,
                similarity: None,
                key,
                explanation: None,
                neighbours: Vec::new(),
                understood: BTreeMap::new(),
                outdated_by: None,
                repetitions: Vec::new(),
            });
        }
        Ok(Found { hits, more: false, as_of: 0 })
    }
}

pub(super) fn memories_of(count: usize) -> String {
    if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") }
}

/// The hits of a part of the results, in order, and their neighbours.
fn with_neighbours(hits: &[FoundMemory]) -> impl Iterator<Item = &Memory> {
    let near = hits.iter().flat_map(|hit| &hit.neighbours).map(|near| &near.memory);
    hits.iter().map(|hit| &hit.memory).chain(near)
}

/// The ids and versions of the memories, and of the documents of the passages, among them.
fn shown(hits: &[FoundMemory]) -> impl Iterator<Item = (Uuid, i64)> {
    let memories = with_neighbours(hits).filter(|memory| memory.page.is_none());
    // a row of a passage names its document
    let version =
        |memory: &Memory| (memory.passage.as_ref().map_or(memory.id, |passage| passage.document), memory.version);
    let mut seen = HashSet::new();
    memories.map(version).filter(move |version| seen.insert(*version))
}

/// The ids of the pages among them.
fn shown_pages(hits: &[FoundMemory]) -> serde_json::Value {
    let pages = with_neighbours(hits).filter(|memory| memory.page.is_some());
    pages.map(|page| page.id.to_string()).collect::<BTreeSet<_>>().into_iter().collect()
}

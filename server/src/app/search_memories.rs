//! Searching, listing and reading memories. `memory_rows.rs` makes the response.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{
    MetadataFilter, MetadataFilterFault, Namespace, Permission, ReadPass, UnknownNamespace, ViewPass,
};
use orgmem_recall::{Filter, Order, PageRequest, Query, SortKey, Tier};
use orgmem_store::{AuditRecord, Found, FoundMemory, Memory, ReadPlan, Search, SearchedItems};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::grants::note_grants;
use super::meaning::ParsedQuery;
use super::memory_rows::{collapsed, explained, memories, neighbours, understood};
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Default and maximum size of a page. Source: `docs/spec/memories.md`, "Search".
const PAGE: usize = 50;

/// Maximum number of memories before, and of memories after, a hit in its session.
pub(crate) const MAX_NEIGHBOURS: u8 = 5;

/// Maximum number of memories that a request names, as many as a page has.
pub(crate) const MAX_IDS: usize = PAGE;

/// The org's version at the first page and the key of the last memory. The rank is encoded as its bits, so that
/// the score is preserved exactly.
type PageCursor = (i64, u64, i64, Uuid);

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
        params.search.kinds_without_pages = self.compactor.kinds_without_pages().to_vec();
        let (is_scored, query_hash) = (!query.is_blank(), query.hash());
        // what the memory-plugin contract can express
        let provided = (is_scored && self.providers.is_some() && params.is_plain()).then(|| query.text().to_owned());
        let limit = params.search.cut.limit;
        let from_provider = match &provided {
            Some(query) => Box::pin(self.retrieved_by_provider(auth, workspace, query, limit)).await,
            None => None,
        };
        let searching = self.read_by_query(auth, workspace, ReadPlan::Adaptive, query, move |call, query| {
            let reader = call.workspace;
            params.name(call)?;
            let mut pass = call.reads(reader)?;
            if params.quoted {
                pass = pass.as_agents_read();
            }
            let pass = call.under_grants(pass, params.sessions)?;
            let search = params.search(call, query)?;
            if search.items.pages {
                // pages are made of activity
                call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadActivity, tree, reader))?;
            }
            let found = match (&from_provider, params.is_namespace_readable(call)?) {
                (_, false) => Found::default(),
                (Some(ids), true) => call.found_by_provider(&pass, ids)?,
                (None, true) => call.tx.search(&pass, &search)?,
            };
            let position = |hit: &FoundMemory| -> PageCursor {
                (found.as_of, hit.key.rank.to_bits(), hit.key.created_at, hit.key.id)
            };
            let Listing { mut items, next } = Listing::part(found.hits, found.more, "memories", position);
            let mut record = AuditRecord::new(AuditAction::SearchMemories, reader).about(shown(&items));
            if search.items.pages {
                record = record.context_field("page_ids", shown_pages(&items));
            }
            let mut record =
                record.with_read_episode(&call.caller, |count| format!("found {}", memories_of(count)), None);
            if let Some(query_hash) = &query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let mut near = match params.search.neighbours {
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
                explanation: explanation.map(explained),
                neighbours: near.remove(&item.id),
                ..item
            });
            let items: Vec<wire::Memory> = items.collect();
            let record = note_grants(record, &pass, &items);
            Ok((Listing { items, next }, record))
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

/// The parameters of a search. The entry points besides REST allow several namespaces and kinds.
#[derive(Clone, Debug, Default)]
pub struct MemorySearch {
    /// The parameters that REST has too.
    pub request: wire::ListMemories,
    /// Alternatives to the request's own.
    pub namespaces: Vec<String>,
    /// Alternatives to the request's own.
    pub kinds: Vec<String>,
    /// Only memories of the namespace with this name; nothing if there is none that the workspace can read.
    pub within: Option<String>,
    /// Maximum size of a page, instead of 50.
    pub page_max: Option<usize>,
}

impl From<wire::ListMemories> for MemorySearch {
    fn from(request: wire::ListMemories) -> Self {
        Self { request, ..Self::default() }
    }
}

/// The checked parameters of a search, besides its query.
pub(super) struct SearchParams {
    search: Search,
    profile: Option<Uuid>,
    within: Option<Result<Namespace, UnknownNamespace>>,
    /// The sessions to read besides that of the call.
    pub(super) sessions: Option<wire::ReadSessions>,
    /// Whether contents are quoted as for an agent, for any role of the caller.
    quoted: bool,
}

impl SearchParams {
    pub(super) fn resolve(search: MemorySearch) -> Result<(ParsedQuery, Self), AppError> {
        let MemorySearch { request, mut namespaces, mut kinds, within, page_max } = search;
        if request.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(AppError::Field { field: "min_confidence", expected: "a number from 0 to 1".into() });
        }
        let neighbours = request.neighbours.unwrap_or_default();
        if neighbours > MAX_NEIGHBOURS {
            return Err(AppError::Field {
                field: "neighbours",
                expected: format!("a number from 0 to {MAX_NEIGHBOURS}"),
            });
        }
        let limit = cursor::limit(request.limit, PAGE, page_max.unwrap_or(PAGE));
        let after: Option<PageCursor> = cursor::decode("memories", request.cursor.as_deref())?;
        let order = match request.order {
            None | Some(wire::Order::Relevance) => Order::Relevance,
            Some(wire::Order::Recent) => Order::Recent,
            Some(wire::Order::Confidence) => Order::Confidence,
        };
        namespaces.extend(request.namespace);
        let within = within.map(|name| name.parse::<Namespace>());
        let named = within.as_ref().and_then(|within| within.as_ref().ok());
        namespaces.extend(named.and_then(Namespace::label).map(str::to_owned));
        kinds.extend(request.kind);
        let (items, tier) = tier_of(request.items, request.tier)?;
        if items.pages && (request.min_confidence.is_some() || order == Order::Confidence) {
            let (field, expected) = match order {
                Order::Confidence => ("order", "`relevance` or `recent`"),
                _ => ("min_confidence", "absent"),
            };
            let expected = format!("{expected} with pages in `in`: their confidence changes by the day");
            return Err(AppError::Field { field, expected });
        }
        let filter = Filter {
            namespaces,
            kinds,
            source: request.source.map(|claimed| super::wire::source_of(claimed).to_string()),
            tag: request.tag,
            subject: request.subject,
            session_id: request.session_id,
            run_id: request.run_id.map(|run| run.to_string()),
            since: request.since.map(|at| at.timestamp_micros()),
            until: request.until.map(|at| at.timestamp_micros()),
            min_confidence: request.min_confidence,
            pinned: request.pinned,
            tier,
        };
        let search = Search {
            filter,
            items,
            scopes: request.scope.into_iter().chain(named.map(Namespace::scope)).collect(),
            team: named.and_then(Namespace::team),
            author: request.author.map(WorkspaceId::from),
            cut: PageRequest {
                order,
                after: after.map(|(_, rank, created_at, id)| SortKey { rank: f64::from_bits(rank), created_at, id }),
                limit,
            },
            as_of: after.map(|(as_of, ..)| as_of),
            metadata: request.metadata.as_deref().map(metadata_filter).transpose()?,
            ids: request.ids.as_deref().map(listed_ids).transpose()?,
            explain: request.explain.unwrap_or_default(),
            collapse: request.collapse.unwrap_or_default(),
            neighbours,
            ..Search::default()
        };
        let (profile, sessions, quoted) = (request.profile_id, request.sessions, request.quoted == Some(true));
        let params = Self { search, profile, within, sessions, quoted };
        Ok((ParsedQuery::parse(request.q, request.mode), params))
    }

    /// Makes the call one for the end user and the session that the filters name.
    pub(super) fn name(&self, call: &mut ReadCall<'_>) -> Result<(), AppError> {
        let filter = &self.search.filter;
        call.name(filter.subject.as_deref(), filter.session_id.as_deref())
    }

    /// The search of this query, in the profile that the request names.
    pub(super) fn search(&self, call: &mut ReadCall<'_>, query: Query) -> Result<Search, AppError> {
        Ok(Search { query, profile: call.in_profile(self.profile)?, ..self.search.clone() })
    }

    /// Whether the search has a query and no further conditions, and asks for its first page of memories.
    fn is_plain(&self) -> bool {
        let Search { filter, scopes, team, author, metadata, ids, items, cut, as_of, .. } = &self.search;
        let has_conditions = *filter != Filter::default()
            || !scopes.is_empty()
            || team.is_some()
            || author.is_some()
            || metadata.is_some()
            || ids.is_some()
            || self.profile.is_some()
            || self.sessions.is_some()
            || self.within.is_some();
        let is_first = cut.after.is_none() && as_of.is_none() && cut.order == Order::Relevance;
        let has_extras = self.search.explain || self.search.collapse || self.search.neighbours > 0;
        !has_conditions && is_first && !has_extras && *items == SearchedItems::MEMORIES
    }

    /// Whether the reader may read the namespace that the request names, if it names one.
    fn is_namespace_readable(&self, call: &mut ReadCall<'_>) -> Result<bool, AppError> {
        let namespace = match &self.within {
            None => return Ok(true),
            Some(Err(UnknownNamespace)) => return Ok(false),
            Some(Ok(namespace)) => namespace,
        };
        let profile = call.tx.default_settings(call.org, call.workspace)?;
        Ok(namespace.is_readable(&*call.tx.tree(call.org)?, call.workspace, &profile))
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

/// What to search, and the tier of memories to find. Documents are the tier `knowledge`, and nothing else is of it.
fn tier_of(
    items: Option<wire::SearchedItems>,
    tier: Option<wire::MemoryTier>,
) -> Result<(SearchedItems, Option<Tier>), AppError> {
    let named = items.map(searched);
    let refused = |expected: &str| AppError::Field { field: "tier", expected: expected.into() };
    let tier = match tier {
        None => return Ok((named.unwrap_or_default(), None)),
        Some(wire::MemoryTier::Knowledge) if named.is_some_and(|named| !named.documents) => {
            return Err(refused("another than `knowledge` without `documents` in `in`"));
        }
        Some(wire::MemoryTier::Knowledge) => return Ok((SearchedItems::DOCUMENTS, None)),
        Some(wire::MemoryTier::Session) => Tier::Session,
        Some(wire::MemoryTier::User) => Tier::User,
        Some(wire::MemoryTier::Tenant) => Tier::Tenant,
    };
    match (named, named.unwrap_or_default()) {
        (Some(SearchedItems::DOCUMENTS), _) => Err(refused("`knowledge` with `in=documents`")),
        (_, items) => Ok((SearchedItems { documents: false, ..items }, Some(tier))),
    }
}

fn searched(items: wire::SearchedItems) -> SearchedItems {
    use wire::SearchedItems as Items;
    SearchedItems {
        memories: !matches!(items, Items::Documents | Items::Pages | Items::PagesAndDocuments),
        documents: !matches!(items, Items::Memories | Items::Pages | Items::MemoriesAndPages),
        pages: !matches!(items, Items::Memories | Items::Documents | Items::MemoriesAndDocuments),
    }
}

fn metadata_filter(text: &str) -> Result<MetadataFilter, AppError> {
    let refused = |expected: String| AppError::Field { field: "metadata", expected };
    let filter = serde_json::from_str(text).map_err(|_| refused(MetadataFilterFault::NoObject.to_string()))?;
    MetadataFilter::parse(&filter).map_err(|fault| refused(fault.to_string()))
}

fn listed_ids(text: &str) -> Result<HashSet<Uuid>, AppError> {
    let ids: Result<HashSet<Uuid>, _> = text.split(',').map(|id| Uuid::try_parse(id.trim())).collect();
    ids.ok().filter(|ids| ids.len() <= MAX_IDS).ok_or_else(|| {
        let expected = format!("1 to {MAX_IDS} ids of memories, separated by commas");
        AppError::Field { field: "ids", expected }
    })
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

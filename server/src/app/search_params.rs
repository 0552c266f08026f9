//! The parameters of searches.

use std::collections::HashSet;
use std::sync::Arc;

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{MetadataFilter, MetadataFilterFault, Namespace, UnknownNamespace};
use orgmem_recall::{Filter, Order, PageRequest, Query, SortKey, Tier};
use orgmem_store::{Search, SearchedItems};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::meaning::ParsedQuery;
use super::rerank::{PoolCursor, PoolParams};
use super::{AppError, cursor};
use crate::reranking::Reranking;

/// Default and maximum size of a page. Source: `docs/spec/memories.md`, "Search".
const PAGE: usize = 50;

/// Maximum number of memories before, and of memories after, a hit in its session.
pub(crate) const MAX_NEIGHBOURS: u8 = 5;

/// Maximum number of memories that a request names, as many as a page has.
pub(crate) const MAX_IDS: usize = PAGE;

/// The org's version at the first page and the key of the last memory. The rank is encoded as its bits, so that
/// the score is preserved exactly.
pub(super) type PageCursor = (i64, u64, i64, Uuid);

/// The list of [`PageCursor`].
pub(super) const CURSOR_LIST: &str = "memories";

/// The parameters of a search. The entry points besides REST allow several namespaces and kinds.
#[derive(Clone, Debug, Default)]
pub struct MemorySearch {
    /// The parameters that REST has too.
    pub request: wire::ListMemories,
    /// Alternatives to the request's own.
    pub namespaces: Vec<String>,
    /// Alternatives to the request's own.
    pub kinds: Vec<String>,
    /// Only memories of the namespace with this name; nothing if the workspace reads no such namespace.
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
    in_pool: Option<PoolCursor>,
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
        let cursor = request.cursor.as_deref();
        // of the two kinds of cursors, that of a reranked search is of another list
        let (after, in_pool) = match PoolCursor::decode(cursor) {
            Ok(in_pool) => (None, in_pool),
            Err(_) => (cursor::decode::<PageCursor>(CURSOR_LIST, cursor)?, None),
        };
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
            as_of: in_pool.as_ref().map(|cursor| cursor.as_of).or(after.map(|(as_of, ..)| as_of)),
            metadata: request.metadata.as_deref().map(metadata_filter).transpose()?,
            ids: request.ids.as_deref().map(listed_ids).transpose()?,
            explain: request.explain.unwrap_or_default(),
            collapse: request.collapse.unwrap_or_default(),
            neighbours,
            ..Search::default()
        };
        let (profile, sessions, quoted) = (request.profile_id, request.sessions, request.quoted == Some(true));
        let params = Self { search, profile, within, sessions, quoted, in_pool };
        Ok((ParsedQuery::parse(request.q, request.mode), params))
    }

    /// The maximum size of the page.
    pub(super) fn limit(&self) -> usize {
        self.search.cut.limit
    }

    pub(super) fn quoted(&self) -> bool {
        self.quoted
    }

    /// Hides pages of these kinds of episodes.
    pub(super) fn hide_pages_of(&mut self, kinds: &[String]) {
        self.search.kinds_without_pages = kinds.to_vec();
    }

    /// How the search is reranked. Only a query by relevance that is not matched by words only is; a page that continues a
    /// reranked one needs no reranker.
    pub(super) fn pool(&self, query: &ParsedQuery, reranking: Option<Arc<Reranking>>) -> PoolParams {
        let is_first = self.search.cut.after.is_none() && self.in_pool.is_none();
        let is_ranked = self.search.cut.order == Order::Relevance && !query.is_blank() && !query.is_by_words_only();
        PoolParams {
            reranking: reranking.filter(|_| is_first && is_ranked),
            query: Reranking::beginning(query.text()).to_owned(),
            cursor: self.in_pool.clone(),
        }
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
    pub(super) fn is_plain(&self) -> bool {
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
    pub(super) fn is_namespace_readable(&self, call: &mut ReadCall<'_>) -> Result<bool, AppError> {
        let namespace = match &self.within {
            None => return Ok(true),
            Some(Err(UnknownNamespace)) => return Ok(false),
            Some(Ok(namespace)) => namespace,
        };
        let profile = call.tx.default_settings(call.org, call.workspace)?;
        Ok(namespace.is_readable(&*call.tx.tree(call.org)?, call.workspace, &profile))
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

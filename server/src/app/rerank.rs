//! Searches in the order of a reranker.
//!
//! The best results of a search are its pool. The reranker orders the pool; the results after it have the order of the search.
//! A cursor contains the order of the pool, so later pages do not depend on the reranker, and no result is listed twice or
//! missing where the scores of the search change meanwhile.
//!
//! Source: `docs/spec/search.md`, "Reranking".

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ReadPass;
use orgmem_recall::{PageRequest, SortKey};
use orgmem_store::{Found, FoundMemory, Memory, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::search_params::{self, PageCursor};
use super::{AppError, cursor};
use crate::reranking::{RerankRequest, Reranking, TextKey};

/// Results that are reranked.
const POOL: usize = 50;

/// Calls of the reranker for one search: the pool may change during the first.
const ROUNDS: u8 = 2;

const CURSOR_LIST: &str = "reranked";

/// Bytes of an id in a cursor.
const TAG_BYTES: usize = 6;

/// The last bytes of an id, which are random or a hash. Whole ids would make cursors of 3,000 characters.
type Tag = [u8; TAG_BYTES];

/// The org's version at the first page, the number of listed results of the pool, the key of the last listed result after the
/// pool, and the tags of the pool in the order of the reranker.
type EncodedCursor = (i64, usize, Option<(u64, i64, Uuid)>, String);

/// A position in the results of a reranked search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PoolCursor {
    pub(super) as_of: i64,
    listed: usize,
    after: Option<SortKey>,
    pool: Vec<Tag>,
}

/// How a search is reranked, if it is.
pub(super) struct PoolParams {
    /// The reranker for a first page.
    pub(super) reranking: Option<Arc<Reranking>>,
    /// The text that the reranker reads.
    pub(super) query: String,
    pub(super) cursor: Option<PoolCursor>,
}

/// The scores of a search, from one of its reads to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct PoolScores {
    pub(super) known: HashMap<TextKey, f64>,
    /// Calls of the reranker.
    pub(super) rounds: u8,
    pub(super) has_failed: bool,
}

/// The outcome of one read of a search.
pub(super) enum SearchStep {
    Page(ResultPage),
    /// The scores of these texts are not known.
    Rerank(RerankRequest),
}

#[derive(Default)]
pub(super) struct ResultPage {
    pub(super) hits: Vec<FoundMemory>,
    /// The cursor of the next page.
    pub(super) next: Option<String>,
    /// By id, if the search is explained.
    pub(super) reranked: HashMap<Uuid, wire::Reranked>,
}

/// A result of the pool, by its place in the order of the search.
struct Pooled {
    place: usize,
    /// Its place in the order of the reranker.
    ranked: usize,
    score: Option<f64>,
}

impl PoolCursor {
    /// # Errors
    /// [`AppError::Cursor`] for a cursor of another list or another form.
    pub(super) fn decode(cursor: Option<&str>) -> Result<Option<Self>, AppError> {
        let Some((as_of, listed, after, pool)) = cursor::decode::<EncodedCursor>(CURSOR_LIST, cursor)? else {
            return Ok(None);
        };
        let pool = STANDARD_NO_PAD.decode(pool).map_err(|_| AppError::Cursor)?;
        let (pool, remainder) = pool.as_chunks();
        if !remainder.is_empty() || pool.len() > POOL || listed > pool.len() {
            return Err(AppError::Cursor);
        }
        let after = after.map(|(rank, created_at, id)| SortKey { rank: f64::from_bits(rank), created_at, id });
        Ok(Some(Self { as_of, listed, after, pool: pool.to_vec() }))
    }

    fn encode(&self) -> String {
        let after = self.after.map(|key| (key.rank.to_bits(), key.created_at, key.id));
        let position: EncodedCursor =
            (self.as_of, self.listed, after, STANDARD_NO_PAD.encode(self.pool.as_flattened()));
        cursor::encode(CURSOR_LIST, &position)
    }

    fn has(&self, hit: &FoundMemory) -> bool {
        self.pool.contains(&tag(hit.key.id))
    }

    /// The results of the pool that are not listed yet, among these. A result that was removed is absent.
    fn rest_among(&self, hits: &[FoundMemory]) -> Vec<Pooled> {
        let places: HashMap<Tag, usize> =
            hits.iter().enumerate().map(|(place, hit)| (tag(hit.key.id), place)).collect();
        let rest = self.pool.iter().enumerate().skip(self.listed);
        let pooled = rest.filter_map(|(ranked, tag)| Some(Pooled { place: *places.get(tag)?, ranked, score: None }));
        pooled.collect()
    }
}

impl ResultPage {
    /// A page in the order of the search.
    pub(super) fn of(found: Found) -> Self {
        let Found { hits, more, as_of } = found;
        let next = hits.last().filter(|_| more).map(|last| encoded(as_of, last.key));
        Self { hits, next, reranked: HashMap::new() }
    }
}

impl ReadCall<'_> {
    /// The page of a search, or the texts that the reranker has to score first.
    pub(super) fn searched(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        pool: &PoolParams,
        scores: &PoolScores,
    ) -> Result<SearchStep, AppError> {
        let (limit, cursor) = (search.cut.limit, pool.cursor.as_ref());
        let reranking = pool.reranking.as_deref().filter(|_| !scores.has_failed);
        if cursor.is_none() && reranking.is_none() {
            return Ok(SearchStep::Page(ResultPage::of(self.tx.search(pass, search)?)));
        }
        if let Some(cursor) = cursor.filter(|cursor| cursor.listed == cursor.pool.len()) {
            return Ok(SearchStep::Page(self.beyond_pool(pass, search, cursor.clone(), ResultPage::default())?));
        }
        // on a later page, removals may have changed the places of the pool
        let reach = if cursor.is_some() { 2 * POOL } else { POOL };
        let whole = Search { cut: PageRequest { after: None, limit: reach, ..search.cut }, ..search.clone() };
        let found = self.tx.search(pass, &whole)?;
        let order = match (cursor, reranking) {
            (Some(cursor), _) => cursor.rest_among(&found.hits),
            (None, Some(reranking)) if found.hits.len() > 1 => {
                match known_scores(self.org, &found.hits, (pool, scores), reranking) {
                    Ok(known) => by_score(known),
                    Err(request) if scores.rounds < ROUNDS => return Ok(SearchStep::Rerank(request)),
                    Err(_) => return Ok(SearchStep::Page(ResultPage::of(self.tx.search(pass, search)?))),
                }
            }
            _ => return Ok(SearchStep::Page(ResultPage::of(found))),
        };
        let mut position = cursor.cloned().unwrap_or_else(|| {
            let pool = order.iter().map(|pooled| tag(found.hits[pooled.place].key.id)).collect();
            PoolCursor { as_of: found.as_of, listed: 0, after: None, pool }
        });
        let has_more = found.more || found.hits.iter().any(|hit| !position.has(hit));
        let mut hits: Vec<Option<FoundMemory>> = found.hits.into_iter().map(Some).collect();
        let (now, later) = order.split_at(order.len().min(limit));
        let mut page = ResultPage::default();
        for Pooled { place, ranked, score } in now {
            let Some(mut hit) = hits[*place].take() else { continue };
            if let Some(explanation) = &mut hit.explanation {
                let reranked = wire::Reranked { score: *score, from_rank: explanation.rank };
                page.reranked.insert(hit.memory.id, reranked);
                explanation.rank = ranked + 1;
            }
            page.hits.push(hit);
        }
        position.listed = later.first().map_or(position.pool.len(), |next| next.ranked);
        Ok(SearchStep::Page(if later.is_empty() && page.hits.len() < limit {
            self.beyond_pool(pass, search, position, page)?
        } else {
            page.next = (!later.is_empty() || has_more).then(|| position.encode());
            page
        }))
    }

    /// The page with results after the pool, in the order of the search.
    fn beyond_pool(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        mut position: PoolCursor,
        mut page: ResultPage,
    ) -> Result<ResultPage, AppError> {
        let missing = search.cut.limit - page.hits.len();
        // by now another result may be among the best: the first of these pages looks at all
        let pooled = if position.after.is_none() { position.pool.len() } else { 0 };
        let cut = PageRequest { after: position.after, limit: missing + pooled, ..search.cut };
        let found = self.tx.search(pass, &Search { cut, as_of: Some(position.as_of), ..search.clone() })?;
        position.after = found.hits.last().map(|last| last.key);
        let mut hits: Vec<FoundMemory> = found.hits.into_iter().filter(|hit| !position.has(hit)).collect();
        let has_more = found.more || hits.len() > missing;
        if hits.len() > missing {
            hits.truncate(missing);
            position.after = hits.last().map(|last| last.key);
        }
        page.hits.extend(hits);
        page.next = has_more.then(|| position.encode());
        Ok(page)
    }
}

/// The scores of these results, or the request for those that are not known.
fn known_scores(
    org: OrgId,
    hits: &[FoundMemory],
    (pool, scores): (&PoolParams, &PoolScores),
    reranking: &Reranking,
) -> Result<Vec<f64>, RerankRequest> {
    let score = |key: &TextKey| scores.known.get(key).copied().or_else(|| reranking.cached(org, *key));
    let (mut known, mut missing) = (Vec::with_capacity(hits.len()), Vec::new());
    for hit in hits {
        let (key, text) = keyed(pool, &hit.memory);
        match score(&key) {
            Some(score) => known.push(score),
            None => missing.push((key, text)),
        }
    }
    if missing.is_empty() {
        return Ok(known);
    }
    Err(RerankRequest { org, query: pool.query.clone(), texts: missing })
}

/// The text of a memory that the reranker reads, and its key.
fn keyed(pool: &PoolParams, memory: &Memory) -> (TextKey, String) {
    let content = &memory.authored.content;
    // without the frame around text of others, whose words are the same for all
    let text = match &memory.authored.title {
        Some(title) => format!("{title}\n{content}"),
        None => content.clone(),
    };
    let text = Reranking::beginning(&text).to_owned();
    (TextKey::of(&pool.query, &text), text)
}

/// The greatest score first; of equal ones the first in the order of the search.
fn by_score(scores: Vec<f64>) -> Vec<Pooled> {
    let mut order: Vec<(usize, f64)> = scores.into_iter().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let pooled = |(ranked, (place, score))| Pooled { place, ranked, score: Some(score) };
    order.into_iter().enumerate().map(pooled).collect()
}

/// The cursor after a result in the order of the search.
fn encoded(as_of: i64, key: SortKey) -> String {
    let position: PageCursor = (as_of, key.rank.to_bits(), key.created_at, key.id);
    cursor::encode(search_params::CURSOR_LIST, &position)
}

fn tag(id: Uuid) -> Tag {
    let [.., a, b, c, d, e, f] = *id.as_bytes();
    [a, b, c, d, e, f]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn greatest_score_is_first_and_equal_ones_retain_their_order() {
        let order = by_score(vec![0.5, -2.0, 7.5, 0.5, -0.0, 0.0]);
        let places: Vec<usize> = order.iter().map(|pooled| pooled.place).collect();
        assert_eq!(places, [2, 0, 3, 5, 4, 1]);
    }

    #[test]
    fn cursor_beyond_a_pool_is_refused() {
        let tags = |count: usize| STANDARD_NO_PAD.encode(vec![7; count * TAG_BYTES]);
        let encoded = |listed: usize, pool: String| cursor::encode(CURSOR_LIST, &(1, listed, None::<()>, pool));
        assert!(PoolCursor::decode(Some(&encoded(50, tags(50)))).is_ok_and(|cursor| cursor.is_some()));
        for refused in [
            encoded(10, tags(51)),
            encoded(11, tags(10)),
            encoded(usize::MAX, tags(1)),
            encoded(1, STANDARD_NO_PAD.encode([1; TAG_BYTES + 1])),
            encoded(1, "?".into()),
            cursor::encode("memories", &(1, 2, None::<()>, tags(2))),
        ] {
            assert!(PoolCursor::decode(Some(&refused)).is_err(), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn cursor_decodes_to_its_position(
            as_of in any::<i64>(),
            key in proptest::option::of((any::<f64>(), any::<i64>(), any::<u128>())),
            pool in proptest::collection::vec(any::<Tag>(), 10..50),
        ) {
            let after = key.map(|(rank, created_at, id)| SortKey { rank, created_at, id: Uuid::from_u128(id) });
            let cursor = PoolCursor { as_of, listed: 10, after, pool };
            prop_assert_eq!(PoolCursor::decode(Some(&cursor.encode())).ok(), Some(Some(cursor)));
        }
    }
}

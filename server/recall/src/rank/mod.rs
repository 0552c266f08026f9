//! Matching, scoring and ordering.

mod base_scores;
mod best;
mod candidates;
mod changes;
mod context;
mod days;
mod explain;
mod filter;
mod fusion;
mod groups;
mod listing;
mod lookup;
mod matches;
mod meaning;
mod page;
mod plan;
mod relevance;
mod said_days;
mod searcher;
mod sessions;
mod understand;

pub use explain::ScorePart;
pub use filter::{Filter, Tier};
pub use page::{Hit, Order, PageRequest, Repetition, SortKey};
pub use searcher::{Candidate, Hidden, HiddenUsers, Partition, ReadTime, Searcher};
pub use sessions::Neighbour;
pub use understand::Understanding;

use crate::query::Query;
use crate::tuning::Scoring;

impl Scoring {
    /// The default weights for `query`.
    pub fn of(query: &Query) -> Self {
        if query.meaning.is_empty() { Self::default() } else { Self::with_meaning() }
    }
}

/// The memories of `partitions` that match, best first.
///
/// A blank query matches all memories that pass the filter, pinned first, then newest. The statistics of scores are those
/// of all memories of `partitions` that are visible at `time`, whatever the filter. Scores depend on nothing else: they
/// are the same, bit for bit, however the memories are distributed over segments.
///
/// # Complexity
/// That of [`Searcher::at`] and [`Searcher::best_page`].
///
/// ```
/// use orgmem_recall::{Doc, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, analyze, search};
///
/// let doc = |id: u128, text| Doc { meta: Meta { id: uuid::Uuid::from_u128(id), ..Meta::default() }, analysis: analyze(text), embeddings: None };
/// let own = PartitionIndex::build([doc(1, "retry with backoff")]);
/// let team = PartitionIndex::build([doc(2, "the API's rate limit")]);
///
/// let query = Query::parse("Which rate limits apply?");
/// let partitions = [Partition::without_author("own", &own), Partition::without_author("team", &team)];
/// let hits = search(&partitions, &query, &Filter::default(), &PageRequest::default(), ReadTime::default());
/// assert_eq!(hits.len(), 1);
/// assert_eq!(hits[0].partition, "team");
/// ```
pub fn search<S: Copy>(
    partitions: &[Partition<'_, S>],
    query: &Query,
    filter: &Filter,
    request: &PageRequest,
    time: ReadTime,
) -> Vec<Hit<S>> {
    let searcher = Searcher::at(time, partitions);
    let order = match request.order {
        Order::Relevance if query.is_blank() => Order::Recent,
        order => order,
    };
    searcher.best_page((query, filter), &PageRequest { order, ..*request }, |_| true)
}

/// Number of hits of a [`search`] without limit.
pub fn count<S: Copy>(partitions: &[Partition<'_, S>], query: &Query, filter: &Filter, time: ReadTime) -> usize {
    Searcher::at(time, partitions).candidates(query, filter).len()
}

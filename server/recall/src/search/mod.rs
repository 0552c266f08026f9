//! Which memories match, how well, and which come first.

mod boosts;
mod context;
mod cut;
mod explain;
mod filter;
mod fold;
mod lookup;
mod meaning;
mod names;
mod neighbours;
mod own;
mod plan;
mod score;
mod scoring;
mod shelves;
mod shortlist;
mod sittings;

pub use cut::{Cut, Hit, Key, Order};
pub use explain::Part;
pub use filter::Filter;
pub use neighbours::Neighbour;
pub use scoring::Scoring;
pub use shelves::{Candidate, Moment, Shelf, Shelves};

use crate::query::Query;

/// The memories of `shelves` that match, best first: candidates and cut in one.
///
/// Without a query (a blank one) everything that
/// passes the filter matches, pinned first, then newest. Statistics of relevance are those of all memories of `shelves`
/// that are there at `moment`, whatever the filter; nothing else enters a score, so that the same memories give the
/// same scores, bit for bit, however they are spread over segments.
///
/// # Complexity
/// O(memories + occurrences of the query's words in `shelves`).
///
/// ```
/// use orgmem_recall::{Cut, Doc, Filter, Meta, Moment, Query, Segment, Shelf, analyze, search};
///
/// let doc = |id: u128, text| Doc { meta: Meta { id: uuid::Uuid::from_u128(id), ..Meta::default() }, analysis: analyze(text), embeddings: None };
/// let (own, team) = (Segment::build([doc(1, "retry with backoff")]), Segment::build([doc(2, "the API's rate limit")]));
///
/// let query = Query::parse("Which rate limits apply?");
/// let shelves = [Shelf::nameless("own", &own), Shelf::nameless("team", &team)];
/// let hits = search(&shelves, &query, &Filter::default(), &Cut::default(), Moment::default());
/// assert_eq!(hits.len(), 1);
/// assert_eq!(hits[0].shelf, "team");
/// ```
pub fn search<S: Copy>(
    shelves: &[Shelf<'_, S>],
    query: &Query,
    filter: &Filter,
    cut: &Cut,
    moment: Moment,
) -> Vec<Hit<S>> {
    let shelves = Shelves::at(moment, shelves);
    let order = if query.is_blank() { cut.order.of_listing() } else { cut.order };
    shelves.cut(shelves.candidates(query, filter), &Cut { order, ..*cut })
}

/// How many memories of `shelves` a [`search`] without limit finds.
pub fn count<S: Copy>(shelves: &[Shelf<'_, S>], query: &Query, filter: &Filter, moment: Moment) -> usize {
    Shelves::at(moment, shelves).candidates(query, filter).len()
}

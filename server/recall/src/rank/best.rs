//! The best candidates of a search, without the scores of those that cannot be among them.

use super::candidates::Candidates;
use super::context::ContextScorer;
use super::explain::ScoreTrace;
use super::filter::Filter;
use super::groups::Groups;
use super::page::{Hit, Order, PageRequest, SortKey, keep_greatest};
use super::searcher::{Candidate, Searcher};
use crate::query::Query;
use crate::tuning::{CHANGE_CANDIDATES, Scoring};

/// Number of groups that are scored before the first bound is known.
const FIRST_GROUPS: usize = 32;

/// Bounds are sums in another order than scores, so they may differ by rounding.
pub(super) const ROUNDING: f64 = 1.0 + 1e-9;

/// The candidates with the greatest keys, greatest first.
pub(super) struct Best {
    pub(super) candidates: Vec<(SortKey, Candidate)>,
    /// Whether these are all candidates.
    pub(super) is_all: bool,
}

impl<S: Copy> Searcher<'_, S> {
    /// The same as [`page`](Self::page) of those [`candidates`](Self::candidates) that `accepts` accepts, without the
    /// scores of memories that cannot be on the page.
    ///
    /// # Complexity
    /// O(postings of the words of the query), plus O(length) of each session that may have a hit. For a blank query in
    /// order of time: O(segments + memories of the page and those that the filter omits between them).
    pub fn best_page(
        &self,
        (query, filter): (&Query, &Filter),
        request: &PageRequest,
        accepts: impl Fn(&Candidate) -> bool,
    ) -> Vec<Hit<S>> {
        let scoring = Scoring::of(query);
        match request.order {
            Order::Recent if query.is_blank() => {
                let hit =
                    |candidate: Candidate| self.hit(request.order.key(0.0, self.row(candidate.at)), candidate, None);
                self.newest(filter, request, &accepts).into_iter().map(hit).collect()
            }
            Order::Relevance if !query.is_blank() => {
                let scorer = self.context_scorer(&scoring, query, &mut ScoreTrace::default());
                let Some(scorer) = scorer else { return Vec::new() };
                self.page_by_relevance(request, |size| {
                    // versions are found among the same candidates for every size of a page
                    let size = if query.is_newest_first { size.max(CHANGE_CANDIDATES) } else { size };
                    let mut best = scorer.best(filter, &accepts, size);
                    self.put_newest_first_in(query, &mut best);
                    best
                })
            }
            _ => {
                let mut candidates = self.candidates(query, filter);
                candidates.retain(accepts);
                if request.order == Order::Relevance {
                    self.put_newest_first(query, &mut candidates);
                }
                self.page(&candidates, request)
            }
        }
    }
}

impl<S: Copy> Searcher<'_, S> {
    fn put_newest_first_in(&self, query: &Query, best: &mut Best) {
        let mut candidates: Vec<Candidate> = best.candidates.iter().map(|(_, candidate)| *candidate).collect();
        self.put_newest_first(query, &mut candidates);
        if candidates.iter().all(|candidate| candidate.gain == 0.0 && candidate.newer.is_none()) {
            return;
        }
        let key = |candidate: Candidate| (Order::Relevance.key(candidate.score, self.row(candidate.at)), candidate);
        best.candidates = candidates.into_iter().map(key).collect();
        best.candidates.sort_unstable_by(|(one, _), (other, _)| other.cmp(one));
    }
}

impl Scoring {
    /// Whether a group may be skipped although its best score is unknown: what [`ContextScorer::best`] rests on.
    fn lets_skip(&self) -> bool {
        let recency = self.recency.max(self.recency_first_person);
        let weights = [self.recency, self.recency_first_person, self.confidence, self.pin, self.min_context_score];
        weights.iter().all(|weight| *weight >= 0.0) && recency + self.min_context_score <= 1.0
    }
}

impl<'a, S: Copy> ContextScorer<'_, 'a, S> {
    /// The `size` best candidates in order of relevance that pass `filter` and `accepts`.
    ///
    /// Groups are visited in the order of their bounds, until the bound of the next is below the last of the best.
    ///
    /// INVARIANT: recency + `min_context_score` ≤ 1 (see [`Scoring::lets_skip`]). The best score without tie-breakers may
    /// be that of a memory that was skipped, with its group or by itself; then the minimum of memories that match by context
    /// only is higher than known here. No memory that was found is below it. Let u be the best base score, k the greatest
    /// confidence and pin, r the greatest recency, and b the best score, which is at least u. The memory was skipped, so
    /// b + k u is less than the last key of the best. The key of a memory with score s is at most s + (k + r) u, so
    /// s > b - r u ≥ b - r b, which is at least `min_context_score` times b.
    pub(super) fn best(&self, filter: &Filter, accepts: &dyn Fn(&Candidate) -> bool, size: usize) -> Best {
        debug_assert!(self.scoring.lets_skip(), "{:?}", self.scoring);
        let groups = self.groups();
        let (found, best_score) = self.visit(&groups, filter, accepts, (size, 0.0));
        found.unwrap_or_else(|| {
            // some of them were below a minimum that was not known yet; now it is known
            let (found, _) = self.visit(&groups, filter, accepts, (size, best_score));
            found.unwrap_or(Best { candidates: Vec::new(), is_all: true })
        })
    }

    /// Also returns the best score without tie-breakers. There are no candidates if `best_score`, the greatest such score
    /// that is known, was too low to find them.
    fn visit(
        &self,
        groups: &Groups<'a>,
        filter: &Filter,
        accepts: &dyn Fn(&Candidate) -> bool,
        (size, best_score): (usize, f64),
    ) -> (Option<Best>, f64) {
        let mut candidates = Candidates::new(self, filter);
        candidates.best = best_score;
        let mut found: Vec<(SortKey, (f64, Candidate))> = Vec::new();
        let (mut min_key, mut is_all) = (None::<SortKey>, true);
        let Groups { bounds, matches } = groups;
        let max_ties = self.max_ties();
        let is_below =
            |bound: f64, ties: f64, min: Option<SortKey>| min.is_some_and(|min| (bound + ties) * ROUNDING < min.rank);
        let mut order: Vec<(f64, u32)> = bounds.iter().map(|(_, bound)| *bound).zip(0..).collect();
        let mut rest = &mut order[..];
        let mut chunk = FIRST_GROUPS;
        while !rest.is_empty() {
            let count = chunk.min(rest.len());
            if count < rest.len() {
                rest.select_nth_unstable_by(count, |(a, _), (b, _)| b.total_cmp(a));
            }
            let (next, later) = rest.split_at_mut(count);
            next.sort_unstable_by(|(a, _), (b, _)| b.total_cmp(a));
            for &(bound, group) in &*next {
                if is_below(bound, max_ties, min_key) {
                    is_all = false;
                    break;
                }
                candidates.open(bounds[group as usize].0);
                let group_ties = candidates.max_ties();
                if is_below(bound, group_ties, min_key) {
                    is_all = false;
                    continue;
                }
                let known = candidates.best;
                let too_low = |score| is_below(score, group_ties, min_key);
                candidates.score(matches, &mut ScoreTrace::default(), too_low, |score, candidate| {
                    if too_low(score) {
                        is_all = false;
                        return;
                    }
                    let Some(candidate) = candidate() else { return };
                    if score < self.min_score(&candidate, known) || !accepts(&candidate) {
                        return;
                    }
                    let key = Order::Relevance.key(candidate.score, self.searcher.row(candidate.at));
                    if min_key.is_none_or(|min| key > min) {
                        found.push((key, (score, candidate)));
                    } else {
                        is_all = false;
                    }
                });
                if found.len() > size.saturating_mul(2) {
                    min_key = keep_greatest(&mut found, size);
                    is_all = false;
                }
            }
            if found.len() >= size {
                is_all &= found.len() == size;
                min_key = keep_greatest(&mut found, size).or_else(|| found.iter().map(|(key, _)| *key).min());
            }
            if !is_all && next.last().is_some_and(|(bound, _)| is_below(*bound, max_ties, min_key)) {
                break;
            }
            rest = later;
            chunk *= 4;
        }
        is_all &= keep_greatest(&mut found, size).is_none() && !candidates.has_skipped;
        let best_score = candidates.best;
        let count = found.len();
        found.retain(|(_, (score, candidate))| *score >= self.min_score(candidate, best_score));
        if found.len() < count && !is_all {
            return (None, best_score);
        }
        found.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        let candidates = found.into_iter().map(|(key, (_, candidate))| (key, candidate)).collect();
        (Some(Best { candidates, is_all }), best_score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_weights_let_groups_be_skipped() {
        for scoring in [Scoring::default(), Scoring::with_meaning()] {
            assert!(scoring.lets_skip(), "{scoring:?}");
        }
        let checks = |change: fn(&mut Scoring)| {
            let mut scoring = Scoring::default();
            change(&mut scoring);
            scoring.lets_skip()
        };
        assert!(!checks(|scoring| scoring.recency_first_person = 0.95));
        assert!(!checks(|scoring| scoring.min_context_score = 0.2));
        assert!(!checks(|scoring| scoring.pin = -0.1));
    }
}

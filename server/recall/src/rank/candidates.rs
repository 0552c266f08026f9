//! The candidates of some groups of memories.

use std::cell::OnceCell;

use super::base_scores::BaseScore;
use super::best::ROUNDING;
use super::context::{ContextBoost, ContextGroup, ContextScorer};
use super::days::ActiveDays;
use super::explain::ScoreTrace;
use super::filter::{CompiledFilter, Filter};
use super::groups::Match;
use super::searcher::{Candidate, DocRef};
use super::sessions::SessionDoc;

/// Adds context and tie-breakers to the matches of one group after the other.
pub(super) struct Candidates<'c, 's, 'a, S> {
    scorer: &'c ContextScorer<'s, 'a, S>,
    /// By view, compiled when the view is first needed; `None` if no document passes.
    filters: Vec<OnceCell<Option<CompiledFilter<'c>>>>,
    filter: &'c Filter,
    days: ActiveDays,
    /// The best score without tie-breakers, before the filter.
    pub(super) best: f64,
    /// Whether a memory was not scored, as its score was too low.
    pub(super) has_skipped: bool,
    group: Option<ContextGroup<'a>>,
    /// The views with the open session, and its number there.
    runs: Vec<(u32, u32)>,
    docs: Vec<SessionDoc>,
    scores: Vec<f64>,
    /// The matches of a session of one view, by their places there.
    places: Vec<(u32, f64)>,
}

/// Completes a candidate; `None` if the filter excludes it.
pub(super) type Completion<'f> = dyn FnMut() -> Option<Candidate> + 'f;

impl<'c, 's, 'a, S: Copy> Candidates<'c, 's, 'a, S> {
    pub(super) fn new(scorer: &'c ContextScorer<'s, 'a, S>, filter: &'c Filter) -> Self {
        let views = &scorer.searcher.views;
        Candidates {
            scorer,
            filters: std::iter::repeat_with(OnceCell::new).take(views.len()).collect(),
            filter,
            days: ActiveDays::of(scorer.searcher, filter.until),
            best: 0.0,
            has_skipped: false,
            group: None,
            runs: Vec::new(),
            docs: Vec::new(),
            scores: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Opens the group that is scored next.
    pub(super) fn open(&mut self, group: ContextGroup<'a>) {
        self.group = Some(group);
        if let ContextGroup::Session { name, .. } = group {
            self.scorer.directory.runs(name, &mut self.runs);
        }
    }

    /// The maximum of the tie-breakers of the open group.
    pub(super) fn max_ties(&self) -> f64 {
        let searcher = self.scorer.searcher;
        let latest = match self.group {
            None => None,
            Some(ContextGroup::Single(at)) => Some(searcher.row(at).day()),
            Some(ContextGroup::Session { .. }) => {
                let last = |&(view, session): &(u32, u32)| {
                    let segment = searcher.views[view as usize].segment;
                    segment.sessions.docs(session).next_back().map(|doc| segment.row(doc).day())
                };
                self.runs.iter().filter_map(last).max()
            }
        };
        latest.map_or(0.0, |day| self.scorer.max_ties_until(day, &self.days))
    }

    /// Passes the scores, without tie-breakers, of the memories of the open group that match, or are next to a match, to
    /// `sink`, each with the function that completes the candidate. `matches` are those of all groups. Memories whose
    /// scores are at most one that is `too_low` may be absent.
    pub(super) fn score(
        &mut self,
        matches: &[Match],
        trace: &mut ScoreTrace,
        too_low: impl Fn(f64) -> bool,
        mut sink: impl FnMut(f64, &mut Completion<'_>),
    ) {
        match self.group {
            None => {}
            Some(ContextGroup::Single(at)) => {
                let score = self.scorer.base.score(at);
                self.add(at, (score, ContextBoost::default()), trace, &mut sink);
            }
            Some(ContextGroup::Session { matches: (start, end), .. }) => match *self.runs {
                [(view, session)] if self.scorer.searcher.views[view as usize].is_all_visible() => {
                    self.score_run((view, session), &matches[start..end], trace, (&too_low, &mut sink));
                }
                _ => self.score_session(trace, &mut sink),
            },
        }
    }

    /// Scores the matches of a session that is in one segment, and their neighbours.
    fn score_run(
        &mut self,
        (view, session): (u32, u32),
        matches: &[Match],
        trace: &mut ScoreTrace,
        (too_low, sink): (&impl Fn(f64) -> bool, &mut impl FnMut(f64, &mut Completion<'_>)),
    ) {
        let scorer = self.scorer;
        let sessions = &scorer.searcher.views[view as usize].segment.sessions;
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.extend(matches.iter().map(|it| (sessions.place(it.at.doc), it.score)));
        places.sort_unstable_by_key(|(place, _)| *place);
        let best_of_session = places.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        let all = sessions.places(session);
        let at = |place: u32| DocRef { view, doc: sessions.doc_at(place) };
        let mut next = all.start;
        let mut rest = &places[..];
        for &(place, _) in &places {
            // a match changes the score of the memory before it and of two after it
            let (first, end) = (place.saturating_sub(1).max(next), place.saturating_add(3).min(all.end));
            for place in first..end {
                let previous = place.checked_sub(1).filter(|previous| *previous >= all.start);
                let scores = scores_around(place, &mut rest);
                let max_score = scorer.max_in_session(scores, best_of_session);
                if too_low(max_score) {
                    self.has_skipped = true;
                    continue;
                }
                let scored = scorer.in_session(at(place), previous.map(at), scores, best_of_session);
                debug_assert!(scored.0 + scored.1.sum() <= max_score * ROUNDING, "{scored:?} is above {max_score}");
                self.add(at(place), scored, trace, sink);
            }
            next = next.max(end);
        }
        self.places = places;
    }

    /// Scores all memories of a session.
    fn score_session(&mut self, trace: &mut ScoreTrace, sink: &mut impl FnMut(f64, &mut Completion<'_>)) {
        let scorer = self.scorer;
        let (mut docs, mut scores) = (std::mem::take(&mut self.docs), std::mem::take(&mut self.scores));
        scorer.directory.docs(&self.runs, &mut docs);
        scores.clear();
        scores.extend(docs.iter().map(|doc| scorer.base.score(doc.at)));
        let best_of_session = scores.iter().copied().fold(0.0, f64::max);
        let score = |position: Option<usize>| position.and_then(|at| scores.get(at)).copied().unwrap_or(0.0);
        for (position, doc) in docs.iter().enumerate() {
            let previous = position.checked_sub(1);
            let around = [position.checked_sub(2), previous, Some(position), Some(position + 1)].map(score);
            let scored = scorer.in_session(doc.at, previous.map(|at| docs[at].at), around, best_of_session);
            self.add(doc.at, scored, trace, sink);
        }
        (self.docs, self.scores) = (docs, scores);
    }

    fn add(
        &mut self,
        at: DocRef,
        (base_score, context): (f64, ContextBoost),
        trace: &mut ScoreTrace,
        sink: &mut impl FnMut(f64, &mut Completion<'_>),
    ) {
        let score = base_score + context.sum();
        self.best = self.best.max(score);
        if score <= 0.0 {
            return;
        }
        sink(score, &mut || {
            let segment = self.scorer.searcher.view(at).segment;
            let filter = self.filters[at.view as usize].get_or_init(|| self.filter.compile(segment));
            if !filter.as_ref()?.matches(segment, at.doc) {
                return None;
            }
            let ties = self.scorer.tie_breakers(at, &self.days);
            trace.record_context(at, &context, &ties);
            let base = self.scorer.base.get(at);
            let is_match = base.is_some_and(BaseScore::is_match);
            let similarity = base.and_then(BaseScore::similarity);
            Some(Candidate { at, score: score + ties.sum(), is_match, similarity, gain: 0.0, newer: None })
        });
    }
}

/// The scores of the two places before `place`, of it and of the next one. Removes the matches before them from `matches`,
/// which are sorted by place.
fn scores_around(place: u32, matches: &mut &[(u32, f64)]) -> [f64; 4] {
    while let [(before, _), later @ ..] = *matches
        && before + 2 < place
    {
        *matches = later;
    }
    let mut scores = [0.0; 4];
    for &(near, score) in matches.iter().take_while(|(near, _)| *near <= place + 1) {
        scores[(near + 2 - place) as usize] = score;
    }
    scores
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::scores_around;

    proptest! {
        #[test]
        fn scores_around_places_are_those_of_their_matches(
            matches in prop::collection::btree_map(0u32..20, 1.0..2.0, 0..12),
            places in prop::collection::btree_set(0u32..20, 0..20),
        ) {
            let sorted: Vec<(u32, f64)> = matches.iter().map(|(place, score)| (*place, *score)).collect();
            let mut rest = &sorted[..];
            for place in places {
                let score = |at: Option<u32>| at.and_then(|at| matches.get(&at)).copied().unwrap_or(0.0);
                let around = [place.checked_sub(2), place.checked_sub(1), Some(place), Some(place + 1)];
                prop_assert_eq!(scores_around(place, &mut rest), around.map(score));
            }
        }
    }
}

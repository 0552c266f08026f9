//! Scores by context: the neighbours of a memory in its session.
//!
//! An answer rarely repeats the words of its question. So a memory gets a share of the scores of its neighbours, and of
//! the best score of its session. Only sessions with a match are visited.

use super::base_scores::BaseScores;
use super::candidates::Candidates;
use super::days::ActiveDays;
use super::explain::ScoreTrace;
use super::filter::Filter;
use super::groups::Groups;
use super::searcher::{Candidate, DocRef, Searcher};
use super::sessions::{SessionDirectory, SessionName};
use crate::query::Query;
use crate::tuning::{CONTEXT_FULL_WORDS, CONTEXT_HALVING_WORDS, RECENCY_HALF_LIFE, Scoring};

/// Adds context to the base scores of a search.
pub(super) struct ContextScorer<'s, 'a, S> {
    pub(super) searcher: &'s Searcher<'a, S>,
    pub(super) scoring: &'s Scoring,
    query: &'s Query,
    pub(super) base: BaseScores,
    /// Minimum score of a match.
    min_match_score: f64,
    pub(super) directory: SessionDirectory<'s, 'a, S>,
}

/// The scores that a memory gets for its context.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContextBoost {
    pub(super) before: f64,
    pub(super) second_before: f64,
    pub(super) after: f64,
    pub(super) session: f64,
    /// Factor for all of them, by the length of the memory.
    pub(super) factor: f64,
}

impl ContextBoost {
    fn neighbours(&self) -> f64 {
        self.before + self.second_before + self.after
    }

    pub(super) fn sum(&self) -> f64 {
        self.factor * (self.neighbours() + self.session)
    }
}

/// The scores that a memory gets independent of the words of the query, relative to `unit`.
#[derive(Clone, Copy)]
pub(super) struct TieBreakers {
    pub(super) recency: f64,
    pub(super) confidence: f64,
    pub(super) pin: f64,
    /// The best base score.
    pub(super) unit: f64,
}

impl TieBreakers {
    pub(super) fn sum(&self) -> f64 {
        self.unit * (self.recency + self.confidence + self.pin)
    }
}

/// Memories whose scores depend on each other.
#[derive(Clone, Copy)]
pub(super) enum ContextGroup<'a> {
    /// A match without a session.
    Single(DocRef),
    /// A session, and the range of its matches.
    Session { name: SessionName<'a>, matches: (usize, usize) },
}

impl<'s, 'a, S: Copy> ContextScorer<'s, 'a, S> {
    pub(super) fn new(
        searcher: &'s Searcher<'a, S>,
        scoring: &'s Scoring,
        query: &'s Query,
        base: BaseScores,
        min_match_score: f64,
    ) -> Self {
        let directory = SessionDirectory::new(searcher);
        ContextScorer { searcher, scoring, query, base, min_match_score, directory }
    }

    /// The memories that match, or are next to a match, and pass `filter`.
    pub(super) fn candidates(&self, filter: &Filter, trace: &mut ScoreTrace) -> Vec<Candidate> {
        let mut candidates = Candidates::new(self, filter);
        let (mut scored, Groups { bounds, matches }) = (Vec::new(), self.groups());
        for (group, _) in bounds {
            candidates.open(group);
            candidates.score(
                &matches,
                trace,
                |_| false,
                |score, candidate| {
                    scored.extend(candidate().map(|candidate| (score, candidate)));
                },
            );
        }
        let best = candidates.best;
        let is_good = |(score, candidate): &(f64, Candidate)| *score >= self.min_score(candidate, best);
        scored.into_iter().filter(is_good).map(|(_, candidate)| candidate).collect()
    }

    /// The minimum score of a candidate without tie-breakers, if `best` is the best such score.
    pub(super) fn min_score(&self, candidate: &Candidate, best: f64) -> f64 {
        if candidate.is_match { self.min_match_score } else { self.scoring.min_context_score * best }
    }

    /// The base score of a memory of a session, and its context. Both are 0 if neither the memory nor a neighbour has a
    /// score. `scores` are those of the memory before the previous one, the previous one, the memory, and the next one.
    pub(super) fn in_session(
        &self,
        at: DocRef,
        previous: Option<DocRef>,
        [second_score, previous_score, base, next_score]: [f64; 4],
        best_of_session: f64,
    ) -> (f64, ContextBoost) {
        let Scoring { before: [before, second_before], answer_bonus, after, session, .. } = *self.scoring;
        let is_answer = previous_score > 0.0 && previous.is_some_and(|at| self.searcher.row(at).is_question());
        let before = if is_answer { before * (1.0 + answer_bonus) } else { before };
        let factor = self.neighbour_factor(base, is_answer);
        let context = ContextBoost {
            before: factor * before * previous_score,
            second_before: factor * second_before * second_score,
            after: factor * after * next_score,
            session: session * best_of_session,
            factor: 0.0,
        };
        if base <= 0.0 && context.neighbours() <= 0.0 {
            return (0.0, ContextBoost::default());
        }
        let words = f64::from(self.searcher.view(at).segment.passages.doc_words(at.doc));
        let excess = (words - CONTEXT_FULL_WORDS).max(0.0);
        let factor = 1.0 / (1.0 + self.scoring.length_discount * excess / CONTEXT_HALVING_WORDS);
        (base, ContextBoost { factor, ..context })
    }

    /// An upper bound of the score of [`in_session`](Self::in_session), apart from rounding.
    pub(super) fn max_in_session(&self, [second, previous, base, next]: [f64; 4], best_of_session: f64) -> f64 {
        let Scoring { before: [before, second_before], answer_bonus, after, session, .. } = *self.scoring;
        let before = before * (1.0 + answer_bonus.max(0.0));
        base + before * previous + second_before * second + after * next + session * best_of_session
    }

    /// The factor for the scores that a memory gets from its neighbours: the better it matches itself, the less.
    ///
    /// A message that continues earlier work looks for all of it. A reply confirms the question that it follows, unless the
    /// asker looks for their own memories.
    fn neighbour_factor(&self, base: f64, is_answer: bool) -> f64 {
        if self.continues() || (is_answer && !self.query.is_first_person) {
            return 1.0;
        }
        let share = (base / self.base.best()).min(1.0);
        1.0 - self.scoring.match_discount * share * share
    }

    /// Whether the query is a message that continues earlier work, and not only a question.
    fn continues(&self) -> bool {
        self.query.is_first_person && self.query.has_statement
    }

    fn recency(&self) -> f64 {
        // a bare question is about any time; a message usually continues the latest work
        if self.continues() { self.scoring.recency_first_person } else { self.scoring.recency }
    }

    fn recency_at(&self, day: i64, days: &ActiveDays) -> f64 {
        self.recency() / (1.0 + days.later_than(day) as f64 / RECENCY_HALF_LIFE)
    }

    pub(super) fn tie_breakers(&self, at: DocRef, days: &ActiveDays) -> TieBreakers {
        let row = self.searcher.row(at);
        let recency = self.recency_at(row.day(), days);
        // index rows may hold any number, even NaN
        let confidence = row.confidence();
        let confidence = if confidence > 0.0 { confidence.min(1.0) } else { 0.0 };
        let pin = if row.pinned() { self.scoring.pin } else { 0.0 };
        TieBreakers { recency, confidence: self.scoring.confidence * confidence, pin, unit: self.base.best() }
    }

    /// The maximum of the tie-breakers of a memory.
    pub(super) fn max_ties(&self) -> f64 {
        self.ties_with(self.recency())
    }

    /// The maximum of the tie-breakers of a memory committed on `day` or earlier.
    pub(super) fn max_ties_until(&self, day: i64, days: &ActiveDays) -> f64 {
        self.ties_with(self.recency_at(day, days))
    }

    fn ties_with(&self, recency: f64) -> f64 {
        let Scoring { confidence, pin, .. } = *self.scoring;
        TieBreakers { recency, confidence, pin, unit: self.base.best() }.sum()
    }
}

//! Scores by context: the neighbours of a memory in its session.
//!
//! An answer rarely repeats the words of its question. So a memory gets a share of the scores of its neighbours, and of
//! the best score of its session.

use super::base_scores::BaseScores;
use super::explain::ScoreTrace;
use super::filter::{CompiledFilter, Filter};
use super::searcher::{Candidate, DocRef, Searcher};
use super::sessions::ages;
use crate::index::SessionDoc;
use crate::query::Query;
use crate::tuning::{CONTEXT_FULL_WORDS, CONTEXT_HALVING_WORDS, RECENCY_HALF_LIFE, Scoring};

/// Adds context to the base scores of a search.
pub(super) struct ContextScorer<'s> {
    pub(super) scoring: &'s Scoring,
    pub(super) query: &'s Query,
    pub(super) base: BaseScores,
    /// Minimum score of a match.
    pub(super) min_match_score: f64,
}

/// The scores that a memory gets for its context.
#[derive(Clone, Copy, Default)]
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

    fn sum(&self) -> f64 {
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
    fn sum(&self) -> f64 {
        self.unit * (self.recency + self.confidence + self.pin)
    }
}

impl ContextScorer<'_> {
    /// The memories that match, or are next to a match, and pass `filter`.
    pub(super) fn candidates<S: Copy>(
        &self,
        searcher: &Searcher<'_, S>,
        filter: &Filter,
        trace: &mut ScoreTrace,
    ) -> Vec<Candidate> {
        let groups = searcher.session_groups();
        let ages = ages(&groups, filter.until);
        let filters: Vec<Option<CompiledFilter<'_>>> =
            searcher.views.iter().map(|view| filter.compile(view.segment)).collect();
        let (mut scored, mut docs) = (Vec::new(), Vec::new());
        // the best score without tie-breakers, before the filter
        let mut best: f64 = 0.0;
        let mut score_one = |at: DocRef, base: f64, context: ContextBoost, age: usize| {
            let score = base + context.sum();
            best = best.max(score);
            let passes =
                || filters[at.view as usize].as_ref().is_some_and(|it| it.matches(searcher.view(at).segment, at.doc));
            if score > 0.0 && passes() {
                let slot = searcher.slot(at);
                let ties = self.tie_breakers(searcher, at, age);
                trace.record_context(slot, &context, &ties);
                let (is_match, similarity) = (self.base.is_match(slot), self.base.similarity(slot));
                scored.push((score, Candidate { at, score: score + ties.sum(), is_match, similarity }));
            }
        };
        let base = |at: DocRef| self.base.score(searcher.slot(at));
        for (group, age) in groups.iter().zip(ages) {
            if !group.is_session {
                // days have no meaningful order, and may be long
                group.docs().for_each(|at| score_one(at, base(at), ContextBoost::default(), age));
                continue;
            }
            let best_of_session = group.docs().map(base).fold(0.0, f64::max);
            if best_of_session > 0.0 {
                searcher.ordered_docs(group, &mut docs);
                for (position, &(doc, view)) in docs.iter().enumerate() {
                    let (base, context) = self.in_session(searcher, &docs, position, best_of_session);
                    score_one(DocRef { view, doc: doc.doc }, base, context, age);
                }
            }
        }
        let min_context_score = self.scoring.min_context_score * best;
        let min_score =
            |candidate: &Candidate| if candidate.is_match { self.min_match_score } else { min_context_score };
        scored.into_iter().filter(|(score, it)| *score >= min_score(it)).map(|(_, candidate)| candidate).collect()
    }

    /// The base score of the memory at `position` of a session, and its context. Both are 0 if neither the memory nor a
    /// neighbour has a score.
    fn in_session<S: Copy>(
        &self,
        searcher: &Searcher<'_, S>,
        docs: &[(SessionDoc, u32)],
        position: usize,
        best: f64,
    ) -> (f64, ContextBoost) {
        let at = |position: usize| docs.get(position).map(|(doc, view)| DocRef { view: *view, doc: doc.doc });
        let previous = position.checked_sub(1).and_then(at);
        let score = |at: Option<DocRef>| at.map_or(0.0, |at| self.base.score(searcher.slot(at)));
        let Scoring { before: [before, second_before], answer_bonus, after, session, .. } = *self.scoring;
        let (base, previous_score) = (score(at(position)), score(previous));
        let is_answer = previous_score > 0.0 && previous.is_some_and(|at| searcher.row(at).is_question);
        let before = if is_answer { before * (1.0 + answer_bonus) } else { before };
        let context = ContextBoost {
            before: before * previous_score,
            second_before: second_before * score(position.checked_sub(2).and_then(at)),
            after: after * score(at(position + 1)),
            session: session * best,
            factor: 0.0,
        };
        if base <= 0.0 && context.neighbours() <= 0.0 {
            return (0.0, ContextBoost::default());
        }
        let (doc, view) = docs[position];
        let words = f64::from(searcher.views[view as usize].segment.passages.doc_words(doc.doc));
        let excess = (words - CONTEXT_FULL_WORDS).max(0.0);
        let factor = 1.0 / (1.0 + self.scoring.length_discount * excess / CONTEXT_HALVING_WORDS);
        (base, ContextBoost { factor, ..context })
    }

    fn tie_breakers<S: Copy>(&self, searcher: &Searcher<'_, S>, at: DocRef, age: usize) -> TieBreakers {
        let scoring = self.scoring;
        let row = searcher.row(at);
        let recency = if self.query.is_first_person { scoring.recency_first_person } else { scoring.recency };
        let recency = recency / (1.0 + age as f64 / RECENCY_HALF_LIFE);
        // index rows may hold any number, even NaN
        let confidence = if row.confidence > 0.0 { row.confidence.min(1.0) } else { 0.0 };
        let pin = if row.pinned { scoring.pin } else { 0.0 };
        TieBreakers { recency, confidence: scoring.confidence * confidence, pin, unit: self.base.best() }
    }
}

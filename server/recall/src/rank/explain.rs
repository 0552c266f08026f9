//! Explanations: the parts of a score, recorded by the code that adds them up.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::base_scores::BaseScores;
use super::context::{ContextBoost, TieBreakers};
use super::filter::Filter;
use super::searcher::{DocRef, Searcher};
use crate::query::Query;
use crate::tuning::Scoring;

/// A part of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScorePart {
    /// Words and phrases of the query, in the best passage; the author's name is among the words of a memory.
    Words,
    /// Adjacent words of the query, in the best passage.
    Pairs,
    /// Similarity of embeddings.
    Meaning,
    /// Negative: the query is in the first person, and the author is probably not the asker.
    Voice,
    /// The query names the author, and not all authors.
    NamedAuthor,
    /// The query names the date.
    Date,
    /// Score of the previous memories of the session.
    Before,
    /// Score of the next memory of the session.
    After,
    /// Best score of the session.
    Session,
    /// How few sessions are later.
    Recency,
    /// The confidence of the memory.
    Confidence,
    /// The memory is pinned.
    Pin,
    /// Another version of what it says is newer or older, and the newest comes first. Not part of the score of a candidate
    /// either.
    Version,
    /// Negative: another hit says the same and has a higher score; see [`Repetition`](crate::Repetition). Not part of
    /// the score of a candidate, as it depends on the other hits.
    Repetition,
}

impl<S: Copy> Searcher<'_, S> {
    /// The parts of the scores of those of `ids` that match: parts that are not 0, in the order of [`ScorePart`]. Up to
    /// rounding their sum equals the score from [`candidates`](Self::candidates). Empty for a blank query, which has no
    /// scores.
    ///
    /// # Complexity
    /// That of the search.
    pub fn explain(&self, query: &Query, filter: &Filter, ids: &[Uuid]) -> HashMap<Uuid, Vec<(ScorePart, f64)>> {
        let wanted: HashSet<Uuid> = ids.iter().copied().collect();
        let mut found: HashMap<DocRef, Uuid> = HashMap::with_capacity(wanted.len());
        for (number, view) in (0..).zip(&self.views) {
            let docs = wanted.iter().filter_map(|&id| Some((view.segment.find(id)?, id)));
            let visible = docs.filter(|(doc, _)| view.is_visible(*doc));
            found.extend(visible.map(|(doc, id)| (DocRef { view: number, doc }, id)));
        }
        let mut trace = ScoreTrace { traces: found.keys().map(|at| (*at, Trace::default())).collect() };
        self.traced_candidates(&Scoring::of(query), query, filter, &mut trace);
        let explained = trace.traces.into_iter().filter(|(_, trace)| trace.is_candidate);
        explained.map(|(at, trace)| (found[&at], trace.into_parts())).collect()
    }
}

/// Records the parts of some scores while all are computed; records nothing by default.
#[derive(Default)]
pub(super) struct ScoreTrace {
    traces: HashMap<DocRef, Trace>,
}

/// The parts of one score.
#[derive(Default)]
struct Trace {
    parts: BTreeMap<ScorePart, f64>,
    /// The base score at the last record.
    base: f64,
    is_candidate: bool,
}

impl Trace {
    fn add(&mut self, part: ScorePart, value: f64) {
        *self.parts.entry(part).or_default() += value;
    }

    fn into_parts(self) -> Vec<(ScorePart, f64)> {
        self.parts.into_iter().filter(|(_, value)| *value != 0.0).collect()
    }
}

impl ScoreTrace {
    /// The traced documents of a view.
    pub(super) fn docs_of(&self, view: u32) -> Vec<u32> {
        self.traces.keys().filter(|at| at.view == view).map(|at| at.doc).collect()
    }

    /// Records a part of a base score.
    pub(super) fn add_base(&mut self, at: DocRef, part: ScorePart, value: f64) {
        if let Some(trace) = self.traces.get_mut(&at) {
            trace.add(part, value);
            trace.base += value;
        }
    }

    /// Records the changes of base scores since the last record as `part`.
    pub(super) fn record(&mut self, part: ScorePart, base: &BaseScores) {
        for (at, trace) in &mut self.traces {
            let score = base.score(*at);
            trace.add(part, score - trace.base);
            trace.base = score;
        }
    }

    /// Records the remaining parts of the score of a candidate.
    pub(super) fn record_context(&mut self, at: DocRef, context: &ContextBoost, ties: &TieBreakers) {
        if let Some(trace) = self.traces.get_mut(&at) {
            trace.is_candidate = true;
            trace.add(ScorePart::Before, context.factor * (context.before + context.second_before));
            trace.add(ScorePart::After, context.factor * context.after);
            trace.add(ScorePart::Session, context.factor * context.session);
            trace.add(ScorePart::Recency, ties.unit * ties.recency);
            trace.add(ScorePart::Confidence, ties.unit * ties.confidence);
            trace.add(ScorePart::Pin, ties.unit * ties.pin);
        }
    }
}

//! Scores: BM25 of the best passage, with the statistics of exactly the visible memories; then boosts and context.
//!
//! With passages, the length of a memory matters little, so a constant replaces the average length, and a score by words
//! depends on the other memories only by two numbers per word: how many memories there are, and how many contain it.

use super::base_scores::BaseScores;
use super::context::ContextScorer;
use super::explain::{ScorePart, ScoreTrace};
use super::filter::Filter;
use super::lookup::{Matches, TermLookup};
use super::plan::{PlannedClause, plan};
use super::searcher::{Candidate, DocRef, Searcher};
use crate::index::Passages;
use crate::query::{ClauseKind, Query};
use crate::text::Language;
use crate::tuning::{BM25_B, BM25_K1, BM25_TYPICAL_LENGTH, LONG_QUERY_WORDS, Scoring};

/// The matches of one clause in the documents of one language of a view.
struct ClauseMatches<'p> {
    view: u32,
    clause: usize,
    weight: f64,
    is_boost: bool,
    matches: Matches<'p>,
}

impl<'a, S: Copy> Searcher<'a, S> {
    /// The memories that match `query` and pass `filter`, with scores, in no particular order. For a blank query all
    /// that pass, with score 0.
    pub fn candidates(&self, query: &Query, filter: &Filter) -> Vec<Candidate> {
        self.candidates_with(&Scoring::of(query), query, filter)
    }

    /// The same with other weights.
    pub fn candidates_with(&self, scoring: &Scoring, query: &Query, filter: &Filter) -> Vec<Candidate> {
        self.traced_candidates(scoring, query, filter, &mut ScoreTrace::default())
    }

    /// The same; records the parts of scores in `trace`.
    pub(super) fn traced_candidates(
        &self,
        scoring: &Scoring,
        query: &Query,
        filter: &Filter,
        trace: &mut ScoreTrace,
    ) -> Vec<Candidate> {
        if query.is_blank() {
            return self.listing(filter);
        }
        let (matches, doc_counts) = self.matches(scoring, query);
        let idfs: Vec<f64> = doc_counts.iter().map(|&count| idf(count, self.len)).collect();
        let mut base = self.score_words(query, &matches, &idfs, trace);
        trace.record(ScorePart::Words, &base);
        base.update_best();
        self.add_meaning(scoring, query, &mut base);
        trace.record(ScorePart::Meaning, &base);
        self.penalize_other_speakers(scoring, query, &mut base);
        trace.record(ScorePart::Voice, &base);
        base.update_best();
        if base.best() == 0.0 {
            return Vec::new();
        }
        self.boost_named_authors(scoring, query, &mut base);
        trace.record(ScorePart::NamedAuthor, &base);
        self.boost_dates(scoring, query, &mut base);
        trace.record(ScorePart::Date, &base);
        let min_match_score = scoring.min_match_score * long_query_score(query, &idfs);
        let scorer = ContextScorer { scoring, query, base, min_match_score };
        scorer.candidates(self, filter, trace)
    }

    fn listing(&self, filter: &Filter) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (number, view) in (0..).zip(&self.views) {
            let Some(filter) = filter.compile(view.segment) else { continue };
            let docs = view.visible_rows().map(|(doc, _)| doc).filter(|&doc| filter.matches(view.segment, doc));
            let candidate =
                |doc| Candidate { at: DocRef { view: number, doc }, score: 0.0, is_match: true, similarity: None };
            candidates.extend(docs.map(candidate));
        }
        candidates
    }

    /// The matches of all clauses, view by view, and the number of documents that match each clause.
    fn matches(&self, scoring: &Scoring, query: &Query) -> (Vec<ClauseMatches<'a>>, Vec<u64>) {
        let mut plans: [Option<Vec<PlannedClause<'_>>>; Language::ALL.len()] = Default::default();
        let (mut found, mut doc_counts) = (Vec::new(), vec![0; query.clauses.len()]);
        for (number, view) in (0..).zip(&self.views) {
            let author_clauses = query.clauses_naming(view.byline);
            for (language, stems) in &view.segment.languages {
                let clauses = plans[*language as usize].get_or_insert_with(|| plan(query, *language, scoring));
                let frequency = scoring.author_name_frequency;
                let lookup = TermLookup::new(view, (*language, stems.clone()), clauses, &author_clauses, frequency);
                for clause in clauses.iter() {
                    let (docs, matches) = lookup.find(clause);
                    if docs > 0 {
                        doc_counts[clause.number] += docs;
                        let &PlannedClause { number: clause, weight, is_boost, .. } = clause;
                        found.push(ClauseMatches { view: number, clause, weight, is_boost, matches });
                    }
                }
            }
        }
        (found, doc_counts)
    }

    /// Scores the documents by the words of the query: each by its best passage.
    fn score_words(
        &self,
        query: &Query,
        matches: &[ClauseMatches<'_>],
        idfs: &[f64],
        trace: &mut ScoreTrace,
    ) -> BaseScores {
        let mut base = BaseScores::new(self.slots);
        let mut scores = Vec::new();
        for matches in matches.chunk_by(|a, b| a.view == b.view) {
            let view = &self.views[matches[0].view as usize];
            let passages = &view.segment.passages;
            scores.clear();
            scores.resize(passages.len(), 0.0);
            matches.iter().for_each(|clause| clause.add_scores(&mut scores, idfs, passages));
            for doc in 0..view.segment.len() {
                let of_doc = passages.of_doc(doc);
                let of_doc = &scores[of_doc.start as usize..of_doc.end as usize];
                *base.score_mut(view.slot(doc)) = of_doc.iter().copied().fold(0.0, f64::max);
            }
            let traced = trace.docs_of(view);
            if !traced.is_empty() {
                let mut pair_scores = vec![0.0; passages.len()];
                let is_pair =
                    |found: &&ClauseMatches<'_>| matches!(query.clauses[found.clause].kind, ClauseKind::Pair(..));
                let pairs = matches.iter().filter(is_pair);
                pairs.for_each(|clause| clause.add_scores(&mut pair_scores, idfs, passages));
                for doc in traced {
                    let of_doc = passages.of_doc(doc).map(|passage| passage as usize);
                    let best = of_doc.max_by(|&one, &other| scores[one].total_cmp(&scores[other]));
                    trace.add_base(view.slot(doc), ScorePart::Pairs, best.map_or(0.0, |best| pair_scores[best]));
                }
            }
        }
        base
    }
}

impl ClauseMatches<'_> {
    /// Adds the scores of the clause to those of the passages.
    ///
    /// A document has one language, and its clauses come in the order of that language's plan, so its score is summed in
    /// the same order in every segment, and is the same to the last bit.
    fn add_scores(&self, scores: &mut [f64], idfs: &[f64], passages: &Passages) {
        let weight = self.weight * idfs[self.clause];
        self.matches.for_each(passages, |passage, frequency| {
            let score = &mut scores[passage as usize];
            if !self.is_boost || *score > 0.0 {
                *score += weight * saturated(frequency, passages.words(passage));
            }
        });
    }
}

/// The maximum score of a memory with all words of a long query; 0 for other queries.
///
/// Any text shares a word with a whole page, so a shared word means something only if it is one of few.
fn long_query_score(query: &Query, idfs: &[f64]) -> f64 {
    let (mut words, mut sum) = (0, 0.0);
    for (number, (clause, idf)) in query.clauses.iter().zip(idfs).enumerate() {
        if matches!(clause.kind, ClauseKind::Word(_)) && query.is_content(number) {
            words += 1;
            sum += clause.weight * idf;
        }
    }
    if words >= LONG_QUERY_WORDS { sum } else { 0.0 }
}

/// Inverse document frequency: above 0, and the greater the fewer documents match.
fn idf(matching: u64, all: u64) -> f64 {
    let (matching, all) = (matching as f64, all as f64);
    (1.0 + (all - matching + 0.5) / (matching + 0.5)).ln()
}

/// Term frequency between 0 and 1, saturated and relative to the length of the passage.
fn saturated(frequency: u32, words: u8) -> f64 {
    let (frequency, words) = (f64::from(frequency), f64::from(words));
    frequency / (frequency + BM25_K1 * (1.0 - BM25_B + BM25_B * words / BM25_TYPICAL_LENGTH))
}

//! Scores: BM25 of the best passage, with the statistics of exactly the visible memories; then boosts and context.
//!
//! With passages, the length of a memory matters little, so a constant replaces the average length, and a score by words
//! depends on the other memories only by two numbers per word: how many memories there are, and how many contain it.

use super::base_scores::{BaseScore, BaseScores};
use super::context::ContextScorer;
use super::explain::{ScorePart, ScoreTrace};
use super::filter::Filter;
use super::lookup::TermLookup;
use super::matches::Matches;
use super::plan::{PlannedClause, plan};
use super::searcher::{Candidate, DocRef, Searcher};
use crate::index::Passages;
use crate::query::{ClauseKind, Query};
use crate::text::Language;
use crate::tuning::{BM25_B, BM25_K1, BM25_TYPICAL_LENGTH, LONG_QUERY_WORDS, Scoring};

/// The matches of one clause in the documents of one language of a view.
pub(super) struct ClauseMatches<'p> {
    /// The number of the view, and that of the language in its segment.
    pub(super) at: (u32, u32),
    clause: usize,
    weight: f64,
    is_boost: bool,
    pub(super) matches: Matches<'p>,
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
        let Some(scorer) = self.context_scorer(scoring, query, trace) else { return Vec::new() };
        scorer.candidates(filter, trace)
    }

    /// The base scores of all matches, ready for their context; `None` if nothing matches.
    pub(super) fn context_scorer<'s>(
        &'s self,
        scoring: &'s Scoring,
        query: &'s Query,
        trace: &mut ScoreTrace,
    ) -> Option<ContextScorer<'s, 'a, S>> {
        let (matches, doc_counts) = self.matches(scoring, query);
        let idfs: Vec<f64> = doc_counts.iter().map(|&count| idf(count, self.len)).collect();
        let mut base = self.score_words(query, &matches, &idfs, trace);
        trace.record(ScorePart::Words, &base);
        let missing = self.missing_words_factor(scoring, query, (&doc_counts, &idfs), base.best());
        self.add_meaning(scoring, query, missing, &mut base);
        trace.record(ScorePart::Meaning, &base);
        self.penalize_other_speakers(scoring, query, &mut base);
        trace.record(ScorePart::Voice, &base);
        base.update_best();
        if base.best() == 0.0 {
            // a question such as "what happened on 9 June" asks for that day, whatever its words are
            self.match_dates(query, &mut base);
            trace.record(ScorePart::Date, &base);
            base.update_best();
        }
        if base.best() == 0.0 {
            return None;
        }
        self.boost_named_authors(scoring, query, &mut base);
        trace.record(ScorePart::NamedAuthor, &base);
        self.boost_dates(scoring, query, &mut base);
        trace.record(ScorePart::Date, &base);
        let min_match_score = scoring.min_match_score * long_query_score(query, &idfs);
        Some(ContextScorer::new(self, scoring, query, base, min_match_score))
    }

    /// The matches of all clauses, view by view, and the number of documents that match each clause.
    pub(super) fn matches(&self, scoring: &Scoring, query: &Query) -> (Vec<ClauseMatches<'a>>, Vec<u64>) {
        let mut plans: [Option<Vec<PlannedClause<'_>>>; Language::ALL.len()] = Default::default();
        let (mut found, mut doc_counts) = (Vec::new(), vec![0; query.clauses.len()]);
        for (number, view) in (0..).zip(&self.views) {
            let author_clauses = query.clauses_naming(view.byline);
            for (language_number, language) in (0..).zip(&view.segment.languages) {
                let plan = || plan(query, language.language, scoring);
                let clauses = plans[language.language as usize].get_or_insert_with(plan);
                let frequency = scoring.author_name_frequency;
                let lookup = TermLookup::new(view, language, clauses, &author_clauses, frequency);
                for clause in clauses.iter() {
                    let (docs, matches) = lookup.find(clause);
                    if docs > 0 {
                        doc_counts[clause.number] += docs;
                        let &PlannedClause { number: clause, weight, is_boost, .. } = clause;
                        let at = (number, language_number);
                        found.push(ClauseMatches { at, clause, weight, is_boost, matches });
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
        let mut by_view: Vec<Vec<BaseScore>> = vec![Vec::new(); self.views.len()];
        let mut scores = PassageScores::default();
        for matches in matches.chunk_by(|a, b| a.at == b.at) {
            let number = matches[0].at.0;
            let view = &self.views[number as usize];
            let passages = &view.segment.passages;
            scores.clear(passages.len());
            let (boosts, content): (Vec<_>, Vec<_>) = matches.iter().partition(|clause| clause.is_boost);
            for clause in &content {
                let same = query.clauses[clause.clause].instead_of;
                let mut others: Vec<u32> = Vec::new();
                if let Some(same) = same {
                    let of_same = content.iter().filter(|other| other.clause == same);
                    of_same.for_each(|other| other.matches.for_each(|passage, _| others.push(passage)));
                    others.sort_unstable();
                }
                scores.add(clause, idfs, passages, &others);
            }
            scores.sort(passages.len());
            boosts.iter().for_each(|clause| scores.boost(clause, idfs, passages));
            for doc in trace.docs_of(number) {
                let is_pair =
                    |found: &&&ClauseMatches<'_>| matches!(query.clauses[found.clause].kind, ClauseKind::Pair(..));
                let of_doc = passages.of_doc(doc).filter(|passage| scores.of(*passage) > 0.0);
                if let Some(best) = of_doc.max_by(|one, other| scores.of(*one).total_cmp(&scores.of(*other))) {
                    let mut pairs = PassageScores::default();
                    pairs.clear(passages.len());
                    content.iter().filter(is_pair).for_each(|clause| pairs.add(clause, idfs, passages, &[]));
                    trace.add_base(DocRef { view: number, doc }, ScorePart::Pairs, pairs.of(best));
                }
            }
            let of_view = &mut by_view[number as usize];
            let has_other_languages = !of_view.is_empty();
            let start = of_view.len();
            of_view.reserve(scores.matched.len());
            for (passage, doc) in passages.with_docs(scores.matched.iter().copied()) {
                let score = scores.of(passage);
                match of_view[start..].last_mut() {
                    Some(last) if last.doc == doc => last.score = last.score.max(score),
                    _ if view.is_visible(doc) => of_view.push(BaseScore::by_words(doc, score)),
                    _ => {}
                }
            }
            if has_other_languages {
                of_view.sort_unstable_by_key(|score| score.doc);
            }
        }
        BaseScores::new(by_view)
    }
}

/// The scores of the passages of one language of a view.
///
/// A document has one language, and its clauses come in the order of that language's plan, so its score is summed in the
/// same order in every segment, and is the same to the last bit.
#[derive(Default)]
struct PassageScores {
    /// By passage, 0 without a match.
    scores: Vec<f64>,
    matched: Vec<u32>,
}

impl PassageScores {
    /// Removes all scores, for a segment of `len` passages. The cost is that of the previous matches.
    fn clear(&mut self, len: usize) {
        self.matched.drain(..).for_each(|passage| self.scores[passage as usize] = 0.0);
        if self.scores.len() < len {
            self.scores.resize(len, 0.0);
        }
    }

    fn of(&self, passage: u32) -> f64 {
        self.scores[passage as usize]
    }

    /// Sorts the passages that match, of a segment of `len` passages.
    fn sort(&mut self, len: usize) {
        let PassageScores { scores, matched } = self;
        // a look at the score of every passage is faster than a sort of many
        if matched.len() > len / 8 {
            matched.clear();
            matched.extend((0..).zip(&scores[..len]).filter(|(_, score)| **score != 0.0).map(|(passage, _)| passage));
        } else {
            matched.sort_unstable();
        }
    }

    /// Adds the scores of a clause, except to the passages of `others`, which are sorted.
    fn add(&mut self, clause: &ClauseMatches<'_>, idfs: &[f64], passages: &Passages, others: &[u32]) {
        let weight = clause.weight * idfs[clause.clause];
        let PassageScores { scores, matched } = self;
        let lengths = passages.lengths();
        clause.matches.for_each(|passage, frequency| {
            if !others.is_empty() && others.binary_search(&passage).is_ok() {
                return;
            }
            let score = &mut scores[passage as usize];
            if *score == 0.0 {
                matched.push(passage);
            }
            *score += weight * saturated(frequency, lengths[passage as usize]);
        });
    }

    /// Adds the scores of a clause to passages that match already.
    fn boost(&mut self, clause: &ClauseMatches<'_>, idfs: &[f64], passages: &Passages) {
        let weight = clause.weight * idfs[clause.clause];
        let PassageScores { scores, matched } = self;
        let lengths = passages.lengths();
        let add = |passage: u32, frequency| {
            let score = &mut scores[passage as usize];
            if *score != 0.0 {
                *score += weight * saturated(frequency, lengths[passage as usize]);
            }
        };
        // a look-up of few passages skips the blocks without one
        match matched.len() < clause.matches.len() / 8 {
            true => clause.matches.among(matched, add),
            false => clause.matches.for_each(add),
        }
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

/// What saturates the frequency of a term in a passage, by the number of words of the passage.
const SATURATION: [f64; 256] = {
    let (mut by_words, mut words) = ([0.0; 256], 0);
    while words < by_words.len() {
        by_words[words] = BM25_K1 * (1.0 - BM25_B + BM25_B * words as f64 / BM25_TYPICAL_LENGTH);
        words += 1;
    }
    by_words
};

/// [`saturated`] of a term that occurs once. Most do, and a look-up takes less than a division.
const SATURATED_ONCE: [f64; 256] = {
    let (mut by_words, mut words) = ([0.0; 256], 0);
    while words < by_words.len() {
        by_words[words] = 1.0 / (1.0 + SATURATION[words]);
        words += 1;
    }
    by_words
};

/// Term frequency between 0 and 1, saturated and relative to the length of the passage.
#[inline]
fn saturated(frequency: u32, words: u8) -> f64 {
    if frequency == 1 {
        return SATURATED_ONCE[usize::from(words)];
    }
    let frequency = f64::from(frequency);
    frequency / (frequency + SATURATION[usize::from(words)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_values_of_the_formula_to_the_last_bit() {
        for (words, frequency) in (0..=255).flat_map(|words| (1..5).map(move |frequency| (words, frequency))) {
            let (length, times) = (f64::from(words), f64::from(frequency));
            let expected = times / (times + BM25_K1 * (1.0 - BM25_B + BM25_B * length / BM25_TYPICAL_LENGTH));
            assert_eq!(saturated(frequency, words).to_bits(), expected.to_bits(), "{words} words, {frequency} times");
        }
    }
}

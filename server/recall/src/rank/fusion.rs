//! How much meaning counts in comparison with words, by what the query and both lists show.

use super::base_scores::BaseScores;
use super::searcher::{DocRef, Searcher};
use crate::query::{ClauseKind, Query, TermPattern};
use crate::text::{has_unspaced, without_marks};
use crate::tuning::{AGREEMENT_MEMORIES, AGREEMENT_SCORE, SUFFICIENT_SCORE, Scoring};

impl<S: Copy> Searcher<'_, S> {
    /// The factor for the score for meaning of a query with words that no visible memory has: at least 1.
    ///
    /// Such words show that the memories say the same in other words. What they would add to a score is compared with the
    /// best score by words, `best`, but only up to the score that identifies one memory: a long query may miss some words.
    pub(super) fn missing_words_factor(
        &self,
        scoring: &Scoring,
        query: &Query,
        (doc_counts, idfs): (&[u64], &[f64]),
        best: f64,
    ) -> f64 {
        let missing = (0..query.clauses.len()).filter(|&number| doc_counts[number] == 0 && query.is_plain_word(number));
        let lost: f64 = missing.map(|number| query.clauses[number].weight * idfs[number]).sum();
        if best <= 0.0 || lost == 0.0 {
            return 1.0;
        }
        let sufficient = SUFFICIENT_SCORE * (1.0 + self.len as f64).ln();
        let ratio = ((scoring.missing_words * lost).min(sufficient) / best).max(1.0);
        ratio * ratio
    }
}

impl Query {
    /// Whether a clause is a content word that was not understood as another word, and not as a part of a date, which the
    /// time of a memory matches. Pairs of characters of a script without spaces are no words: most pairs across two words
    /// are in no memory.
    fn is_plain_word(&self, number: usize) -> bool {
        let clause = &self.clauses[number];
        let ClauseKind::Word(TermPattern::Word(word)) = &clause.kind else { return false };
        let is_understood = || self.alternatives.iter().any(|it| it.written.split(' ').any(|written| written == word));
        let is_date = || self.dates.iter().any(|date| date.has_part(&without_marks(word)));
        !clause.is_compound && self.is_content(number) && !has_unspaced(word) && !is_understood() && !is_date()
    }
}

/// The factor for the score for meaning by the agreement with the words, from [`Scoring::min_agreement`] to 1.
///
/// Meaning and words that select the same memories confirm each other. A model that knows little about a language or a
/// subject selects others than the words.
pub(super) fn agreement_factor(scoring: &Scoring, base: &BaseScores, by_view: &[(u32, Vec<(u32, f64)>)]) -> f64 {
    if base.best() <= 0.0 {
        return 1.0;
    }
    // cosine and score by words of the nearest; both decide the order, so that it is the same in any segments
    let mut nearest: Vec<(f64, f64)> = Vec::with_capacity(AGREEMENT_MEMORIES + 1);
    for (view, cosines) in by_view {
        for &(doc, cosine) in cosines {
            if nearest.len() == AGREEMENT_MEMORIES && nearest.last().is_some_and(|(least, _)| cosine < *least) {
                continue;
            }
            let words = base.score(DocRef { view: *view, doc });
            let is_before = |other: &(f64, f64)| other.0.total_cmp(&cosine).then(other.1.total_cmp(&words)).is_gt();
            nearest.insert(nearest.partition_point(is_before), (cosine, words));
            nearest.truncate(AGREEMENT_MEMORIES);
        }
    }
    let mean = nearest.iter().map(|(_, words)| words).sum::<f64>() / nearest.len().max(1) as f64;
    let agreement = (mean / (AGREEMENT_SCORE * base.best())).min(1.0);
    scoring.min_agreement + (1.0 - scoring.min_agreement) * agreement
}

//! What visible memories define abbreviations to be.

use super::alternatives::Meant;
use super::vocabulary::Vocabulary;
use crate::query::{Clause, ClauseKind, Query, TermPattern};
use crate::text::{beginning_with, defining, of_reverse_term, without_marks};
use crate::tuning::{MAX_ABBREVIATION_CHARS, MAX_DEFINITIONS, OTHER_SPELLING_WEIGHT};

/// The definitions of the word of clause `number`, as phrases; the most frequent definitions first.
pub(super) fn long_forms<S: Copy>(
    vocabulary: &Vocabulary<'_, '_, S>,
    word: &str,
    number: usize,
    weight: f64,
) -> Vec<Meant> {
    if word.len() < 2 || word.chars().nth(MAX_ABBREVIATION_CHARS).is_some() {
        return Vec::new();
    }
    let beginning = defining(&without_marks(word));
    let terms = vocabulary.terms_beginning_with(&beginning).into_iter().take(MAX_DEFINITIONS);
    let meant = |term: String| {
        let words = term[beginning.len()..].to_owned();
        let phrase = words.split(' ').zip(0..).map(|(word, at)| (TermPattern::Word(word.to_owned()), at)).collect();
        let clause = Clause::new(weight * OTHER_SPELLING_WEIGHT, ClauseKind::Phrase(phrase));
        Meant { clauses: vec![Clause { instead_of: Some(number), ..clause }], meant: words }
    };
    terms.map(meant).collect()
}

/// The abbreviations of adjacent words of the query, with these words.
pub(super) fn short_forms<S: Copy>(vocabulary: &Vocabulary<'_, '_, S>, query: &Query) -> Vec<(String, Meant)> {
    let mut found = Vec::new();
    for (pair, clause) in query.clauses.iter().enumerate() {
        let ClauseKind::Pair(first, second) = clause.kind else { continue };
        let (Some(one), Some(other)) = (query.word(first), query.word(second)) else { continue };
        let beginning = beginning_with(&without_marks(one), &without_marks(other));
        for term in vocabulary.terms_beginning_with(&beginning) {
            let Some((words, abbreviation)) = of_reverse_term(&term) else { continue };
            if query.has_adjacent(first, words) {
                let count = words.split(' ').count();
                let weight = query.clauses[first].weight * OTHER_SPELLING_WEIGHT * count as f64;
                let pattern = ClauseKind::Word(TermPattern::Word(abbreviation.to_owned()));
                let clause = Clause { instead_of: Some(pair), ..Clause::new(weight, pattern) };
                let meant = Meant { meant: abbreviation.to_owned(), clauses: vec![clause] };
                found.push((words.to_owned(), meant));
                break;
            }
        }
    }
    found
}

impl Query {
    /// Whether the query has these words, one after the other, from the clause `first` on.
    fn has_adjacent(&self, first: usize, words: &str) -> bool {
        let is = |clause: usize, word: &str| self.word(clause).is_some_and(|own| without_marks(own) == word);
        let mut words = words.split(' ');
        if !words.next().is_some_and(|word| is(first, word)) {
            return false;
        }
        let mut last = first;
        words.all(|word| {
            let next = self.clauses.iter().find_map(|clause| match clause.kind {
                ClauseKind::Pair(one, other) if one == last && is(other, word) => Some(other),
                _ => None,
            });
            last = next.unwrap_or(last);
            next.is_some()
        })
    }
}

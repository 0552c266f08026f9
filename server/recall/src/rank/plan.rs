//! The clauses of a query for memories of one language.

use std::borrow::Cow;

use crate::query::{Clause, ClauseKind, Query, TermPattern};
use crate::text::Language;
use crate::tuning::Scoring;

pub(super) struct PlannedClause<'q> {
    /// Number of the clause in the query.
    pub(super) number: usize,
    pub(super) weight: f64,
    /// Whether the clause only raises the score of memories that other clauses match.
    pub(super) is_boost: bool,
    pub(super) target: Target<'q>,
}

pub(super) enum Target<'q> {
    Term(TermKey<'q>),
    /// Two adjacent words, by the numbers of their clauses.
    Pair(usize, usize),
    /// Words with their distances from the first.
    Phrase(Vec<(TermKey<'q>, u32)>),
}

pub(super) enum TermKey<'q> {
    Stem(Cow<'q, str>),
    /// Of the word as it is written.
    Prefix(&'q str),
}

/// The clauses of a query in the order in which scores are summed.
pub(super) fn plan<'q>(query: &'q Query, language: Language, scoring: &Scoring) -> Vec<PlannedClause<'q>> {
    let (stop_words, content): (Vec<usize>, Vec<usize>) =
        (0..query.clauses.len()).partition(|&number| query.is_stop_word(number, language));
    let is_pair = |number: usize| matches!(query.clauses[number].kind, ClauseKind::Pair(..));
    let planned = |number: usize, is_boost: bool| {
        let Clause { weight, kind, .. } = &query.clauses[number];
        let weight = weight * if is_boost { scoring.stop_word_weight } else { 1.0 };
        let weight = weight * if is_pair(number) { scoring.pair_weight } else { 1.0 };
        PlannedClause { number, weight, is_boost, target: Target::of(kind, language) }
    };
    if content.is_empty() {
        return stop_words.into_iter().map(|number| planned(number, false)).collect();
    }
    // pairs with a stop word are frequent and carry little information
    let boosts = stop_words.into_iter().filter(|&number| !is_pair(number)).map(|number| (number, true));
    let clauses = content.into_iter().map(|number| (number, false)).chain(boosts);
    clauses.map(|(number, is_boost)| planned(number, is_boost)).collect()
}

impl<'q> Target<'q> {
    fn of(kind: &'q ClauseKind, language: Language) -> Self {
        let key = |pattern: &'q TermPattern| match pattern {
            TermPattern::Word(word) => TermKey::Stem(language.stem(word)),
            TermPattern::Prefix(prefix) => TermKey::Prefix(prefix),
            TermPattern::Stem(stem) => TermKey::Stem(Cow::Borrowed(stem)),
        };
        match kind {
            ClauseKind::Word(pattern) => Target::Term(key(pattern)),
            ClauseKind::Pair(first, second) => Target::Pair(*first, *second),
            ClauseKind::Phrase(words) => {
                Target::Phrase(words.iter().map(|(pattern, distance)| (key(pattern), *distance)).collect())
            }
        }
    }
}

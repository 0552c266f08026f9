//! Queries as people type them: other words for the words that no visible memory has.
//!
//! Everything is looked up among the visible memories, so an alternative names nothing that the reader cannot read, and is
//! the same as in an index of only these memories. A query whose words all match costs one look-up for each word.

mod abbreviations;
mod alternatives;
mod found_by;
mod vocabulary;

use std::borrow::Cow;

use super::searcher::Searcher;
use crate::query::{Alternative, ClauseKind, Query, TermPattern};
use crate::tuning::{LONG_QUERY_WORDS, MAX_UNDERSTOOD_WORDS, Scoring};
use alternatives::{Meant, is_digits};
use vocabulary::Vocabulary;

/// A query, and what its words were understood as.
#[derive(Clone, Debug)]
pub struct Understanding<'q> {
    /// The query with its alternatives, as clauses of a lower weight.
    pub query: Cow<'q, Query>,
    /// Number of terms of the index that were compared with a word; 0 if all words match.
    pub examined_terms: usize,
}

impl<S: Copy> Searcher<'_, S> {
    /// The query with alternatives for the words that no visible memory has: other spellings, words with this beginning,
    /// words without a typing error, and the parts of a compound; and with what visible memories define its abbreviations
    /// to be. A query of phrases that nothing has is a query of their words. [`Query::understood`] names the alternatives.
    ///
    /// # Complexity
    /// O(words × segments) if all words match; otherwise also O(terms with the same first byte) for each other word, and
    /// O(terms) if that finds nothing.
    ///
    /// ```
    /// use orgmem_recall::{Doc, Meta, Partition, PartitionIndex, Query, ReadTime, Searcher, analyze};
    ///
    /// let doc = Doc { meta: Meta::default(), analysis: analyze("the kubernetes cluster"), embeddings: None };
    /// let index = PartitionIndex::build([doc]);
    /// let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    /// let query = Query::parse("kuberentes cluster");
    /// let understanding = searcher.understand(&query);
    /// assert_eq!(understanding.query.understood().collect::<Vec<_>>(), [("kuberentes", "kubernetes")]);
    /// ```
    pub fn understand<'q>(&self, query: &'q Query) -> Understanding<'q> {
        let mut understood = Cow::Borrowed(query);
        if self.is_empty() || query.is_empty() {
            return Understanding { query: understood, examined_terms: 0 };
        }
        understood.to_mut().is_newest_first = query.dates.is_empty();
        if !query.unquoted.is_empty() && !self.has_match(query) {
            understood.to_mut().unquote();
        }
        let vocabulary = Vocabulary::new(self);
        let alternatives = alternatives_of(&understood, &vocabulary);
        if !alternatives.is_empty() {
            let query = understood.to_mut();
            alternatives.into_iter().for_each(|(written, meant)| query.add(written, meant));
        }
        Understanding { query: understood, examined_terms: vocabulary.examined() }
    }

    fn has_match(&self, query: &Query) -> bool {
        let (_, doc_counts) = self.matches(&Scoring::of(query), query);
        doc_counts.iter().any(|docs| *docs > 0)
    }
}

/// The alternatives of the words of `query` that do not match.
fn alternatives_of<S: Copy>(query: &Query, vocabulary: &Vocabulary<'_, '_, S>) -> Vec<(String, Meant)> {
    let words = || {
        (0..).zip(&query.clauses).filter_map(|(number, clause)| match &clause.kind {
            ClauseKind::Word(TermPattern::Word(word)) if query.is_content(number) => Some((number, word, clause)),
            _ => None,
        })
    };
    if words().count() >= LONG_QUERY_WORDS {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut missing: Vec<usize> =
        words().filter(|(_, word, _)| !vocabulary.has(word)).map(|(number, ..)| number).collect();
    let has_match = missing.len() < words().count();
    for (number, word, clause) in words() {
        for meant in abbreviations::long_forms(vocabulary, word, number, clause.weight) {
            missing.retain(|missing| *missing != number);
            found.push((word.clone(), meant));
        }
    }
    found.extend(abbreviations::short_forms(vocabulary, query));
    missing.truncate(MAX_UNDERSTOOD_WORDS);
    // words that were typed apart
    for clause in &query.clauses {
        let ClauseKind::Pair(first, second) = clause.kind else { continue };
        let (Some(one), Some(other)) = (query.word(first), query.word(second)) else { continue };
        let is_number = is_digits(one) && one.len() <= 3 && is_digits(other) && other.len() == 3;
        if !is_number && !missing.contains(&first) && !missing.contains(&second) {
            continue;
        }
        if let Some(meant) = alternatives::joined(vocabulary, one, other) {
            missing.retain(|number| *number != first && *number != second);
            found.push((format!("{one} {other}"), meant));
        }
    }
    for number in missing {
        let Some(word) = query.word(number) else { continue };
        let clause = &query.clauses[number];
        if let Some(meant) = alternatives::of(vocabulary, word, clause, has_match) {
            found.push((word.to_owned(), meant));
        }
    }
    found
}

impl Query {
    /// The word of a clause that is one.
    fn word(&self, clause: usize) -> Option<&str> {
        match &self.clauses.get(clause)?.kind {
            ClauseKind::Word(TermPattern::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Replaces the phrases by their words.
    fn unquote(&mut self) {
        let phrases = std::mem::replace(&mut self.clauses, std::mem::take(&mut self.unquoted));
        for phrase in phrases {
            let ClauseKind::Phrase(words) = phrase.kind else { continue };
            let text = |(pattern, _): &(TermPattern, u32)| match pattern {
                TermPattern::Word(text) | TermPattern::Prefix(text) | TermPattern::Stem(text) => text.clone(),
            };
            let meant = words.iter().map(text).collect::<Vec<_>>().join(" ");
            let clauses = (0..self.clauses.len()).collect();
            self.alternatives.push(Alternative { written: format!("\"{meant}\""), meant, clauses });
        }
    }

    fn add(&mut self, written: String, Meant { meant, clauses }: Meant) {
        let first = self.clauses.len();
        self.clauses.extend(clauses);
        self.alternatives.push(Alternative { written, meant, clauses: (first..self.clauses.len()).collect() });
    }
}

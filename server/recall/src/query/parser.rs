//! Query text to clauses.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::{Clause, ClauseKind, TermPattern};
use crate::text::{IndexToken, TokenKind, tokenize, without_marks};
use crate::tuning::{MAX_QUERY_PREFIXES, MAX_QUERY_WORDS};

#[derive(Default)]
pub(super) struct Parser {
    words: Vec<Clause>,
    phrases: Vec<Clause>,
    pairs: Vec<Clause>,
    known_words: HashMap<TermPattern, usize, RandomState>,
    known_pairs: HashSet<(usize, usize), RandomState>,
    prefixes: usize,
    words_in_phrases: usize,
}

impl Parser {
    /// The clauses of a normalized query, words first: pairs refer to words by number. For a query of phrases only, also
    /// the clauses of its words.
    pub(super) fn parse(text: &str) -> (Vec<Clause>, Vec<Clause>) {
        let (unquoted, quoted) = split_quotes(text);
        let mut parser = Parser::default();
        unquoted.into_iter().for_each(|piece| parser.add_words(piece));
        let has_words = !parser.words.is_empty();
        quoted.iter().for_each(|piece| parser.add_phrase(piece));
        let mut of_words = Parser::default();
        if has_words {
            quoted.into_iter().for_each(|piece| parser.add_words(piece));
        } else if !parser.phrases.is_empty() {
            quoted.into_iter().for_each(|piece| of_words.add_words(piece));
        }
        (parser.into_clauses(), of_words.into_clauses())
    }

    fn into_clauses(self) -> Vec<Clause> {
        self.words.into_iter().chain(self.phrases).chain(self.pairs).collect()
    }

    /// Adds the words of `text`, and the pairs of adjacent words. The words of a name, and the names of a path, share
    /// the weight of one word.
    fn add_words(&mut self, text: &str) {
        let mut previous: Option<(usize, u32)> = None;
        tokenize(text, &mut |token| {
            let Some(pattern) = self.pattern(text, &token) else { return };
            let Some(clause) = self.add_word(pattern, 1.0 / f64::from(token.siblings)) else { return };
            self.words[clause].is_compound |= token.kind == TokenKind::Compound;
            if token.kind == TokenKind::Word
                && let Some((neighbour, position)) = previous.replace((clause, token.position))
                && position + 1 == token.position
            {
                self.add_pair(neighbour, clause);
            }
        });
    }

    /// Adds `text` as a phrase; a phrase of one word is a word.
    fn add_phrase(&mut self, text: &str) {
        let mut words = Vec::new();
        tokenize(text, &mut |token| {
            if token.kind != TokenKind::Compound && self.words_in_phrases < MAX_QUERY_WORDS {
                self.words_in_phrases += 1;
                words.extend(self.pattern(text, &token).map(|pattern| (pattern, token.position)));
            }
        });
        let Some(&(_, first)) = words.first() else { return };
        words.iter_mut().for_each(|(_, position)| *position -= first);
        match <[_; 1]>::try_from(words) {
            Ok([(pattern, _)]) => {
                self.add_word(pattern, 1.0);
            }
            Err(words) => self.phrases.push(Clause::new(words.len() as f64, ClauseKind::Phrase(words))),
        }
    }

    /// The number of the clause for `pattern`; `None` if the query has too many words.
    fn add_word(&mut self, pattern: TermPattern, weight: f64) -> Option<usize> {
        if let Some(&known) = self.known_words.get(&pattern) {
            let clause = &mut self.words[known];
            clause.weight = clause.weight.max(weight);
            return Some(known);
        }
        if self.words.len() == MAX_QUERY_WORDS {
            return None;
        }
        self.known_words.insert(pattern.clone(), self.words.len());
        self.words.push(Clause::new(weight, ClauseKind::Word(pattern)));
        Some(self.words.len() - 1)
    }

    fn add_pair(&mut self, first: usize, second: usize) {
        let is_word = |clause: usize| matches!(self.words[clause].kind, ClauseKind::Word(TermPattern::Word(_)));
        if is_word(first) && is_word(second) && self.known_pairs.insert((first, second)) {
            self.pairs.push(Clause::new(1.0, ClauseKind::Pair(first, second)));
        }
    }

    /// The pattern of a token of `text`.
    fn pattern(&mut self, text: &str, token: &IndexToken<'_>) -> Option<TermPattern> {
        let is_prefix = match token.kind {
            TokenKind::Word | TokenKind::Compound => is_starred(&text[token.end..]),
            TokenKind::Bigram => false,
            // in the index each character of a run begins a term, so a prefix finds it anywhere
            TokenKind::LastOfRun { is_only: true } => true,
            // the previous bigram contains it
            TokenKind::LastOfRun { is_only: false } => return None,
        };
        if is_prefix && self.prefixes < MAX_QUERY_PREFIXES {
            self.prefixes += 1;
            return Some(TermPattern::Prefix(without_marks(token.word).into_owned()));
        }
        Some(TermPattern::Word(token.word.to_owned()))
    }
}

/// Whether one star follows a word; two stars are emphasis.
fn is_starred(rest: &str) -> bool {
    rest.starts_with('*') && !rest.starts_with("**")
}

/// The pieces of `text` outside and inside quotation marks; an unclosed mark is ignored.
fn split_quotes(text: &str) -> (Vec<&str>, Vec<&str>) {
    let split = |text| str::split_once(text, ['"', '“', '”', '„', '«', '»']);
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = split(rest) {
        let Some((quoted, behind)) = split(after) else { break };
        outside.push(before);
        inside.push(quoted);
        rest = behind;
    }
    outside.push(rest);
    (outside, inside)
}

//! Pieces of text to units.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::{MAX_QUERY_PREFIXES, MAX_QUERY_WORDS, Unit, Wanted, What};
use crate::text::{Shape, Token, scan, without_marks};

#[derive(Default)]
pub(super) struct Parser {
    words: Vec<Unit>,
    phrases: Vec<Unit>,
    pairs: Vec<Unit>,
    known_words: HashMap<Wanted, usize, RandomState>,
    known_pairs: HashSet<(usize, usize), RandomState>,
    prefixes: usize,
    words_in_phrases: usize,
}

impl Parser {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Adds each word of `text`, and each pair of neighbours.
    ///
    /// The parts of a name share what one word counts, as do those of a path. `hear` is told every token.
    pub(super) fn words(&mut self, text: &str, hear: &mut dyn FnMut(&Token<'_>)) {
        let mut before: Option<(usize, u32)> = None;
        scan(text, &mut |token| {
            hear(&token);
            let Some(wanted) = self.wanted(text, &token) else { return };
            let Some(unit) = self.word(wanted, 1.0 / f64::from(token.siblings)) else { return };
            if token.shape == Shape::Part
                && let Some((neighbour, position)) = before.replace((unit, token.position))
                && position + 1 == token.position
            {
                self.pair(neighbour, unit);
            }
        });
    }

    /// Adds `text` as a phrase; a single word is a word.
    pub(super) fn phrase(&mut self, text: &str) {
        let mut words = Vec::new();
        scan(text, &mut |token| {
            if token.shape != Shape::Whole && self.words_in_phrases < MAX_QUERY_WORDS {
                self.words_in_phrases += 1;
                words.extend(self.wanted(text, &token).map(|wanted| (wanted, token.position)));
            }
        });
        let Some(&(_, first)) = words.first() else { return };
        words.iter_mut().for_each(|(_, position)| *position -= first);
        match <[_; 1]>::try_from(words) {
            Ok([(wanted, _)]) => {
                self.word(wanted, 1.0);
            }
            Err(words) => self.phrases.push(Unit { weight: words.len() as f64, what: What::Phrase(words) }),
        }
    }

    /// The number of the unit for `wanted`, when there is room.
    fn word(&mut self, wanted: Wanted, weight: f64) -> Option<usize> {
        if let Some(&known) = self.known_words.get(&wanted) {
            let unit = &mut self.words[known];
            unit.weight = unit.weight.max(weight);
            return Some(known);
        }
        if self.words.len() == MAX_QUERY_WORDS {
            return None;
        }
        self.known_words.insert(wanted.clone(), self.words.len());
        self.words.push(Unit { weight, what: What::Word(wanted) });
        Some(self.words.len() - 1)
    }

    fn pair(&mut self, first: usize, second: usize) {
        let is_word = |unit: usize| matches!(self.words[unit].what, What::Word(Wanted::Word(_)));
        if is_word(first) && is_word(second) && self.known_pairs.insert((first, second)) {
            self.pairs.push(Unit { weight: 1.0, what: What::Pair(first, second) });
        }
    }

    /// What `token` of `text` looks for.
    fn wanted(&mut self, text: &str, token: &Token<'_>) -> Option<Wanted> {
        let is_prefix = match token.shape {
            Shape::Part | Shape::Whole => is_starred(&text[token.end..]),
            Shape::Gram => false,
            // in the index every character of a run begins a term, so this one is found wherever it stands
            Shape::LastOfRun { alone: true } => true,
            // the term before holds it
            Shape::LastOfRun { alone: false } => return None,
        };
        if is_prefix && self.prefixes < MAX_QUERY_PREFIXES {
            self.prefixes += 1;
            return Some(Wanted::Prefix(without_marks(token.word).into_owned()));
        }
        Some(Wanted::Word(token.word.to_owned()))
    }

    /// Words first: pairs name them by number.
    pub(super) fn finish(self) -> Vec<Unit> {
        self.words.into_iter().chain(self.phrases).chain(self.pairs).collect()
    }
}

/// Whether what comes after a word says that it is the beginning of one; two stars are somebody's emphasis.
fn is_starred(rest: &str) -> bool {
    rest.starts_with('*') && !rest.starts_with("**")
}

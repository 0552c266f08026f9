//! A query in the words of one language.

use std::borrow::Cow;

use super::scoring::Scoring;
use crate::query::{Query, Unit, Wanted, What};
use crate::text::Language;

/// What of a query is looked for among memories of one language, in the order in which it is added up.
pub(super) struct Plan<'q> {
    /// What each word must have, by the number of its unit; none for what is no word.
    pub(super) keys: Vec<Option<Key<'q>>>,
    pub(super) steps: Vec<Step<'q>>,
}

pub(super) struct Step<'q> {
    /// Number of the unit in the query.
    pub(super) unit: usize,
    pub(super) weight: f64,
    pub(super) role: Role,
    pub(super) look: Look<'q>,
}

/// What a match does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It finds a memory.
    Finds,
    /// It raises what others found.
    Raises,
}

/// Where a unit stands.
pub(super) enum Look<'q> {
    /// Where the word does.
    Word,
    /// Where these two words, by the numbers of their units, stand next to each other.
    Pair(usize, usize),
    /// Where each word stands at its distance from the first.
    Phrase(Vec<(Key<'q>, u32)>),
}

/// What a term must have.
pub(super) enum Key<'q> {
    Stem(Cow<'q, str>),
    /// Of the word as it is written.
    Prefix(&'q str),
}

impl<'q> Plan<'q> {
    pub(super) fn new(query: &'q Query, language: Language, scoring: &Scoring) -> Self {
        let (keys, is_stop) = words(query, language);
        let (stop_words, content): (Vec<_>, Vec<_>) = (0..query.units.len()).partition(|&unit| is_stop[unit]);
        let step = |unit, weight, role| {
            let Unit { weight: own, what } = &query.units[unit];
            let weight = own * weight * if matches!(what, What::Pair(..)) { scoring.pairs } else { 1.0 };
            Step { unit, weight, role, look: Look::at(what, language) }
        };
        let finds = |unit: usize| step(unit, 1.0, Role::Finds);
        if content.is_empty() {
            return Plan { steps: stop_words.into_iter().map(finds).collect(), keys };
        }
        // pairs with a stop word in them are common and say little
        let is_pair = |unit: usize| matches!(query.units[unit].what, What::Pair(..));
        let raising = stop_words.into_iter().filter(|&unit| !is_pair(unit));
        let steps =
            content.into_iter().map(finds).chain(raising.map(|unit| step(unit, scoring.stop_words, Role::Raises)));
        Plan { steps: steps.collect(), keys }
    }
}

/// The words of a query in one language, each brought to its stem once however many pairs it is part of; and which of
/// all units are stop words, or pairs with one.
fn words<'q>(query: &'q Query, language: Language) -> (Vec<Option<Key<'q>>>, Vec<bool>) {
    let key = |unit: &'q Unit| match &unit.what {
        What::Word(word) => Some(Key::new(word, language)),
        What::Phrase(_) | What::Pair(..) => None,
    };
    let keys: Vec<Option<Key<'q>>> = query.units.iter().map(key).collect();
    let of_words: Vec<bool> =
        (0..keys.len()).map(|unit| keys[unit].is_some() && query.is_stop_word(unit, language)).collect();
    let is_stop = query.units.iter().zip(&of_words).map(|(unit, of_word)| match unit.what {
        What::Pair(first, second) => of_words[first] || of_words[second],
        What::Word(_) | What::Phrase(_) => *of_word,
    });
    let is_stop = is_stop.collect();
    (keys, is_stop)
}

impl<'q> Look<'q> {
    fn at(what: &'q What, language: Language) -> Self {
        match what {
            What::Word(_) => Look::Word,
            What::Pair(first, second) => Look::Pair(*first, *second),
            What::Phrase(words) => {
                Look::Phrase(words.iter().map(|(word, at)| (Key::new(word, language), *at)).collect())
            }
        }
    }
}

impl<'q> Key<'q> {
    fn new(wanted: &'q Wanted, language: Language) -> Self {
        match wanted {
            Wanted::Word(word) => Key::Stem(language.stem(word)),
            Wanted::Prefix(prefix) => Key::Prefix(prefix),
        }
    }
}

//! A query in the words of one language.

use super::scoring::Scoring;
use crate::byline::Byline;
use crate::query::{Query, Unit, Wanted, What};
use crate::text::{Language, without_marks};

/// What of a query is looked for among memories of one language, in the order in which it is added up.
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
}

pub(super) struct Step {
    /// Number of the unit in the query.
    pub(super) unit: usize,
    pub(super) weight: f64,
    pub(super) role: Role,
    pub(super) look: Look,
    /// The word, where it may be the author's name too.
    name: Option<Name>,
}

/// A word of a name.
enum Name {
    Whole(String),
    Beginning(String),
}

/// What a match does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It finds a memory.
    Finds,
    /// It raises what others found.
    Raises,
}

pub(super) enum Look {
    Up(Key),
    Phrase(Vec<(Key, u32)>),
}

/// What a term must have.
#[derive(Clone)]
pub(super) enum Key {
    Stem(String),
    /// Of the word as it is written.
    Prefix(String),
}

impl Plan {
    pub(super) fn new(query: &Query, language: Language, scoring: &Scoring) -> Self {
        let words = Words::of(query, language);
        let (stop_words, content): (Vec<_>, Vec<_>) = (0..query.units.len()).partition(|&unit| words.is_stop[unit]);
        let step = |unit, weight, role| {
            let Unit { weight: own, what } = &query.units[unit];
            let weight = own * weight * if matches!(what, What::Pair(..)) { scoring.pairs } else { 1.0 };
            Step { unit, weight, role, look: words.look(unit, what), name: Name::new(what) }
        };
        let finds = |unit: usize| step(unit, 1.0, Role::Finds);
        if content.is_empty() {
            return Plan { steps: stop_words.into_iter().map(finds).collect() };
        }
        // pairs with a stop word in them are common and say little
        let is_pair = |unit: usize| matches!(query.units[unit].what, What::Pair(..));
        let raising = stop_words.into_iter().filter(|&unit| !is_pair(unit));
        let steps =
            content.into_iter().map(finds).chain(raising.map(|unit| step(unit, scoring.stop_words, Role::Raises)));
        Plan { steps: steps.collect() }
    }
}

impl Step {
    /// Whether it names whoever has this byline.
    pub(super) fn names(&self, byline: &Byline) -> bool {
        match &self.name {
            Some(Name::Whole(word)) => byline.has(word),
            Some(Name::Beginning(prefix)) => byline.has_prefix(prefix),
            None => false,
        }
    }
}

impl Name {
    fn new(what: &What) -> Option<Self> {
        match what {
            What::Word(Wanted::Word(word)) => Some(Name::Whole(without_marks(word).into_owned())),
            What::Word(Wanted::Prefix(prefix)) => Some(Name::Beginning(prefix.clone())),
            What::Phrase(_) | What::Pair(..) => None,
        }
    }
}

/// The words of a query in one language, each brought to its stem once, however many pairs it is part of.
struct Words {
    language: Language,
    /// By the number of the unit; none for what is no word.
    keys: Vec<Option<Key>>,
    is_stop: Vec<bool>,
}

impl Words {
    fn of(query: &Query, language: Language) -> Self {
        let key = |unit: &Unit| match &unit.what {
            What::Word(word) => Some(Key::new(word, language)),
            What::Phrase(_) | What::Pair(..) => None,
        };
        let keys: Vec<Option<Key>> = query.units.iter().map(key).collect();
        let of_words: Vec<bool> =
            (0..keys.len()).map(|unit| keys[unit].is_some() && query.is_stop_word(unit, language)).collect();
        let is_stop = query.units.iter().zip(&of_words).map(|(unit, of_word)| match unit.what {
            What::Pair(first, second) => of_words[first] || of_words[second],
            What::Word(_) | What::Phrase(_) => *of_word,
        });
        Self { language, is_stop: is_stop.collect(), keys }
    }

    fn look(&self, unit: usize, what: &What) -> Look {
        let key = |unit: usize| self.keys[unit].clone();
        match what {
            What::Word(word) => Look::Up(key(unit).unwrap_or_else(|| Key::new(word, self.language))),
            What::Phrase(words) => {
                Look::Phrase(words.iter().map(|(word, at)| (Key::new(word, self.language), *at)).collect())
            }
            What::Pair(first, second) => Look::Phrase([*first, *second].into_iter().filter_map(key).zip(0..).collect()),
        }
    }
}

impl Key {
    fn new(wanted: &Wanted, language: Language) -> Self {
        match wanted {
            Wanted::Word(word) => Key::Stem(language.stem(word).into_owned()),
            Wanted::Prefix(prefix) => Key::Prefix(prefix.clone()),
        }
    }
}

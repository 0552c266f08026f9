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
pub(super) enum Key {
    Stem(String),
    /// Of the word as it is written.
    Prefix(String),
}

impl Plan {
    pub(super) fn new(query: &Query, language: Language, scoring: &Scoring) -> Self {
        let numbers = 0..query.units.len();
        let (stop_words, content): (Vec<_>, Vec<_>) = numbers.partition(|&unit| query.is_stop_word(unit, language));
        let step = |unit, weight, role| {
            let Unit { weight: own, what } = &query.units[unit];
            let weight = own * weight * if matches!(what, What::Pair(..)) { scoring.pairs } else { 1.0 };
            Step { unit, weight, role, look: Look::new(what, query, language), name: Name::new(what) }
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

impl Look {
    fn new(what: &What, query: &Query, language: Language) -> Self {
        match what {
            What::Word(word) => Look::Up(Key::new(word, language)),
            What::Phrase(words) => {
                Look::Phrase(words.iter().map(|(word, at)| (Key::new(word, language), *at)).collect())
            }
            What::Pair(first, second) => {
                let words = [*first, *second].into_iter().filter_map(|unit| match &query.units[unit].what {
                    What::Word(word) => Some(Key::new(word, language)),
                    What::Phrase(_) | What::Pair(..) => None,
                });
                Look::Phrase(words.zip(0..).collect())
            }
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

//! Who speaks how: of himself, or to another.

use std::ops::AddAssign;

use crate::doc::Doc;
use crate::text::Person;

/// How often words of the first and of the second person stand in some memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Voice {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

impl Voice {
    pub(super) fn of(doc: &Doc) -> Self {
        let mut voice = Voice::default();
        for term in doc.terms().iter() {
            let count = term.positions.len() as u32;
            match Person::of(term.word, doc.analysis.language()) {
                Some(Person::First) => voice.first = voice.first.saturating_add(count),
                Some(Person::Second) => voice.second = voice.second.saturating_add(count),
                None => {}
            }
        }
        voice
    }
}

impl AddAssign for Voice {
    fn add_assign(&mut self, other: Self) {
        self.first = self.first.saturating_add(other.first);
        self.second = self.second.saturating_add(other.second);
    }
}

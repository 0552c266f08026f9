//! Who speaks of whom: words by which people speak of themselves, and by which they address another.

use std::sync::LazyLock;

use super::language::Language;
use super::lists::WordList;

static FIRST: LazyLock<WordList> = LazyLock::new(|| WordList::read(include_str!("first_person.txt")));
static SECOND: LazyLock<WordList> = LazyLock::new(|| WordList::read(include_str!("second_person.txt")));

/// Whom a word is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Person {
    /// Whoever speaks.
    First,
    /// Whoever is spoken to.
    Second,
}

impl Person {
    /// Whom `word`, folded and without marks, is about in a text of `language`.
    pub(crate) fn of(word: &str, language: Language) -> Option<Self> {
        if FIRST.languages_of(word).contains(language) {
            Some(Person::First)
        } else if SECOND.languages_of(word).contains(language) {
            Some(Person::Second)
        } else {
            None
        }
    }
}

//! Words that say little of what a question is about, by language.

use std::sync::LazyLock;

use super::lists::{Languages, WordList};

static WORDS: LazyLock<WordList> = LazyLock::new(|| WordList::read(include_str!("stop_words.txt")));

/// The languages in which `word`, folded and without marks, is a stop word.
pub(super) fn languages_of(word: &str) -> Languages {
    WORDS.languages_of(word)
}

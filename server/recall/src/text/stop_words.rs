//! Words that say little of what a question is about, by language.

use std::sync::{LazyLock, OnceLock};

use super::language::Language;
use super::lists::{Languages, WordList};
use crate::strings::Strings;

static WORDS: LazyLock<WordList> = LazyLock::new(|| WordList::read(include_str!("stop_words.txt")));

/// Their stems in each language, by the number of the word.
///
/// They are half of what people write, and found here sooner than brought to their stems again.
static STEMS: [OnceLock<Strings>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];

/// The languages in which `word`, folded and without marks, is a stop word.
pub(super) fn languages_of(word: &str) -> Languages {
    WORDS.languages_of(word)
}

/// All of them, by their numbers.
pub(super) fn all() -> Vec<&'static str> {
    WORDS.in_order()
}

/// What `stem` makes of `word`, folded and without marks, in `language`, where it is a stop word of any.
pub(super) fn stem_of(word: &str, language: Language, stem: impl Fn(&str) -> String) -> Option<&'static str> {
    let listed = WORDS.find(word)?;
    let stems = STEMS[language as usize].get_or_init(|| {
        let stems: Vec<String> = all().into_iter().map(stem).collect();
        stems.iter().map(String::as_str).collect()
    });
    Some(stems.get(listed.number))
}

//! Lists of words by language.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::language::Language;
use super::without_marks;

/// Words, each with the languages that a list has it for.
pub(super) struct WordList(HashMap<String, Languages, RandomState>);

impl WordList {
    /// Reads lines of `Language: word word …`; words of `Others` are of scripts that tell the language by themselves, and
    /// count in every language. Lines with `#` are remarks.
    pub(super) fn read(lines: &str) -> Self {
        let mut all = HashMap::<String, Languages, RandomState>::default();
        let lists = lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
        for (name, words) in lists {
            let named =
                Language::ALL.into_iter().filter(|language| name == "Others" || name == format!("{language:?}"));
            let languages = named.fold(0, |bits, language| bits | bit(language));
            for word in words.split_whitespace() {
                all.entry(without_marks(word).into_owned()).or_default().0 |= languages;
            }
        }
        WordList(all)
    }

    /// The languages for which the list has `word`, folded and without marks.
    pub(super) fn languages_of(&self, word: &str) -> Languages {
        self.0.get(word).copied().unwrap_or_default()
    }
}

/// A set of languages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Languages(u16);

impl Languages {
    pub(super) fn contains(self, language: Language) -> bool {
        self.0 & bit(language) != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Language> {
        Language::ALL.into_iter().filter(move |&language| self.contains(language))
    }
}

fn bit(language: Language) -> u16 {
    1 << language as u8
}

//! Lists of words by language.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::language::Language;
use super::without_marks;

/// Words, each with the languages that a list has it for.
pub(super) struct WordList(HashMap<String, Listed, RandomState>);

/// A word of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    /// Which one it is, counted from 0.
    pub(super) number: u32,
    pub(super) languages: Languages,
}

impl WordList {
    /// Reads lines of `Language: word word …`; words of `Others` are of scripts that tell the language by themselves, and
    /// count in every language. Lines with `#` are remarks.
    pub(super) fn read(lines: &str) -> Self {
        let mut all = HashMap::<String, Listed, RandomState>::default();
        let lists = lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
        for (name, words) in lists {
            let named =
                Language::ALL.into_iter().filter(|language| name == "Others" || name == format!("{language:?}"));
            let languages = named.fold(0, |bits, language| bits | bit(language));
            for word in words.split_whitespace() {
                let new = Listed { number: all.len() as u32, languages: Languages::default() };
                all.entry(without_marks(word).into_owned()).or_insert(new).languages.0 |= languages;
            }
        }
        WordList(all)
    }

    /// What the list has of `word`, folded and without marks.
    pub(super) fn find(&self, word: &str) -> Option<Listed> {
        self.0.get(word).copied()
    }

    /// The languages for which the list has `word`, folded and without marks.
    pub(super) fn languages_of(&self, word: &str) -> Languages {
        self.find(word).map_or(Languages::default(), |listed| listed.languages)
    }

    /// All words by their numbers.
    pub(super) fn in_order(&self) -> Vec<&str> {
        let mut words: Vec<(u32, &str)> = self.0.iter().map(|(word, listed)| (listed.number, word.as_str())).collect();
        words.sort_unstable();
        words.into_iter().map(|(_, word)| word).collect()
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

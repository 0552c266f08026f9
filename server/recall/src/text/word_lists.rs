//! Lists of words by language: stop words and personal pronouns.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::language::Language;
use super::without_marks;

/// Words that carry little information about the subject of a question.
pub(super) static STOP_WORDS: LazyLock<WordList> = LazyLock::new(|| WordList::parse(include_str!("stop_words.txt")));
static FIRST_PERSON: LazyLock<WordList> = LazyLock::new(|| WordList::parse(include_str!("first_person.txt")));
static SECOND_PERSON: LazyLock<WordList> = LazyLock::new(|| WordList::parse(include_str!("second_person.txt")));

/// The grammatical person of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Person {
    /// The speaker.
    First,
    /// The addressee.
    Second,
}

impl Person {
    /// The person of `word`, folded and without diacritics, in a text of `language`.
    pub(crate) fn of(word: &str, language: Language) -> Option<Self> {
        let lists = [(&FIRST_PERSON, Person::First), (&SECOND_PERSON, Person::Second)];
        lists.into_iter().find(|(list, _)| list.languages_of(word).contains(language)).map(|(_, person)| person)
    }
}

/// Words, each with its languages.
pub(super) struct WordList(HashMap<String, ListedWord, RandomState>);

#[derive(Clone, Copy, Debug)]
pub(super) struct ListedWord {
    /// Index in the list, from 0.
    pub(super) number: u32,
    languages: LanguageSet,
}

impl WordList {
    /// Parses lines of `Language: word word …`. Words of `Others` are of scripts that imply the language, and belong to
    /// every language. Lines that start with `#` are comments.
    fn parse(lines: &str) -> Self {
        let mut all = HashMap::<String, ListedWord, RandomState>::default();
        let lists = lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
        for (name, words) in lists {
            let named =
                Language::ALL.into_iter().filter(|language| name == "Others" || name == format!("{language:?}"));
            let languages = named.fold(0, |bits, language| bits | bit(language));
            for word in words.split_whitespace() {
                let new = ListedWord { number: all.len() as u32, languages: LanguageSet::default() };
                all.entry(without_marks(word).into_owned()).or_insert(new).languages.0 |= languages;
            }
        }
        WordList(all)
    }

    /// The entry of `word`, folded and without diacritics.
    pub(super) fn find(&self, word: &str) -> Option<ListedWord> {
        self.0.get(word).copied()
    }

    /// The languages of `word`, folded and without diacritics.
    pub(super) fn languages_of(&self, word: &str) -> LanguageSet {
        self.find(word).map_or(LanguageSet::default(), |listed| listed.languages)
    }

    /// Number of words.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LanguageSet(u16);

impl LanguageSet {
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

//! Languages, as far as stemming cares.

use std::borrow::Cow;
use std::collections::HashSet;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer};

use super::script::Script;
use super::{stop_words, without_marks};

/// A language of the Latin script that has a stemmer, and by which a text's Latin words are stemmed.
///
/// Greek, Cyrillic, Arabic and Tamil words are stemmed by their script, in a text of any language; words of other
/// scripts are kept as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Language {
    /// Also for texts too short or too mixed to tell.
    #[default]
    English = 0,
    Danish = 1,
    Dutch = 2,
    Finnish = 3,
    French = 4,
    German = 5,
    Hungarian = 6,
    Italian = 7,
    Norwegian = 8,
    Portuguese = 9,
    Romanian = 10,
    Spanish = 11,
    Swedish = 12,
    Turkish = 13,
}

impl Language {
    /// All of them, in the order of their numbers.
    pub const ALL: [Language; 14] = [
        Language::English,
        Language::Danish,
        Language::Dutch,
        Language::Finnish,
        Language::French,
        Language::German,
        Language::Hungarian,
        Language::Italian,
        Language::Norwegian,
        Language::Portuguese,
        Language::Romanian,
        Language::Spanish,
        Language::Swedish,
        Language::Turkish,
    ];

    /// The language of a text of these words (folded), when that is certain; else English.
    ///
    /// Counted are the different stop words of each language among the first words; another language must be ahead of
    /// English by two. That suffices for half a sentence, costs a look-up a word (a trigram model fifty times as much), and a
    /// mistake costs little: words are found by themselves all the same, only inflections may be missed. Near relatives
    /// (Danish and Norwegian) are mistaken for each other, which matters even less.
    pub(crate) fn detect<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        const SAMPLE: usize = 256;
        const LEAD: u32 = 2;
        let mut counts = [0; Language::ALL.len()];
        let mut counted = HashSet::<&str, RandomState>::default();
        for word in words.take(SAMPLE).filter(|word| word.chars().nth(1).is_some()) {
            let languages = stop_words::languages_of(&without_marks(word));
            if !languages.is_empty() && counted.insert(word) {
                languages.iter().for_each(|language| counts[language as usize] += 1);
            }
        }
        let needed = counts[Language::English as usize] + LEAD;
        let certain = Language::ALL.into_iter().rev().filter(|&language| counts[language as usize] >= needed);
        certain.max_by_key(|&language| counts[language as usize]).unwrap_or_default()
    }

    /// What a folded word is looked up by: its stem, without marks.
    ///
    /// Words with anything but letters in them are their own stem.
    pub(crate) fn stem(self, word: &str) -> Cow<'_, str> {
        let cut = |word: &str| self.cut(word).into_owned();
        let common = word.is_ascii().then(|| stop_words::stem_of(word, self, cut)).flatten();
        common.map_or_else(|| self.cut(word), Cow::Borrowed)
    }

    /// The stem of a word, made anew.
    fn cut(self, word: &str) -> Cow<'_, str> {
        let algorithm = word.chars().next().and_then(|first| self.algorithm(first));
        let Some(algorithm) = algorithm.filter(|_| word.chars().all(char::is_alphabetic)) else {
            return without_marks(word);
        };
        match Stemmer::create(algorithm).stem(word) {
            Cow::Borrowed(stem) if !stem.is_empty() => without_marks(stem),
            Cow::Owned(stem) if !stem.is_empty() => Cow::Owned(without_marks(&stem).into_owned()),
            _ => without_marks(word),
        }
    }

    /// Whether `word` (folded, without marks) says little of what a question is about.
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        stop_words::languages_of(word).contains(self)
    }

    fn algorithm(self, first: char) -> Option<Algorithm> {
        match Script::of(first) {
            Script::Latin => Some(self.latin_algorithm()),
            Script::Greek => Some(Algorithm::Greek),
            Script::Cyrillic => Some(Algorithm::Russian),
            Script::Arabic => Some(Algorithm::Arabic),
            Script::Tamil => Some(Algorithm::Tamil),
            Script::Other => None,
        }
    }

    fn latin_algorithm(self) -> Algorithm {
        match self {
            Language::English => Algorithm::English,
            Language::Danish => Algorithm::Danish,
            Language::Dutch => Algorithm::Dutch,
            Language::Finnish => Algorithm::Finnish,
            Language::French => Algorithm::French,
            Language::German => Algorithm::German,
            Language::Hungarian => Algorithm::Hungarian,
            Language::Italian => Algorithm::Italian,
            Language::Norwegian => Algorithm::Norwegian,
            Language::Portuguese => Algorithm::Portuguese,
            Language::Romanian => Algorithm::Romanian,
            Language::Spanish => Algorithm::Spanish,
            Language::Swedish => Algorithm::Swedish,
            Language::Turkish => Algorithm::Turkish,
        }
    }
}

impl TryFrom<u8> for Language {
    type Error = u8;

    fn try_from(number: u8) -> Result<Self, u8> {
        Language::ALL.get(usize::from(number)).copied().ok_or(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_word_has_the_stem_that_it_would_have_without_a_list() {
        for language in Language::ALL {
            for word in stop_words::all().into_iter().filter(|word| word.is_ascii()) {
                assert_eq!(language.stem(word), language.cut(word), "{word} in {language:?}");
            }
        }
    }
}

//! Languages: detection and stemming.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer};

use super::without_marks;
use super::word_lists::STOP_WORDS;
use crate::tuning::{LANGUAGE_LEAD, LANGUAGE_SAMPLE_BYTES, LANGUAGE_SAMPLE_WORDS};

/// The stems of the stop words in each language, by the number of the word.
///
/// Stop words are half of a typical text, and a look-up is faster than stemming. A word is stemmed when it is first
/// needed: the first search after a start has a few stop words, in each language of the index.
static STOP_WORD_STEMS: [OnceLock<LazyStems>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];

type LazyStems = Box<[OnceLock<Box<str>>]>;

/// A language of the Latin script with a stemmer: the language by which the Latin words of a text are stemmed.
///
/// Greek, Cyrillic, Arabic and Tamil words are stemmed by their script, in a text of any language; words of other
/// scripts are not stemmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are those of the languages")]
pub enum Language {
    /// Also the language of texts that are too short or too mixed to detect.
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
    /// All languages, by number.
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

    /// The language of a text of these folded words if it is certain, else English.
    ///
    /// Counts the different stop words of each language among the first words; another language must lead English by
    /// two. Half a sentence is enough, at the cost of one look-up per word. A note of a few words has one stop word more
    /// than English at most, so with a lead of one the language that the letters suggest decides among the leaders.
    /// An error costs little: words still match themselves, only inflections may be missed. Close relatives (Danish and
    /// Norwegian) are confused, which matters even less.
    pub(crate) fn detect<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> Self {
        let mut counts = [0; Language::ALL.len()];
        let mut counted = HashSet::<&str, RandomState>::default();
        for word in words.take(LANGUAGE_SAMPLE_WORDS).filter(|word| word.chars().nth(1).is_some()) {
            let languages = STOP_WORDS.languages_of(&without_marks(word));
            if !languages.is_empty() && counted.insert(word) {
                languages.iter().for_each(|language| counts[language as usize] += 1);
            }
        }
        let english = counts[Language::English as usize];
        let best = Language::ALL.into_iter().rev().max_by_key(|&language| counts[language as usize]);
        let best = best.unwrap_or_default();
        match counts[best as usize] - english {
            0 => Language::English,
            lead if lead >= LANGUAGE_LEAD => best,
            _ => Self::of_letters(text).filter(|&named| counts[named as usize] > english).unwrap_or_default(),
        }
    }

    /// The language that the letters of the beginning of the text suggest, by a small linear model; `None` for one of
    /// another script. The model always names one, so it needs a second witness.
    fn of_letters(text: &str) -> Option<Self> {
        let sample = &text[..text.floor_char_boundary(LANGUAGE_SAMPLE_BYTES)];
        match whichlang::detect_language(sample) {
            whichlang::Lang::Deu => Some(Language::German),
            whichlang::Lang::Eng => Some(Language::English),
            whichlang::Lang::Fra => Some(Language::French),
            whichlang::Lang::Ita => Some(Language::Italian),
            whichlang::Lang::Nld => Some(Language::Dutch),
            whichlang::Lang::Por => Some(Language::Portuguese),
            whichlang::Lang::Spa => Some(Language::Spanish),
            whichlang::Lang::Swe => Some(Language::Swedish),
            whichlang::Lang::Tur => Some(Language::Turkish),
            _ => None,
        }
    }

    /// The stem of a folded word, without diacritics: the key of a look-up.
    ///
    /// A word with anything but letters in it is its own stem.
    pub(crate) fn stem(self, word: &str) -> Cow<'_, str> {
        let Some(stop_word) = word.is_ascii().then(|| STOP_WORDS.find(word)).flatten() else {
            return self.stem_uncached(word);
        };
        let stems = STOP_WORD_STEMS[self as usize]
            .get_or_init(|| std::iter::repeat_with(OnceLock::new).take(STOP_WORDS.len()).collect());
        Cow::Borrowed(stems[stop_word.number as usize].get_or_init(|| self.stem_uncached(word).into()))
    }

    fn stem_uncached(self, word: &str) -> Cow<'_, str> {
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

    /// Whether `word` (folded, without diacritics) is a stop word of this language.
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        STOP_WORDS.languages_of(word).contains(self)
    }

    fn algorithm(self, first: char) -> Option<Algorithm> {
        match first {
            'a'..='z' | '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                Some(self.latin_algorithm())
            }
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(Algorithm::Greek),
            '\u{400}'..='\u{52f}' => Some(Algorithm::Russian),
            '\u{620}'..='\u{64a}' | '\u{66e}'..='\u{6d3}' => Some(Algorithm::Arabic),
            '\u{b80}'..='\u{bff}' => Some(Algorithm::Tamil),
            _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_stems_of_stop_words_equal_computed_stems() {
        for language in Language::ALL {
            for word in STOP_WORDS.words().filter(|word| word.is_ascii()) {
                let computed = language.stem_uncached(word);
                assert_eq!(language.stem(word), computed, "{word} in {language:?}");
                assert_eq!(language.stem(word), computed, "{word} in {language:?}, again");
            }
        }
    }
}

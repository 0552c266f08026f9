//! Text to terms.

mod abbreviations;
mod chars;
mod chunks;
mod compound;
mod edit_distance;
mod fingerprint;
mod language;
mod signs;
mod spellings;
mod summary;
mod terms;
mod tokenize;
mod word_lists;

pub use chars::fold_text;
pub use chunks::embedding_chunks;
pub use language::Language;
pub use summary::{Sentences, extractive_summary, informativeness};
pub use terms::{Term, Terms};

pub(crate) use abbreviations::{beginning_with, defining, is_definition, of_reverse_term};
pub(crate) use chars::{has_unspaced, is_letters, normalized, without_marks};
pub(crate) use compound::{IndexToken, TokenKind};
pub(crate) use edit_distance::EditDistance;
pub(crate) use fingerprint::{ContentFingerprint, ContentSketch};
pub(crate) use spellings::spellings;
pub(crate) use terms::StringPool;
pub(crate) use tokenize::tokenize;
pub(crate) use word_lists::Person;

use crate::tuning::MAX_TEXT_BYTES;
use abbreviations::Definition;
use terms::TermsBuilder;

/// A text as it is indexed; made by [`analyze`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    pub(crate) language: Language,
    pub(crate) length: u32,
    pub(crate) is_question: bool,
    /// A hash of the signs that are not words; 0 without signs.
    pub(crate) signs: u64,
    pub(crate) terms: Terms,
}

impl Analysis {
    /// The language by which the terms are stemmed.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Number of words; in scripts without spaces, of characters.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Whether the text ends in a question.
    pub fn is_question(&self) -> bool {
        self.is_question
    }

    /// A hash of the content: equal for repetitions, texts that differ only in case, diacritics, inflection, white space
    /// and punctuation without meaning.
    ///
    /// ```
    /// use orgmem_recall::analyze;
    ///
    /// let fingerprint = |text| analyze(text).fingerprint();
    /// assert_eq!(fingerprint("Deploys freeze on Fridays"), fingerprint("deploys freeze, on Friday!"));
    /// assert_ne!(fingerprint("the offset is -5"), fingerprint("the offset is 5"));
    /// ```
    pub fn fingerprint(&self) -> u64 {
        ContentFingerprint::of(self).0
    }

    /// The terms by which a search finds the text.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
}

/// Turns a text into terms.
///
/// All words are indexed, stop words too: whether a word matters depends on the query. Each word is indexed as written
/// (folded) and as the stem in the language of *this text*. A query is stemmed once for each language that occurs among
/// the memories, so a word always matches itself, however short the query and whatever language was detected. The
/// abbreviations that the text defines are terms too, which no word of a query equals.
///
/// No text is an error; characters without meaning are ignored. Of a text above 16 MiB only the first 16 MiB are indexed.
///
/// # Complexity
/// O(n log n) for n bytes, for sorting the terms; tokenization is linear.
///
/// ```
/// use orgmem_recall::analyze;
///
/// let analysis = analyze("The RateLimiter refuses 1,000 requests");
/// let words: Vec<_> = analysis.terms().iter().map(|term| term.word).collect();
/// assert_eq!(words, ["1000", "limiter", "rate", "ratelimiter", "refuses", "requests", "the"]);
/// assert_eq!(analysis.length(), 6);
/// ```
pub fn analyze(text: &str) -> Analysis {
    let text = normalized(&text[..text.floor_char_boundary(MAX_TEXT_BYTES)]);
    let (mut words, mut positions, mut ends, mut length) = (StringPool::default(), Vec::new(), Vec::new(), 0);
    tokenize(&text, &mut |token| {
        words.push(token.word);
        positions.push(token.position);
        ends.push(token.end);
        length = length.max(token.position.saturating_add(1));
    });
    let language = Language::detect(&text, words.iter());
    let mut terms = TermsBuilder::default();
    for (word, &position) in words.iter().zip(&positions) {
        terms.add(&language.stem(word), &without_marks(word), position);
    }
    for definition in Definition::all(&text) {
        let before = ends.iter().zip(&positions).take_while(|(end, _)| **end <= definition.at());
        let position = before.last().map_or(0, |(_, position)| *position);
        definition.terms().iter().for_each(|term| terms.add(term, term, position));
    }
    let (is_question, signs) = (ends_in_question(&text), signs::signs_hash(&text));
    Analysis { language, length, is_question, signs, terms: terms.finish() }
}

/// Whether a question mark follows the last word, possibly among other punctuation.
fn ends_in_question(text: &str) -> bool {
    // normalization turns the Greek question mark into a semicolon, so it is not recognized
    let is_mark = |c: char| matches!(c, '?' | '؟' | '‽');
    text.chars().rev().take_while(|c| !c.is_alphanumeric()).any(is_mark)
}

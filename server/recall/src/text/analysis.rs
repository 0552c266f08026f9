//! A text as it is indexed.

use super::language::Language;
use super::terms::{Terms, TermsBuilder};
use super::{normalized, scan, without_marks};

/// Of a longer text only so much is indexed.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// What [`analyze`] makes of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    pub(crate) language: Language,
    pub(crate) length: u32,
    pub(crate) asks: bool,
    pub(crate) terms: Terms,
}

impl Analysis {
    /// The language whose stems the terms have.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Number of words, in scripts without spaces of characters.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Whether the text ends in a question.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// What the text can be found by.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
}

/// Text to terms.
///
/// Every word is kept, stop words too: whether a word matters is for the query to say. Each is kept as written (folded)
/// and as the stem that the language of *this text* gives it. A query is stemmed once for every language that occurs
/// among the memories, so the same word always meets itself, however short the query and whatever was detected.
///
/// Total: any string gives an answer; characters that mean nothing are passed over. Of a text above 16 MiB the first
/// 16 MiB are looked at.
///
/// # Complexity
/// O(n log n) for n bytes, by sorting the terms; the scan itself is linear.
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
    let asks = ends_in_a_question(&text);
    let words = Words::of(&text);
    let language = Language::detect(words.iter().map(|(word, _)| word));
    let mut terms = TermsBuilder::default();
    for (word, position) in words.iter() {
        terms.add(&language.stem(word), &without_marks(word), position);
    }
    Analysis { language, length: words.length, asks, terms: terms.finish() }
}

/// Whether a question mark comes after the last word; what else stands there does not matter.
fn ends_in_a_question(text: &str) -> bool {
    // the Greek one is a semicolon once normalized, and not told apart from it
    let is_mark = |c: char| matches!(c, '?' | '؟' | '‽');
    text.chars().rev().take_while(|c| !c.is_alphanumeric()).any(is_mark)
}

/// The words of a text, folded, one after the other.
#[derive(Default)]
struct Words {
    text: String,
    /// Where each ends, and its position.
    ends: Vec<(usize, u32)>,
    /// Number of positions.
    length: u32,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Words::default();
        scan(text, &mut |token| {
            words.text.push_str(token.word);
            words.ends.push((words.text.len(), token.position));
            words.length = words.length.max(token.position.saturating_add(1));
        });
        words
    }

    fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, position)| {
            let word = &self.text[start..end];
            start = end;
            (word, position)
        })
    }
}

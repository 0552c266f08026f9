//! Text to terms: what is written becomes what can be found.

mod analysis;
mod emit;
mod fold;
mod language;
mod lists;
mod parts;
mod persons;
mod scan;
mod script;
mod stop_words;
mod terms;

pub use analysis::{Analysis, analyze};
pub use fold::folded;
pub use language::Language;
pub use parts::parts;
pub use terms::{Term, Terms};

pub(crate) use emit::{Shape, Token};
pub(crate) use fold::{normalized, without_marks};
pub(crate) use persons::Person;
pub(crate) use scan::scan;

/// Bytes that a word keeps at most; a longer one is cut, in memories and queries alike.
///
/// Long enough for a SHA-512 in hex or a path; short enough that no blob of base64 weighs on the index.
pub(crate) const MAX_WORD_BYTES: usize = 128;

/// `word`, cut to [`MAX_WORD_BYTES`] at a character's edge.
pub(crate) fn shortened(word: &str) -> &str {
    &word[..word.floor_char_boundary(MAX_WORD_BYTES)]
}

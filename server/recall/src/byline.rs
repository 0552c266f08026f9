//! By whom a memory is.

use crate::text::{normalized, scan, without_marks};

/// The name of an author as questions name it: its words, folded and without marks.
///
/// ```
/// use orgmem_recall::Byline;
///
/// assert_eq!(Byline::of("Dev Léad"), Byline::of("dev lead"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Byline {
    words: Vec<String>,
}

/// Words that a byline keeps.
const MAX_WORDS: usize = 32;

impl Byline {
    /// That of nobody.
    pub(crate) const NONE: &Byline = &Byline { words: Vec::new() };

    /// The byline of whoever has this name.
    pub fn of(name: &str) -> Self {
        let mut words = Vec::new();
        scan(&normalized(name), &mut |token| {
            if words.len() < MAX_WORDS {
                words.push(without_marks(token.word).into_owned());
            }
        });
        words.sort_unstable();
        words.dedup();
        Byline { words }
    }

    /// Bytes of memory that it takes.
    pub fn size_bytes(&self) -> usize {
        size_of::<Byline>() + self.words.iter().map(|word| size_of::<String>() + word.len()).sum::<usize>()
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// Whether `word`, folded and without marks, is one of the name's.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }

    /// Whether one of the name's words begins with `prefix`, folded and without marks.
    pub(crate) fn has_prefix(&self, prefix: &str) -> bool {
        self.words.iter().any(|own| own.starts_with(prefix))
    }
}

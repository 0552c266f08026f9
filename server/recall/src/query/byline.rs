//! Names of authors in queries.

use crate::text::{normalized, tokenize, without_marks};
use crate::tuning::MAX_NAME_WORDS;

/// The name of an author as queries contain it: its words, folded and without diacritics.
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

impl Byline {
    pub(crate) const NONE: &Byline = &Byline { words: Vec::new() };

    /// The byline of an author with this name.
    pub fn of(name: &str) -> Self {
        let mut words = Vec::new();
        tokenize(&normalized(name), &mut |token| {
            if words.len() < MAX_NAME_WORDS {
                words.push(without_marks(token.word).into_owned());
            }
        });
        words.sort_unstable();
        words.dedup();
        Byline { words }
    }

    /// Approximate size in memory.
    pub fn size_bytes(&self) -> usize {
        size_of::<Byline>() + self.words.iter().map(|word| size_of::<String>() + word.len()).sum::<usize>()
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.words().any(|own| own == word)
    }

    pub(crate) fn has_prefix(&self, prefix: &str) -> bool {
        self.words().any(|own| own.starts_with(prefix))
    }
}

/// Replaces each of `names` that occurs in `text`, as a word and in the same case, by the first person.
///
/// A model considers a text that addresses a person to be about that person, and texts by that person to be about
/// nobody: texts by an author are nearer to a question in the first person.
///
/// ```
/// use orgmem_recall::in_first_person;
///
/// assert_eq!(in_first_person("What does Ada's team plan?", &["Ada"]), "What does I's team plan?");
/// assert_eq!(in_first_person("Adam asked ada", &["Ada"]), "Adam asked ada");
/// ```
pub fn in_first_person<N: AsRef<str>>(text: &str, names: &[N]) -> String {
    let mut names: Vec<&str> = names.iter().map(AsRef::as_ref).filter(|name| !name.is_empty()).collect();
    // of two names with the same prefix, the longer one matches first
    names.sort_unstable_by_key(|name| std::cmp::Reverse((name.len(), *name)));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let is_word_start = !out.chars().next_back().is_some_and(char::is_alphanumeric);
        let is_here = |name: &&&str| {
            let after = rest.strip_prefix(**name);
            after.is_some_and(|after| !after.chars().next().is_some_and(char::is_alphanumeric))
        };
        if let Some(name) = names.iter().find(is_here).filter(|_| is_word_start) {
            out.push('I');
            rest = &rest[name.len()..];
        } else {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

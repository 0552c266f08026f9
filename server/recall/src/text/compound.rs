//! Tokens of a compound: its words, its names, and the whole.
//!
//! `anna.lee@example.com` is found by `anna`, `lee`, `example` and `com` (its words), by `anna.lee` and `example.com`
//! (its names), and as a whole. Joiners within names do not count: `rate_limit`, `rate-limit`, `RateLimit` and
//! `ratelimit` are one name. Only between digits they count, as a point: `1.2.3` is not `123`, but `2026-11-21` is
//! `2026/11/21`.

use super::chars::CharClass;
use super::chars::{fold_case_into, truncated};
use super::tokenize::{Atom, Joiner};
use crate::tuning::{MAX_SUBWORDS, MAX_WORD_BYTES};

/// One searchable piece of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexToken<'t> {
    /// Case-folded, at most [`MAX_WORD_BYTES`] long.
    pub(crate) word: &'t str,
    /// Position of its first word in the text, from 0.
    pub(crate) position: u32,
    pub(crate) kind: TokenKind,
    /// Tokens of the same level in its compound: 2 for each of `rate` and `limit` in `rate_limit`, 1 for the whole.
    pub(crate) siblings: u32,
    /// Byte offset of its end in the tokenized text.
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Has a position of its own.
    Word,
    /// Several words together, at the position of the first.
    Compound,
    /// Two adjacent characters of a script without spaces; has a position of its own.
    Bigram,
    /// The last character of a run of such a script; has a position of its own.
    LastOfRun { is_only: bool },
}

/// Passes tokens to a sink and counts positions.
pub(super) struct TokenEmitter<'s> {
    sink: &'s mut dyn FnMut(IndexToken<'_>),
    position: u32,
    word: String,
    name: String,
}

impl<'s> TokenEmitter<'s> {
    pub(super) fn new(sink: &'s mut dyn FnMut(IndexToken<'_>)) -> Self {
        TokenEmitter { sink, position: 0, word: String::new(), name: String::new() }
    }

    /// Emits a token with a position of its own.
    pub(super) fn word(&mut self, text: &str, kind: TokenKind, siblings: u32, end: usize) {
        self.word.clear();
        fold_letters_into(&mut self.word, text);
        (self.sink)(IndexToken { word: truncated(&self.word), position: self.position, kind, siblings, end });
        self.position = self.position.saturating_add(1);
    }

    pub(super) fn compound(&mut self, atoms: &[Atom<'_>]) {
        let first = self.position;
        let words = saturated(atoms.iter().map(|atom| subwords(atom.text).count()).sum());
        let names = saturated(atoms.iter().filter(|atom| atom.begins_name()).count());
        let mut path = String::new();
        for name in atoms.chunk_by(|_, next| !next.begins_name()) {
            self.name(name, words, names);
            if names > 1 && path.len() <= MAX_WORD_BYTES {
                if let Joiner::Path(separator) = name[0].joiner {
                    path.push(separator);
                }
                path.push_str(&self.name);
            }
        }
        if names > 1 {
            self.whole(&path, first, 1, atoms);
        }
    }

    /// Emits the words of a name, then the name if it has several; leaves its spelling in `self.name`.
    fn name(&mut self, atoms: &[Atom<'_>], words_of_compound: u32, names_of_compound: u32) {
        let first = self.position;
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        for atom in atoms {
            if name.len() <= MAX_WORD_BYTES {
                if atom.joiner == Joiner::Point {
                    name.push('.');
                }
                fold_letters_into(&mut name, atom.text);
            }
            let mut end = atom.end - atom.text.len();
            for subword in subwords(atom.text) {
                end += subword.len();
                self.word(subword, TokenKind::Word, words_of_compound, end);
            }
        }
        if self.position - first > 1 {
            self.whole(&name, first, names_of_compound, atoms);
        }
        self.name = name;
    }

    fn whole(&mut self, word: &str, position: u32, siblings: u32, atoms: &[Atom<'_>]) {
        let end = atoms.last().map_or(0, |atom| atom.end);
        (self.sink)(IndexToken { word: truncated(word), position, kind: TokenKind::Compound, siblings, end });
    }
}

/// Appends `text`, folded; `1,000` and `don't` become `1000` and `dont`.
fn fold_letters_into(out: &mut String, text: &str) {
    for piece in text.split([',', '\'', '’']) {
        fold_case_into(out, piece);
    }
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The subwords of an atom: `RateLimiter` is `Rate` and `Limiter`, `HTTPServer` is `HTTP` and `Server`, `ERR4012` is
/// `ERR` and `4012`. An atom with a comma or an apostrophe is one word.
fn subwords(atom: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    inner_edges(atom).into_iter().chain([atom.len()]).map(move |end| {
        let subword = &atom[start..end];
        start = end;
        subword
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterCase {
    Upper,
    Lower,
    Digit,
}

impl LetterCase {
    fn of(c: char) -> Self {
        match CharClass::of(c) {
            CharClass::Digit => LetterCase::Digit,
            _ if c.is_uppercase() => LetterCase::Upper,
            _ => LetterCase::Lower,
        }
    }
}

/// Byte offsets between the subwords of `atom`; none if it is not split.
fn inner_edges(atom: &str) -> Vec<usize> {
    use LetterCase::{Digit, Lower, Upper};
    if atom.bytes().all(|b| b.is_ascii_lowercase()) || atom.contains([',', '\'', '’']) {
        return Vec::new();
    }
    let cases: Vec<(usize, LetterCase)> = atom.char_indices().map(|(at, c)| (at, LetterCase::of(c))).collect();
    let case = |number: usize| cases.get(number).map(|(_, case)| *case);
    let digit_edges = cases.windows(2).filter(|pair| (pair[0].1 == Digit) != (pair[1].1 == Digit)).count();
    let is_edge = |number: &usize| match (cases[number - 1].1, cases[*number].1) {
        (Digit, Digit) => false,
        // digits are split off only where they meet letters once, so that a hash stays in one piece
        (Digit, _) | (_, Digit) => digit_edges == 1,
        (Lower, Upper) => true,
        // the last capital begins the next subword, but `APIs` is a plural
        (Upper, Upper) => case(number + 1) == Some(Lower) && case(number + 2) == Some(Lower),
        (_, Lower) => false,
    };
    let edges: Vec<usize> = (1..cases.len()).filter(is_edge).map(|number| cases[number].0).collect();
    if edges.len() < MAX_SUBWORDS { edges } else { Vec::new() }
}

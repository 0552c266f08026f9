//! What becomes of a chunk: its parts, its names, and itself as a whole.
//!
//! `anna.lee@example.com` is found by `anna`, `lee`, `example` and `com` (its parts), by `anna.lee` and `example.com`
//! (its names), and as a whole. Joiners within names do not count, so that `rate_limit`, `rate-limit`, `RateLimit` and
//! `ratelimit` are one name; only between digits they do, as a point: `1.2.3` is not `123`, but `2026-11-21` is
//! `2026/11/21`.

use super::fold::fold_case_into;
use super::scan::{Atom, Joint};
use super::script::Class;
use super::{MAX_WORD_BYTES, shortened};

/// A word with more humps than this is a blob, not a name, and is left whole.
const MAX_HUMPS: usize = 8;

/// One findable piece of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    /// Case-folded, at most [`MAX_WORD_BYTES`] long.
    pub(crate) word: &'t str,
    /// Place of its first part among the parts of the text, from 0.
    pub(crate) position: u32,
    pub(crate) shape: Shape,
    /// Tokens of its level in its chunk: 2 for each of `rate` and `limit` in `rate_limit`, 1 for the whole.
    pub(crate) siblings: u32,
    /// Where it ends in the scanned text.
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Takes a position of its own.
    Part,
    /// Several parts taken together, at the position of the first.
    Whole,
    /// Two neighbouring characters of a script without spaces; takes one position.
    Gram,
    /// The last character of such a run; takes a position. `alone` when the run is no longer.
    LastOfRun { alone: bool },
}

/// Turns chunks into tokens, counting positions.
pub(super) struct Emitter<'s> {
    sink: &'s mut dyn FnMut(Token<'_>),
    position: u32,
    word: String,
    whole: String,
}

impl<'s> Emitter<'s> {
    pub(super) fn new(sink: &'s mut dyn FnMut(Token<'_>)) -> Self {
        Emitter { sink, position: 0, word: String::new(), whole: String::new() }
    }

    /// Emits a token that stands for itself.
    pub(super) fn single(&mut self, text: &str, shape: Shape, end: usize) {
        self.word.clear();
        fold_case_into(&mut self.word, text);
        let word = shortened(&self.word);
        (self.sink)(Token { word, position: self.position, shape, siblings: 1, end });
        self.position = self.position.saturating_add(1);
    }

    pub(super) fn chunk(&mut self, atoms: &[Atom<'_>]) {
        let first = self.position;
        let parts = saturated(atoms.iter().map(|atom| humps(atom.text).count()).sum());
        let names = saturated(atoms.iter().filter(|atom| atom.begins_name()).count());
        let mut path = String::new();
        for name in atoms.chunk_by(|_, next| !next.begins_name()) {
            self.name(name, parts, names);
            if names > 1 && path.len() <= MAX_WORD_BYTES {
                path.extend(name[0].path_mark());
                path.push_str(&self.whole);
            }
        }
        if names > 1 {
            self.whole(&path, first, 1, end_of(atoms));
        }
    }

    /// Emits the parts of a name, then the name when it has several; leaves its spelling in `self.whole`.
    fn name(&mut self, atoms: &[Atom<'_>], parts_of_chunk: u32, names_of_chunk: u32) {
        let first = self.position;
        let mut whole = std::mem::take(&mut self.whole);
        whole.clear();
        for atom in atoms {
            if whole.len() <= MAX_WORD_BYTES {
                if atom.joint == Joint::Point {
                    whole.push('.');
                }
                fold_letters_into(&mut whole, atom.text);
            }
            let mut end = atom.end - atom.text.len();
            for hump in humps(atom.text) {
                end += hump.len();
                self.part(hump, parts_of_chunk, end);
            }
        }
        if self.position - first > 1 {
            self.whole(&whole, first, names_of_chunk, end_of(atoms));
        }
        self.whole = whole;
    }

    fn part(&mut self, text: &str, siblings: u32, end: usize) {
        self.word.clear();
        fold_letters_into(&mut self.word, text);
        (self.sink)(Token { word: shortened(&self.word), position: self.position, shape: Shape::Part, siblings, end });
        self.position = self.position.saturating_add(1);
    }

    fn whole(&mut self, word: &str, position: u32, siblings: u32, end: usize) {
        (self.sink)(Token { word: shortened(word), position, shape: Shape::Whole, siblings, end });
    }
}

/// `1,000` and `don't` count as `1000` and `dont`.
fn fold_letters_into(out: &mut String, text: &str) {
    for piece in text.split([',', '\'', '’']) {
        fold_case_into(out, piece);
    }
}

fn end_of(atoms: &[Atom<'_>]) -> usize {
    atoms.last().map_or(0, |atom| atom.end)
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The pieces of an atom: `RateLimiter` is `Rate` and `Limiter`, `HTTPServer` is `HTTP` and `Server`, `ERR4012` is `ERR`
/// and `4012`. Digits are cut off only where they meet letters once, so that a hash stays in one piece.
fn humps(atom: &str) -> impl Iterator<Item = &str> {
    let (edges, count) = hump_edges(atom);
    let mut from = 0;
    edges.into_iter().take(count).map(move |to| {
        let hump = &atom[from..to];
        from = to;
        hump
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
}

impl Kind {
    fn of(c: char) -> Self {
        match Class::of(c) {
            Class::Digit => Kind::Digit,
            _ if c.is_uppercase() => Kind::Upper,
            _ => Kind::Lower,
        }
    }
}

/// Where the humps of `atom` end, and how many there are: one for a blob, or where a comma or an apostrophe stands.
fn hump_edges(atom: &str) -> ([usize; MAX_HUMPS], usize) {
    let mut edges = [0; MAX_HUMPS];
    let mut count = 0;
    let single = |mut edges: [usize; MAX_HUMPS]| {
        edges[0] = atom.len();
        (edges, 1)
    };
    let is_plain = atom.bytes().all(|b| b.is_ascii_lowercase());
    if is_plain || atom.contains([',', '\'', '’']) {
        return single(edges);
    }
    let kinds = || atom.chars().map(Kind::of);
    let meetings = kinds().zip(kinds().skip(1)).filter(|(a, b)| (*a == Kind::Digit) != (*b == Kind::Digit)).count();
    let mut before = None;
    let mut rest = atom.char_indices();
    while let Some((at, c)) = rest.next() {
        let kind = Kind::of(c);
        let mut ahead = rest.clone().map(|(_, c)| Kind::of(c));
        let is_edge = match (before, kind) {
            (None, _) => false,
            (Some(Kind::Digit), Kind::Digit) => false,
            (Some(Kind::Digit), _) | (_, Kind::Digit) => meetings == 1,
            (Some(Kind::Lower), Kind::Upper) => true,
            // the last capital begins the next hump, but `APIs` is a plural
            (Some(Kind::Upper), Kind::Upper) => ahead.next() == Some(Kind::Lower) && ahead.next() == Some(Kind::Lower),
            _ => false,
        };
        if is_edge {
            if count + 1 == MAX_HUMPS {
                return single(edges);
            }
            edges[count] = at;
            count += 1;
        }
        before = Some(kind);
    }
    edges[count] = atom.len();
    (edges, count + 1)
}

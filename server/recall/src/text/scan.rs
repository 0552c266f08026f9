//! Where words begin and end.
//!
//! Text falls into *chunks*: what stands together without white space, such as `deploy`, `rate_limit`, `RateLimiter`,
//! `ERR-4012`, `src/main.rs`, `v1.2.3`, `2026-11-21` or `anna@example.com`. A chunk is made of *atoms*, runs of letters
//! and digits, joined by characters that people put inside of names. What becomes of a chunk is told in `emit.rs`.

use unicode_segmentation::UnicodeSegmentation;

use super::emit::{Emitter, Shape, Token};
use super::script::Class;

/// How an atom is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// The first of its chunk.
    Start,
    /// Within a name: `rate_limit`, `well-known`, `main.rs`.
    Name,
    /// Between two digits, whatever is written there: `1.2`, `2026-11-21`, `10:30`.
    Point,
    /// Between names, with the character that stands for it: `src/main.rs`, `anna@example.com`.
    Path(char),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Atom<'t> {
    pub(super) text: &'t str,
    pub(super) joint: Joint,
    /// Where it ends in the scanned text.
    pub(super) end: usize,
}

impl Atom<'_> {
    pub(super) fn begins_name(&self) -> bool {
        matches!(self.joint, Joint::Start | Joint::Path(_))
    }

    /// What stands between the name that it begins and the name before.
    pub(super) fn path_mark(&self) -> Option<char> {
        match self.joint {
            Joint::Path(mark) => Some(mark),
            Joint::Start | Joint::Name | Joint::Point => None,
        }
    }
}

/// Hands every token of `text` to `sink`, in order of position. `text` is [`normalized`](super::normalized).
///
/// # Complexity
/// Linear in `text`: each character takes part in at most three tokens.
pub(crate) fn scan(text: &str, sink: &mut dyn FnMut(Token<'_>)) {
    let mut emitter = Emitter::new(sink);
    let mut atoms = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match Class::of(c) {
            Class::Letter | Class::Digit => {
                atoms.clear();
                at = read_chunk(text, at, &mut atoms);
                emitter.chunk(&atoms);
            }
            Class::Unspaced => {
                let end = run_end(text, at, |class| class == Class::Unspaced);
                scan_unspaced(text, at, end, &mut emitter);
                at = end;
            }
            Class::Emoji => {
                at += c.len_utf8();
                emitter.single(&text[at - c.len_utf8()..at], Shape::Part, at);
            }
            Class::Other => at += c.len_utf8(),
        }
    }
}

/// Every character (with its marks) begins one term: it and its neighbour, or at the end of the run itself alone.
/// So two characters are looked up as they are, and one by the terms that begin with it.
fn scan_unspaced(text: &str, start: usize, end: usize, emitter: &mut Emitter<'_>) {
    let run = &text[start..end];
    let mut edges = run.grapheme_indices(true).map(|(edge, _)| edge).skip(1).chain([run.len()]).peekable();
    let mut from = 0;
    while let Some(middle) = edges.next() {
        match edges.peek() {
            Some(&to) => emitter.single(&run[from..to], Shape::Gram, start + to),
            None => emitter.single(&run[from..middle], Shape::LastOfRun { alone: from == 0 }, end),
        }
        from = middle;
    }
}

/// Reads the chunk that starts at `at`; returns where it ends.
fn read_chunk<'t>(text: &'t str, at: usize, atoms: &mut Vec<Atom<'t>>) -> usize {
    let (mut start, mut joint) = (at, Joint::Start);
    loop {
        let mut end = run_end(text, start, is_spaced);
        end += thousands(&text[start..end], &text[end..]);
        let apostrophe = apostrophe_tail(&text[start..end], &text[end..]);
        if let Some(Tail::PartOfWord(len)) = apostrophe {
            end += len;
        }
        atoms.push(Atom { text: &text[start..end], joint, end });
        if let Some(Tail::Dropped(len)) = apostrophe {
            return end + len;
        }
        let Some((next, len)) = next_joint(&text[start..end], &text[end..]) else { return end };
        if next == Joint::Point
            && let Some(atom) = atoms.last_mut()
            && atom.begins_name()
        {
            atom.text = without_v(atom.text);
        }
        (start, joint) = (end + len, next);
    }
}

/// The joint that `rest` begins with, and its length, when a letter or digit follows it.
fn next_joint(atom: &str, rest: &str) -> Option<(Joint, usize)> {
    let first = rest.chars().next()?;
    let len = match first {
        '_' => rest.len() - rest.trim_start_matches('_').len(),
        ':' if rest.starts_with("::") => 2,
        '-' | '.' | '\'' | '’' | '‐' | '+' | '&' | '/' | '\\' | '@' | ':' => first.len_utf8(),
        _ => return None,
    };
    let after = Class::of(rest[len..].chars().next()?);
    if !is_spaced(after) {
        return None;
    }
    let before_is_digit = atom.chars().next_back().is_some_and(|c| Class::of(c) == Class::Digit);
    let joint = match first {
        _ if before_is_digit && after == Class::Digit && !matches!(first, '+' | '&' | '@') => Joint::Point,
        '/' | '\\' => Joint::Path('/'),
        '@' | ':' => Joint::Path(first),
        _ => Joint::Name,
    };
    Some((joint, len))
}

/// Length of the groups of thousands that go on `digits`: 8 of `,000,000` after `12`.
fn thousands(digits: &str, rest: &str) -> usize {
    if digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return 0;
    }
    let is_group = |at: usize| {
        let bytes = rest.as_bytes();
        bytes.get(at) == Some(&b',')
            && bytes.get(at + 1..at + 4).is_some_and(|group| group.iter().all(u8::is_ascii_digit))
            && !bytes.get(at + 4).is_some_and(u8::is_ascii_digit)
    };
    let mut len = 0;
    while is_group(len) {
        len += 4;
    }
    len
}

/// `v1` of `v1.2.3` is the number 1.
fn without_v(atom: &str) -> &str {
    match atom.strip_prefix(['v', 'V']) {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => digits,
        _ => atom,
    }
}

enum Tail {
    /// `'t` of `don't`: the word goes on.
    PartOfWord(usize),
    /// `'s`, `'ll` and the like say nothing of what is meant.
    Dropped(usize),
}

/// What an English apostrophe after `word` brings along.
fn apostrophe_tail(word: &str, rest: &str) -> Option<Tail> {
    let mark = rest.chars().next().filter(|c| matches!(c, '\'' | '’'))?.len_utf8();
    let tail = &rest[mark..run_end(rest, mark, is_spaced)];
    if tail.eq_ignore_ascii_case("t") && word.ends_with(['n', 'N']) {
        return Some(Tail::PartOfWord(mark + tail.len()));
    }
    let is_clitic = ["s", "d", "m", "ll", "re", "ve"].iter().any(|clitic| tail.eq_ignore_ascii_case(clitic));
    is_clitic.then_some(Tail::Dropped(mark + tail.len()))
}

fn is_spaced(class: Class) -> bool {
    matches!(class, Class::Letter | Class::Digit)
}

/// Where the run of characters of `wanted` classes that begins at `start` ends.
fn run_end(text: &str, start: usize, wanted: impl Fn(Class) -> bool) -> usize {
    let run = &text[start..];
    start + run.find(|c| !wanted(Class::of(c))).unwrap_or(run.len())
}

//! Word boundaries.
//!
//! A text consists of *compounds*, such as `deploy`, `rate_limit`, `RateLimiter`, `ERR-4012`, `src/main.rs`, `v1.2.3`,
//! `2026-11-21` or `anna@example.com`. A compound consists of *atoms*, runs of letters and digits, joined by characters
//! that occur inside names. `compound.rs` turns a compound into tokens.

use unicode_segmentation::UnicodeSegmentation;

use super::chars::CharClass;
use super::compound::{IndexToken, TokenEmitter, TokenKind};

/// The joiner between an atom and the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joiner {
    /// None: the atom is the first of its compound.
    Start,
    /// Within a name: `rate_limit`, `well-known`, `main.rs`.
    Name,
    /// Any character between two digits: `1.2`, `2026-11-21`, `10:30`.
    Point,
    /// Between two names, with its normal form: `src/main.rs`, `anna@example.com`.
    Path(char),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Atom<'t> {
    pub(super) text: &'t str,
    pub(super) joiner: Joiner,
    /// Byte offset of its end in the tokenized text.
    pub(super) end: usize,
}

impl Atom<'_> {
    pub(super) fn begins_name(&self) -> bool {
        matches!(self.joiner, Joiner::Start | Joiner::Path(_))
    }
}

/// Passes all tokens of `text`, which is [`normalized`](super::normalized), to `sink` in order of position.
///
/// # Complexity
/// Linear in `text`: each character is part of at most three tokens.
pub(crate) fn tokenize(text: &str, sink: &mut dyn FnMut(IndexToken<'_>)) {
    let mut emitter = TokenEmitter::new(sink);
    let mut atoms = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match CharClass::of(c) {
            CharClass::Letter | CharClass::Digit => {
                atoms.clear();
                at = read_compound(text, at, &mut atoms);
                emitter.compound(&atoms);
            }
            CharClass::Unspaced => {
                let end = run_end(text, at, |class| class == CharClass::Unspaced);
                tokenize_unspaced(text, at, end, &mut emitter);
                at = end;
            }
            CharClass::Emoji => {
                at += c.len_utf8();
                emitter.word(&text[at - c.len_utf8()..at], TokenKind::Word, 1, at);
            }
            CharClass::Other => at += c.len_utf8(),
        }
    }
}

/// Each character (with its marks) begins one term: it and the next character, or at the end of the run only itself.
/// So a query of two characters is one term, and a query of one character is a prefix.
fn tokenize_unspaced(text: &str, start: usize, end: usize, emitter: &mut TokenEmitter<'_>) {
    let run = &text[start..end];
    let mut edges = run.grapheme_indices(true).map(|(edge, _)| edge).skip(1).chain([run.len()]).peekable();
    let mut from = 0;
    while let Some(middle) = edges.next() {
        match edges.peek() {
            Some(&to) => emitter.word(&run[from..to], TokenKind::Bigram, 1, start + to),
            None => emitter.word(&run[from..middle], TokenKind::LastOfRun { is_only: from == 0 }, 1, end),
        }
        from = middle;
    }
}

/// Reads the compound that starts at `at`; returns its end.
fn read_compound<'t>(text: &'t str, at: usize, atoms: &mut Vec<Atom<'t>>) -> usize {
    let (mut start, mut joiner) = (at, Joiner::Start);
    loop {
        let mut end = run_end(text, start, is_spaced);
        end += thousands(&text[start..end], &text[end..]);
        let apostrophe = apostrophe_tail(&text[start..end], &text[end..]);
        if let Some(Tail::PartOfWord(len)) = apostrophe {
            end += len;
        }
        atoms.push(Atom { text: &text[start..end], joiner, end });
        if let Some(Tail::Dropped(len)) = apostrophe {
            return end + len;
        }
        let Some((next, len)) = next_joiner(&text[start..end], &text[end..]) else { return end };
        if next == Joiner::Point
            && let Some(atom) = atoms.last_mut()
            && atom.begins_name()
        {
            atom.text = without_v(atom.text);
        }
        (start, joiner) = (end + len, next);
    }
}

/// The joiner at the start of `rest`, and its length, if a letter or digit follows it.
fn next_joiner(atom: &str, rest: &str) -> Option<(Joiner, usize)> {
    let first = rest.chars().next()?;
    let len = match first {
        '_' => rest.len() - rest.trim_start_matches('_').len(),
        ':' if rest.starts_with("::") => 2,
        '-' | '.' | '\'' | '’' | '‐' | '+' | '&' | '/' | '\\' | '@' | ':' => first.len_utf8(),
        _ => return None,
    };
    let after = CharClass::of(rest[len..].chars().next()?);
    if !is_spaced(after) {
        return None;
    }
    let before_is_digit = atom.chars().next_back().is_some_and(|c| CharClass::of(c) == CharClass::Digit);
    let joiner = match first {
        _ if before_is_digit && after == CharClass::Digit && !matches!(first, '+' | '&' | '@') => Joiner::Point,
        '/' | '\\' => Joiner::Path('/'),
        '@' | ':' => Joiner::Path(first),
        _ => Joiner::Name,
    };
    Some((joiner, len))
}

/// Length of the groups of thousands that continue `digits`: 8 for `,000,000` after `12`.
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

/// Reduces the `v1` of `v1.2.3` to `1`.
fn without_v(atom: &str) -> &str {
    match atom.strip_prefix(['v', 'V']) {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => digits,
        _ => atom,
    }
}

enum Tail {
    /// `'t` of `don't`: the word continues.
    PartOfWord(usize),
    /// `'s`, `'ll` and similar clitics carry no meaning.
    Dropped(usize),
}

/// The clitic that follows an English `word`, with its length.
fn apostrophe_tail(word: &str, rest: &str) -> Option<Tail> {
    let mark = rest.chars().next().filter(|c| matches!(c, '\'' | '’'))?.len_utf8();
    let tail = &rest[mark..run_end(rest, mark, is_spaced)];
    if tail.eq_ignore_ascii_case("t") && word.ends_with(['n', 'N']) {
        return Some(Tail::PartOfWord(mark + tail.len()));
    }
    let is_clitic = ["s", "d", "m", "ll", "re", "ve"].iter().any(|clitic| tail.eq_ignore_ascii_case(clitic));
    is_clitic.then_some(Tail::Dropped(mark + tail.len()))
}

fn is_spaced(class: CharClass) -> bool {
    matches!(class, CharClass::Letter | CharClass::Digit)
}

/// End of the run of characters of `wanted` classes that begins at `start`.
fn run_end(text: &str, start: usize, wanted: impl Fn(CharClass) -> bool) -> usize {
    let run = &text[start..];
    start + run.find(|c| !wanted(CharClass::of(c))).unwrap_or(run.len())
}

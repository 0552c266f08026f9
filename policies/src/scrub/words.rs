//! Where the words of a text begin and end.

/// A word longer than this is none: nobody gives a name of that length to a credential.
const NAME_BYTES: usize = 64;

/// Finds the beginnings of words for places that mostly go forward, in one pass over the text.
///
/// A word is letters, digits, `_`, `-` and `.`; a letter that ends an escape (`\n`, `%20`) is no part of the word
/// after it.
pub(super) struct WordCursor<'t> {
    bytes: &'t [u8],
    /// The beginning of the word that `at` stands in.
    start: usize,
    at: usize,
}

impl<'t> WordCursor<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { bytes: text.as_bytes(), start: 0, at: 0 }
    }

    /// Where the word around byte `at` begins; none when that is further away than a name is long.
    pub(super) fn start(&mut self, at: usize) -> Option<usize> {
        if at < self.start {
            (self.start, self.at) = (0, 0);
        }
        // a beginning that is further away may be missed: it is too far for a name
        let from = self.at.max(at.saturating_sub(NAME_BYTES + 1));
        if let Some(start) = (from + 1..=at).rev().find(|start| self.is_start(*start)) {
            self.start = start;
        }
        self.at = self.at.max(at);
        (at - self.start <= NAME_BYTES).then_some(self.start)
    }

    fn is_start(&self, at: usize) -> bool {
        let before = &self.bytes[..at];
        !before.last().is_some_and(|byte| is_name_byte(*byte)) || ends_escape(before)
    }
}

/// Where the name that goes on at byte `from` ends, at most the length of a name away.
pub(super) fn name_end(text: &str, from: usize) -> usize {
    let rest = &text.as_bytes()[from..];
    from + rest.iter().take(NAME_BYTES).take_while(|byte| is_name_byte(**byte)).count()
}

/// Whether no letter or digit stands before byte `at`, but for the end of an escape.
pub(super) fn starts_word(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    !before.last().is_some_and(u8::is_ascii_alphanumeric) || ends_escape(before)
}

/// Whether `before` ends in `\n`, `\r`, `\t` or `%` and two hexadecimal digits, written out.
pub(super) fn ends_escape(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', high, low] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

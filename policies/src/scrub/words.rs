//! Boundaries of words.

/// Maximum length of a name that announces a credential.
const NAME_BYTES: usize = 64;

/// Finds the beginnings of words for mostly increasing positions, in one pass over the text.
///
/// A word consists of letters, digits, `_`, `-` and `.`; a letter that ends an escape (`\n`, `%20`) does not belong to
/// the next word.
pub(super) struct WordCursor<'t> {
    bytes: &'t [u8],
    /// Beginning of the current word.
    start: usize,
    at: usize,
}

impl<'t> WordCursor<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { bytes: text.as_bytes(), start: 0, at: 0 }
    }

    /// Beginning of the word around byte `at`, if at most [`NAME_BYTES`] before it.
    pub(super) fn start(&mut self, at: usize) -> Option<usize> {
        if at < self.start {
            (self.start, self.at) = (0, 0);
        }
        // beginnings further away may be missed, since they are too far for a name
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

/// End of the name that continues at byte `from`, at most [`NAME_BYTES`] further.
pub(super) fn name_end(text: &str, from: usize) -> usize {
    let rest = &text.as_bytes()[from..];
    from + rest.iter().take(NAME_BYTES).take_while(|byte| is_name_byte(**byte)).count()
}

/// Whether byte `at` follows no letter or digit, or an escape.
pub(super) fn starts_word(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    !before.last().is_some_and(u8::is_ascii_alphanumeric) || ends_escape(before)
}

/// Whether `before` ends in `\n`, `\r`, `\t` or `%` and two hexadecimal digits, as text.
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

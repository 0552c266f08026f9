//! Detection and defusing of imitated quotations.

use std::borrow::Cow;

use serde_json::Value;

use super::lookalikes::{is_bracket, is_filler, letters};

/// Replacement of an imitation.
const DEFUSED: &str = "[_MEMORY ";

/// Replaces every imitation of `[MEMORY ` by `[_MEMORY ` and leaves the rest unchanged. Idempotent.
///
/// An imitation is an opening square bracket of any script, the letters of the word in any case or script, and a space.
/// White space, line breaks, invisible characters and combining marks may be anywhere between.
///
/// # Complexity
/// O(bytes of `text`), in one pass without backtracking.
///
/// # Source
/// `docs/spec/secrets.md`, "Defusing".
#[must_use]
pub fn defuse(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut attempt = MarkerMatch::NONE;
    for (at, c) in text.char_indices() {
        if attempt.is_word() && is_filler(c) {
            out.push_str(&text[copied..attempt.start]);
            out.push_str(DEFUSED);
            copied = at + c.len_utf8();
            attempt = MarkerMatch::NONE;
        } else if is_bracket(c) && (attempt.matched == 0 || !is_filler(c)) {
            attempt = MarkerMatch { start: at, matched: 1 };
        } else if attempt.matched != 0 {
            let skipped = if is_filler(c) { attempt.matched } else { 0 };
            attempt.matched = skipped | ((attempt.matched & letters(c)) << 1);
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Defuses every string and key in `value`.
pub(crate) fn defuse_json(value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Cow::Owned(defused) = defuse(text) {
                *text = defused;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(defuse_json),
        Value::Object(fields) => {
            fields.values_mut().for_each(defuse_json);
            if fields.keys().any(|key| matches!(defuse(key), Cow::Owned(_))) {
                let named = std::mem::take(fields).into_iter();
                *fields = named.map(|(key, field)| (defuse(&key).into_owned(), field)).collect();
            }
        }
    }
}

/// A bracket and a possible prefix of the word. Bit `n` of `matched` means that `n` letters may have matched: some
/// characters are a letter to one reader and invisible to another.
struct MarkerMatch {
    start: usize,
    matched: u8,
}

impl MarkerMatch {
    const NONE: Self = Self { start: 0, matched: 0 };

    fn is_word(&self) -> bool {
        self.matched & 1 << 6 != 0
    }
}

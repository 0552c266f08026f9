//! The normal form of a text, in which rules search, with the way back to the text.
//!
//! Invisible characters are absent, and compatibility forms of Latin characters are the characters that they resemble
//! (NFKC), so that neither hides a credential.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::quote::is_invisible;

/// Characters above are in no rule, so they stay as they are.
const LAST_RELEVANT: char = '\u{24F}';

/// A normalised text.
pub(super) struct NormalForm<'t> {
    text: Cow<'t, str>,
    /// The bytes of the original for each byte of the normal form; empty if both are the same.
    origins: Vec<Range<usize>>,
}

impl<'t> NormalForm<'t> {
    /// # Complexity
    /// O(bytes of `original`).
    pub(super) fn of(original: &'t str) -> Self {
        let is_normal = |c: char| c.is_ascii() && !is_invisible(c);
        if original.chars().all(is_normal) {
            return Self { text: Cow::Borrowed(original), origins: Vec::new() };
        }
        let mut origins = Vec::with_capacity(original.len());
        let mut text = String::with_capacity(original.len());
        let mut chars = original.char_indices().filter(|(_, c)| !is_invisible(*c)).peekable();
        while let Some((start, c)) = chars.next() {
            let mut end = start + c.len_utf8();
            if is_normal(c) && chars.peek().is_none_or(|(_, next)| next.is_ascii()) {
                text.push(c);
            } else {
                let mut marks = Vec::new();
                while let Some((at, mark)) = chars.next_if(|(_, next)| is_combining_mark(*next)) {
                    end = at + mark.len_utf8();
                    marks.push(mark);
                }
                let group = || [c].into_iter().chain(marks.iter().copied());
                if group().nfkc().all(|part| part <= LAST_RELEVANT) {
                    text.extend(group().nfkc());
                } else {
                    text.extend(group());
                }
            }
            origins.resize(text.len(), start..end);
        }
        Self { text: Cow::Owned(text), origins }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original for `span`, which is not empty.
    pub(super) fn origin(&self, span: Range<usize>) -> Range<usize> {
        match (self.origins.get(span.start), self.origins.get(span.end.saturating_sub(1))) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => span,
        }
    }
}

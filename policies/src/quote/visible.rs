//! Invisible and control characters as visible escapes.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::invisible::is_invisible;

/// Replaces every invisible or control character of `text` by an escape such as `\u{202E}`, so that a reader receives
/// nothing that a person does not see. Tabs and line breaks stay, and so do joiners after letters of scripts that join
/// (Arabic, Indic and others), and joiners and variation selectors of emoji. Idempotent.
///
/// # Complexity
/// O(bytes of `text`).
///
/// # Source
/// `docs/spec/secrets.md`, "Invisible characters".
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, c) in hidden(text) {
        out.push_str(&text[copied..at]);
        // writing to a string cannot fail
        let _ = write!(out, "\\u{{{:X}}}", u32::from(c));
        copied = at + c.len_utf8();
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// As [`visible`], for every string and key of `value`.
pub fn visible_json(value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Cow::Owned(shown) = visible(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(visible_json),
        Value::Object(members) => visible_members(members),
    }
}

/// As [`visible`], for every string and key of an object.
pub fn visible_members(members: &mut Map<String, Value>) {
    members.values_mut().for_each(visible_json);
    if members.keys().any(|key| matches!(visible(key), Cow::Owned(_))) {
        let named = std::mem::take(members).into_iter();
        *members = named.map(|(key, member)| (visible(&key).into_owned(), member)).collect();
    }
}

/// The number of characters of `text` that [`visible`] replaces.
#[must_use]
pub fn hidden_characters(text: &str) -> usize {
    hidden(text).count()
}

/// The characters that [`visible`] replaces, with their positions in bytes.
pub fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut previous = None;
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let is_replaced = is_hidden(c) && !is_legitimate(previous, c, next);
            // a replaced character gives no context: its escape precedes the next one
            previous = (!is_replaced).then_some(c);
            if is_replaced {
                return Some((at, c));
            }
        }
        None
    })
}

/// A carriage return without a line feed overwrites its line in a terminal. Signs above Arabic numbers have a glyph.
fn is_hidden(c: char) -> bool {
    match c {
        '\r' => true,
        '\u{600}'..='\u{605}'
        | '\u{6DD}'
        | '\u{70F}'
        | '\u{890}'
        | '\u{891}'
        | '\u{8E2}'
        | '\u{110BD}'
        | '\u{110CD}' => false,
        _ => is_invisible(c),
    }
}

fn is_legitimate(previous: Option<char>, c: char, next: Option<char>) -> bool {
    match c {
        '\r' => next == Some('\n'),
        '\u{200C}' => previous.is_some_and(joins),
        '\u{200D}' => {
            previous.is_some_and(joins)
                || (previous.is_some_and(|c| is_emoji(c) || c == '\u{FE0F}') && next.is_some_and(is_emoji))
        }
        '\u{FE0E}' | '\u{FE0F}' => {
            previous.is_some_and(|c| is_emoji(c) || matches!(c, '0'..='9' | '#' | '*' | '©' | '®'))
        }
        '\u{180B}'..='\u{180E}' => previous.is_some_and(|c| matches!(c, '\u{1820}'..='\u{18AA}')),
        '\u{2800}' => [previous, next].iter().flatten().any(|c| matches!(c, '\u{2801}'..='\u{28FF}')),
        _ => false,
    }
}

/// Letters and marks of scripts in which joiners change the form of letters.
fn joins(c: char) -> bool {
    matches!(
        c,
        '\u{620}'..='\u{6D5}' | '\u{6EE}'..='\u{6FC}' | '\u{710}'..='\u{7FA}' | '\u{840}'..='\u{88E}' | '\u{8A0}'..='\u{8C9}'
            | '\u{900}'..='\u{DFF}' | '\u{F40}'..='\u{FBC}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17D3}'
            | '\u{1820}'..='\u{18AA}' | '\u{1A20}'..='\u{1A5E}' | '\u{1B05}'..='\u{1B4B}' | '\u{A840}'..='\u{A873}'
            | '\u{A980}'..='\u{A9C0}' | '\u{FB50}'..='\u{FDCF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10D00}'..='\u{10D23}'
            | '\u{11000}'..='\u{1107F}' | '\u{11080}'..='\u{110BA}' | '\u{11100}'..='\u{1114F}' | '\u{11180}'..='\u{111DF}'
            | '\u{1E900}'..='\u{1E943}'
    )
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1F000}'..='\u{1FAFF}' | '\u{2190}'..='\u{27BF}' | '\u{2900}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}'
        | '\u{3297}' | '\u{3299}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}')
}

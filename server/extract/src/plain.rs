//! Text and Markdown: the text itself.

use crate::{ExtractError, Extracted, Limits};

pub(crate) fn extract(text: &str, limits: &Limits) -> Result<Extracted, ExtractError> {
    refuse_binary(text, "text/plain")?;
    let text = with_line_feeds(text);
    if text.len() > limits.output_bytes {
        return Err(ExtractError::OutputTooLarge { limit: limits.output_bytes });
    }
    Ok(Extracted { title: None, text })
}

/// A NUL character is in no text, and no database stores it in one.
pub(crate) fn refuse_binary(text: &str, media_type: &'static str) -> Result<(), ExtractError> {
    match text.find('\0') {
        Some(offset) => Err(ExtractError::Binary { media_type, offset }),
        None => Ok(()),
    }
}

/// Line feeds at the end of lines; a form feed is an empty line; no other control characters but tabs.
fn with_line_feeds(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                plain.push('\n');
            }
            '\u{c}' => plain.push('\n'),
            '\n' | '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

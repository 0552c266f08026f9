//! Escapes stored text, which is untrusted, for the terminal.

use std::collections::HashSet;

use orgmem_policies::quote;
use serde::Serialize;

/// Replaces every character that a terminal may execute, that it does not show or that misleads: control characters of
/// both sets, and those that agents do not receive from others either.
fn replaced(text: &str, escape: impl Fn(char) -> Option<String>) -> String {
    let hidden: HashSet<usize> = quote::hidden(text).map(|(at, _)| at).collect();
    let mut safe = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match (c.is_control() || hidden.contains(&at)).then(|| escape(c)).flatten() {
            Some(escape) => safe.push_str(&escape),
            None => safe.push(c),
        }
    }
    safe
}

/// `text` on one line: white space becomes single spaces, harmful characters become escapes such as `\u{1b}`.
pub(crate) fn line(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `text` with every harmful character escaped.
pub(super) fn escaped(text: &str) -> String {
    replaced(text, |c| Some(c.escape_unicode().to_string()))
}

/// `value` as indented JSON, with harmful characters as JSON escapes.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // line breaks are layout; within strings they are escaped already
    let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
    let mut safe = replaced(&text, |c| (c != '\n').then(|| units(c)));
    safe.push('\n');
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\u{9b}31mc\u{7f}d\u{202e}e\u{e0041}f\u{2028}g";

    /// Of no width, so that two texts look alike.
    const INVISIBLE: &str = "a\u{200b}b\u{200d}c\u{200f}d\u{2060}e\u{2064}f\u{feff}g\u{ad}h";

    #[test]
    fn control_characters_are_escaped_in_text() {
        assert_eq!(line(HOSTILE), r"a\u{1b}[2Jb\u{9b}31mc\u{7f}d\u{202e}e\u{e0041}f g");
        assert_eq!(line("\u{8}\u{0}"), r"\u{8}\u{0}");
    }

    #[test]
    fn text_of_any_language_is_unchanged() {
        for text in ["Grüße, 青森の作業班", "مرحبا", "می\u{200c}خواهم", "क्\u{200d}ष", "👩‍🌾 ok", "a_b `c` [d]"]
        {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn invisible_characters_are_escaped() {
        let shown = r"a\u{200b}b\u{200d}c\u{200f}d\u{2060}e\u{2064}f\u{feff}g\u{ad}h";
        assert_eq!((line(INVISIBLE), escaped(INVISIBLE)), (shown.to_owned(), shown.to_owned()));
        assert!(json(&INVISIBLE).is_ascii());
    }

    #[test]
    fn line_joins_lines() {
        assert_eq!(line("  one\r\n\ttwo \n\n three "), "one two three");
    }

    #[test]
    fn control_characters_are_escaped_in_json() {
        let text = json(&vec![HOSTILE]);
        assert!(text.is_ascii(), "{text:?}");
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), [HOSTILE]);
    }
}

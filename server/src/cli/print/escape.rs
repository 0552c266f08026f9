//! Escapes stored text, which is untrusted, for the terminal.

use serde::Serialize;

/// Whether a terminal may execute this character or display misleading text: control characters of both sets, overrides of
/// the writing direction, line separators, and invisible tags.
pub(super) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// `text` on one line: white space becomes single spaces, harmful characters become escapes such as `\u{1b}`.
pub(crate) fn line(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `text` with every harmful character escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) { safe.extend(c.escape_unicode()) } else { safe.push(c) }
    }
    safe
}

/// `value` as indented JSON, with harmful characters as JSON escapes.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut safe = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // line breaks are layout; within strings they are escaped already
        if is_harmful(c) && c != '\n' {
            let units = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            safe.push_str(&units);
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\u{9b}31mc\u{7f}d\u{202e}e\u{e0041}f\u{2028}g";

    #[test]
    fn control_characters_are_escaped_in_text() {
        assert_eq!(line(HOSTILE), r"a\u{1b}[2Jb\u{9b}31mc\u{7f}d\u{202e}e\u{e0041}f g");
        assert_eq!(line("\u{8}\u{0}"), r"\u{8}\u{0}");
    }

    #[test]
    fn text_of_any_language_is_unchanged() {
        for text in ["Grüße, 青森の作業班", "مرحبا", "👩‍🌾 ok", "a_b `c` [d]"] {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn line_joins_lines() {
        assert_eq!(line("  one\r\n\ttwo \n\n three "), "one two three");
    }

    #[test]
    fn control_characters_are_escaped_in_json() {
        let text = json(&vec![HOSTILE]);
        assert!(!text.trim_end().chars().any(|c| is_harmful(c) && c != '\n'), "{text:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), [HOSTILE]);
    }
}

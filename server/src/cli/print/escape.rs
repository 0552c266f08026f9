//! Stored text is a stranger's: it never reaches the terminal with its control characters.

use serde::Serialize;

/// Whether a terminal would obey this character instead of showing it, or show other text than is there: controls of
/// both sets, overrides of the direction of writing, line separators, and tags, which nobody can see.
pub(super) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// `text` on one line: white space becomes single spaces, harmful characters are spelt out as `\u{1b}`.
pub(crate) fn line(text: &str) -> String {
    spelt_out(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `text` with every harmful character spelt out.
pub(super) fn spelt_out(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) { safe.extend(c.escape_unicode()) } else { safe.push(c) }
    }
    safe
}

/// `value` as JSON for people and programs: indented, harmful characters as the escapes JSON has for them.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut safe = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // A line break is the layout's: within strings it is escaped already.
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
    fn no_control_character_survives_in_text() {
        assert_eq!(line(HOSTILE), r"a\u{1b}[2Jb\u{9b}31mc\u{7f}d\u{202e}e\u{e0041}f g");
        assert_eq!(line("\u{8}\u{0}"), r"\u{8}\u{0}");
    }

    #[test]
    fn text_of_any_language_stays_as_it_is() {
        for text in ["Grüße, 青森の作業班", "مرحبا", "👩‍🌾 ok", "a_b `c` [d]"] {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(line("  one\r\n\ttwo \n\n three "), "one two three");
    }

    #[test]
    fn json_stays_the_same_value_without_control_characters() {
        let text = json(&vec![HOSTILE]);
        assert!(!text.trim_end().chars().any(|c| is_harmful(c) && c != '\n'), "{text:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), [HOSTILE]);
    }
}

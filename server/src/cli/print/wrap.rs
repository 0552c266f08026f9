use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::escape::escaped;

/// Maximum width of text in columns.
const WIDTH: usize = 100;

/// `text` as a paragraph: every line is indented by `indent` spaces and wrapped, harmful characters are escaped. The
/// indentation prevents stored text from imitating a line of orgmem.
pub(crate) fn block(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    for line in text.trim_end().lines() {
        for part in wrapped(&escaped(&line.replace('\t', "    ")), WIDTH.saturating_sub(indent)) {
            lines.push_str(format!("{:indent$}{part}", "").trim_end());
            lines.push('\n');
        }
    }
    lines
}

/// `line` in parts of at most `width` columns, broken between words, or within longer words.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        if used > 0 && used + word.trim_end().width() > width {
            parts.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let columns = c.width().unwrap_or_default();
            if used + columns > width && c != ' ' {
                parts.push(String::new());
                used = 0;
            }
            if let Some(part) = parts.last_mut() {
                part.push(c);
            }
            used += columns;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two ", "three"]);
        assert_eq!(wrapped("", 7), [""]);
    }

    #[test]
    fn long_words_are_broken() {
        assert_eq!(wrapped("青森の作業班", 5), ["青森", "の作", "業班"]);
    }

    #[test]
    fn stored_text_is_indented() {
        assert_eq!(block("a\nerror: \u{1b}[31mb\r\n\tc\n\n", 2), "  a\n  error: \\u{1b}[31mb\n      c\n");
    }

    #[test]
    fn empty_lines_are_preserved() {
        assert_eq!(block("a\n\nb", 2), "  a\n\n  b\n");
    }
}

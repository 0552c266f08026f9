use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::escape::spelt_out;

/// Columns that text fills; wider lines are hard to read.
const WIDTH: usize = 100;

/// `text` as a paragraph of its own: line breaks kept, every line indented by `indent` spaces and wrapped, harmful
/// characters spelt out. Being indented, no line of it can pass for one of ours.
pub(crate) fn block(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    for line in text.trim_end().lines() {
        for part in wrapped(&spelt_out(&line.replace('\t', "    ")), WIDTH.saturating_sub(indent)) {
            lines.push_str(format!("{:indent$}{part}", "").trim_end());
            lines.push('\n');
        }
    }
    lines
}

/// `line` in parts at most `width` columns wide, broken between words or, where a word is longer, within it.
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
    fn a_word_without_spaces_is_broken_where_the_line_ends() {
        assert_eq!(wrapped("青森の作業班", 5), ["青森", "の作", "業班"]);
    }

    #[test]
    fn stored_text_can_not_pass_for_a_line_of_ours() {
        assert_eq!(block("a\nerror: \u{1b}[31mb\r\n\tc\n\n", 2), "  a\n  error: \\u{1b}[31mb\n      c\n");
    }

    #[test]
    fn an_empty_line_within_stays() {
        assert_eq!(block("a\n\nb", 2), "  a\n\n  b\n");
    }
}

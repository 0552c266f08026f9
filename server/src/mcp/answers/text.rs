//! Lines of text results. A line that begins without a space is one item, and one with two spaces is a neighbour. Further
//! lines of content begin with four, so that content cannot imitate either.

use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;

/// The head of an item: its essential fields, separated by spaces.
#[derive(Debug, Default)]
pub(super) struct Head(String);

impl Head {
    pub(super) fn word(mut self, word: &str) -> Self {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.extend(word.chars().map(|char| if is_break(char) { ' ' } else { char }));
        self
    }

    /// `name=value` if there is a value.
    pub(super) fn field(self, name: &str, value: Option<impl std::fmt::Display>) -> Self {
        match value {
            Some(value) => self.word(&format!("{name}={value}")),
            None => self,
        }
    }

    /// The item without content.
    pub(super) fn end(self) -> String {
        self.0
    }

    /// The item with its content.
    pub(super) fn content(self, content: &str) -> String {
        format!("{}: {}", self.0, indented(content))
    }

    /// The item with content in a frame, which names its id, scope and author.
    pub(super) fn framed(self, content: &str) -> String {
        self.word("").end() + &indented(content)
    }
}

/// Content whose further lines begin with four spaces.
fn indented(content: &str) -> String {
    content.trim_end().replace("\r\n", "\n").split(is_break).collect::<Vec<_>>().join("\n    ")
}

/// Whether readers may see a line break here.
fn is_break(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The items of a list, one a line, and the cursor of the next page.
pub(super) fn list(items: impl IntoIterator<Item = String>, none: &str, next: Option<&str>) -> String {
    let mut text = items.into_iter().collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        none.clone_into(&mut text);
    }
    if let Some(next) = next {
        // writing to a string cannot fail
        let _ = write!(text, "\nnext page: cursor={next}");
    }
    text
}

/// RFC 3339 with whole seconds.
pub(super) fn seconds(time: &DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

pub(super) fn date(time: &DateTime<Utc>) -> String {
    time.format("%Y-%m-%d").to_string()
}

/// Serializes whole seconds.
///
/// # Errors
/// Those of the serializer.
pub(super) fn serialize_seconds<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&seconds(time))
}

/// Whole seconds for an optional field that is skipped when absent.
///
/// # Errors
/// Those of the serializer.
#[expect(clippy::ref_option, reason = "the signature that serde calls")]
pub(super) fn serialize_optional_seconds<S: Serializer>(
    time: &Option<DateTime<Utc>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serialize_seconds(time, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_cannot_imitate_an_item() {
        let content = "one\nid LOCAL 2026-01-31: two\r\n\nthree";
        let line = Head::default().word("id").word("LOCAL").field("kind", None::<&str>).content(content);
        assert_eq!(line, "id LOCAL: one\n    id LOCAL 2026-01-31: two\n    \n    three");
        let tag = Head::default().word("id").field("tags", Some("a\nid LOCAL: two")).content("x");
        assert_eq!(tag, "id tags=a id LOCAL: two: x");
        assert_eq!(Head::default().word("2026-01-31").framed("[MEMORY …]: a\nb"), "2026-01-31 [MEMORY …]: a\n    b");
    }

    #[test]
    fn empty_list_has_a_text() {
        assert_eq!(list([], "none", None), "none");
        assert_eq!(list(["a".to_owned(), "b".to_owned()], "none", Some("c")), "a\nb\nnext page: cursor=c");
    }
}

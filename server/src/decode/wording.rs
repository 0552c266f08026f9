//! Rewords the errors of serde: without names of Rust types, and without values of the input.

use std::borrow::Cow;

use serde_path_to_error::{Path, Segment};

const TIME: &str = "a time such as `2026-01-31T12:00:00Z`";
const WORD_BYTES: usize = 40;
const NAME_CHARS: usize = 100;

/// The similarity of a misspelled name to the known one, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.75;

/// The path of the invalid field, and the message.
pub(super) fn reword(location: &Path, message: &str) -> (String, String) {
    let path = dotted(location);
    if let Some((field, known)) = unknown_field(message) {
        let path = child(&parent_of(location, field), &shortened(field));
        return (path.clone(), format!("unknown field `{path}`; {known}"));
    }
    if let Some(field) = quoted(message, "missing field ") {
        let path = child(&path, field);
        return (path.clone(), format!("`{path}` is missing"));
    }
    if let Some(field) = quoted(message, "duplicate field ") {
        let path = child(&parent_of(location, field), field);
        return (path.clone(), format!("duplicate field `{path}`"));
    }
    let subject = if path.is_empty() { "the body".to_owned() } else { format!("`{path}`") };
    let reason = must_be(message).map_or_else(
        || format!("{subject} cannot be read: {message}"),
        |(expected, found)| {
            format!("{subject} must be {expected}{}", found.map_or_else(String::new, |found| format!(", not {found}")))
        },
    );
    (path, reason)
}

/// The beginning of a name, because names may have any length.
pub(crate) fn shortened(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_CHARS) {
        None => name.into(),
        Some((end, _)) => format!("{}…", &name[..end]).into(),
    }
}

fn dotted(path: &Path) -> String {
    joined(path.iter())
}

/// The steps as `parts[1].weight`, each name shortened.
fn joined<'s>(steps: impl Iterator<Item = &'s Segment>) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Segment::Seq { index } => text.push_str(&format!("[{index}]")),
            Segment::Map { key: name } | Segment::Enum { variant: name } => text = child(&text, &shortened(name)),
            Segment::Unknown => text = child(&text, "?"),
        }
    }
    text
}

fn child(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// The path without its last step if that is `field` itself. A message ends a name at its first backtick.
fn parent_of(path: &Path, field: &str) -> String {
    let steps: Vec<&Segment> = path.iter().collect();
    match steps.split_last() {
        Some((Segment::Map { key }, above)) if key.split('`').next() == Some(field) => joined(above.iter().copied()),
        _ => dotted(path),
    }
}

/// The name in backticks after `prefix`, if the message begins with it.
fn quoted<'a>(message: &'a str, prefix: &str) -> Option<&'a str> {
    message.strip_prefix(prefix)?.strip_prefix('`')?.split_once('`').map(|(name, _)| name)
}

/// The unknown field, and the hint with the known ones.
fn unknown_field(message: &str) -> Option<(&str, String)> {
    let field = quoted(message, "unknown field ")?;
    let Some((_, known)) = message.split_once("`, expected ") else { return Some((field, "leave it out".to_owned())) };
    let known = listed(known);
    let nearest = nearest(&shortened(field), &known).map(|name| format!("; did you mean `{name}`?"));
    Some((field, format!("known fields are {known}{}", nearest.unwrap_or_default())))
}

/// The name in `known`, a list of names in backticks, that is most similar to `field`; `None` if there is one name only,
/// or none is similar.
fn nearest<'a>(field: &str, known: &'a str) -> Option<&'a str> {
    let field = field.to_lowercase();
    let names = known.split('`').skip(1).step_by(2);
    if !known.contains(',') {
        return None;
    }
    let similar = names.map(|name| (strsim::jaro_winkler(&field, name), name));
    similar
        .filter(|(score, _)| *score >= MIN_SIMILARITY)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|best| best.1)
}

/// serde writes one name, two with an `or`, or several after `one of`.
fn listed(names: &str) -> String {
    names.trim_start_matches("one of ").replacen("` or `", "`, `", 1)
}

/// The expected value and, if known, the kind of value found.
fn must_be(message: &str) -> Option<(String, Option<String>)> {
    if let Some(word) = quoted(message, "unknown variant ") {
        let (_, known) = message.split_once("`, expected ")?;
        return Some((format!("one of {}", listed(known)), Some(shown(word))));
    }
    for prefix in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some((found, expected)) = message.strip_prefix(prefix).and_then(|rest| rest.rsplit_once(", expected ")) {
            return Some((named(expected), Some(kind(found))));
        }
    }
    if let Some(expected) = message.strip_prefix("expected ") {
        return Some((named(expected), None));
    }
    let expected = match message {
        _ if message.starts_with("UUID parsing failed") => "a UUID",
        "input contains invalid characters"
        | "premature end of input"
        | "trailing input"
        | "input is out of range"
        | "input is not enough for unique date and time"
        | "no possible date and time matching input" => TIME,
        "provided string was not `true` or `false`" => "`true` or `false`",
        "invalid digit found in string"
        | "cannot parse integer from empty string"
        | "number too large to fit in target type"
        | "number too small to fit in target type" => "a whole number within range",
        "invalid float literal" | "cannot parse float from empty string" => "a number",
        _ => return None,
    };
    Some((expected.to_owned(), None))
}

/// The JSON word for an expectation of serde.
fn named(expected: &str) -> String {
    let name = match expected {
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 up",
        "f32" | "f64" => "a number",
        "a boolean" => "`true` or `false`",
        "a sequence" | "sequence start" => "an array",
        "a map" | "map" | "mapping start" => "an object",
        "a formatted UUID string" | "a UUID string" => "a UUID",
        "an RFC 3339 formatted date and time string" => TIME,
        "string scalar" | "string or map" | "variant identifier" => "a string",
        _ if expected.starts_with("struct ") || expected.contains("object") => "an object",
        _ if expected.starts_with("enum ") => "a string",
        _ => expected,
    };
    name.to_owned()
}

/// The kind of the value found. The value itself may be long, or a secret.
fn kind(found: &str) -> String {
    if found.chars().all(|char| char.is_ascii_digit()) {
        return "an array".to_owned(); // its length
    }
    let kind = match found.split_whitespace().next().unwrap_or_default().trim_end_matches(',') {
        "string" | "character" => "a string",
        "integer" | "floating" => {
            return found.split_once('`').map_or_else(|| found.to_owned(), |(_, value)| format!("`{value}"));
        }
        "boolean" => "a boolean",
        "null" | "unit" | "Option" => "null",
        "sequence" => "an array",
        "map" => "an object",
        _ => return shown(found),
    };
    kind.to_owned()
}

/// A word of the input, if it is short.
fn shown(word: &str) -> String {
    if word.len() <= WORD_BYTES { format!("`{word}`") } else { "the value sent".to_owned() }
}

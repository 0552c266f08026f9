//! Checking, scrubbing and defusing one field after the other, keeping a note of what was replaced.

use serde_json::{Map, Value};

use super::DraftFault;
use crate::scrub::{Redaction, Scrubbed, ScrubbedJson, Scrubber};

/// What was replaced in one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRedaction {
    /// The field, by its name on the wire.
    pub field: &'static str,
    /// What it looked like, as `GITHUB_TOKEN`.
    pub kind: String,
    /// How many times.
    pub count: usize,
}

/// The scrubber at work on one draft.
pub(super) struct Cleaner<'a> {
    scrubber: &'a Scrubber,
    redactions: Vec<FieldRedaction>,
}

impl<'a> Cleaner<'a> {
    pub(super) fn new(scrubber: &'a Scrubber) -> Self {
        Self { scrubber, redactions: Vec::new() }
    }

    pub(super) fn redactions(self) -> Vec<FieldRedaction> {
        self.redactions
    }

    /// Text of at most `limit` bytes, blank or not.
    pub(super) fn text(&mut self, field: &'static str, text: &str, limit: usize) -> Result<Scrubbed, DraftFault> {
        within(field, text.len(), limit, "bytes")?;
        no_nul(field, text)?;
        let (scrubbed, redactions) = self.scrubber.scrub(text);
        self.note(field, redactions);
        // whatever is told beside a content reaches the same readers
        Ok(scrubbed.defused())
    }

    /// A line of at most `limit` characters that has something to see in it.
    pub(super) fn line(&mut self, field: &'static str, text: &str, limit: usize) -> Result<Scrubbed, DraftFault> {
        let text = text.trim();
        not_blank(field, text)?;
        within(field, text.chars().count(), limit, "characters")?;
        if text.chars().any(|c| c.is_control() && c != '\0') {
            return Err(DraftFault::Form { field, expected: "one line without control characters" });
        }
        self.text(field, text, usize::MAX)
    }

    /// The same where it is given.
    pub(super) fn line_if(
        &mut self,
        field: &'static str,
        text: Option<&str>,
        limit: usize,
    ) -> Result<Option<Scrubbed>, DraftFault> {
        text.map(|text| self.line(field, text, limit)).transpose()
    }

    /// Any JSON of at most `limit` bytes as text.
    pub(super) fn json(&mut self, field: &'static str, value: Value, limit: usize) -> Result<ScrubbedJson, DraftFault> {
        within(field, json_bytes(&value), limit, "bytes as JSON")?;
        let scrubbed = self.scrubber.scrub_json(value);
        let (value, redactions) =
            scrubbed.map_err(|key| DraftFault::CredentialKey { field, kind: key.kind.to_string() })?;
        self.note(field, redactions);
        Ok(value.defused())
    }

    /// An object where it is given.
    pub(super) fn object_if(
        &mut self,
        field: &'static str,
        object: Option<Map<String, Value>>,
        limit: usize,
    ) -> Result<Option<ScrubbedJson>, DraftFault> {
        object.map(|object| self.json(field, Value::Object(object), limit)).transpose()
    }

    /// A key and the value under it.
    pub(super) fn entry(&mut self, key: &str, value: Value) -> Result<(Scrubbed, ScrubbedJson), DraftFault> {
        let scrubbed = self.scrubber.scrub_entry(key, value);
        let (key, value, redactions) = scrubbed.map_err(|refused| DraftFault::CredentialKey {
            field: if refused.path.is_empty() { "key" } else { "value" },
            kind: refused.kind.to_string(),
        })?;
        self.note("value", redactions);
        Ok((key, value))
    }

    fn note(&mut self, field: &'static str, redactions: Vec<Redaction>) {
        let noted = redactions.into_iter().map(|Redaction { kind, count }| FieldRedaction {
            field,
            kind: kind.to_string(),
            count,
        });
        self.redactions.extend(noted);
    }
}

pub(super) fn within(field: &'static str, length: usize, limit: usize, unit: &'static str) -> Result<(), DraftFault> {
    if length > limit { Err(DraftFault::TooLong { field, length, limit, unit }) } else { Ok(()) }
}

pub(super) fn not_blank(field: &'static str, text: &str) -> Result<(), DraftFault> {
    if text.trim().is_empty() { Err(DraftFault::Blank { field }) } else { Ok(()) }
}

pub(super) fn no_nul(field: &'static str, text: &str) -> Result<(), DraftFault> {
    if text.contains('\0') { Err(DraftFault::HasNul { field }) } else { Ok(()) }
}

/// How many bytes `value` has as compact JSON text.
pub(super) fn json_bytes(value: &Value) -> usize {
    /// Counts what is written to it.
    struct ByteCounter(usize);
    impl std::io::Write for ByteCounter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = ByteCounter(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        // a `Value` has string keys alone and `ByteCounter` never fails; were it otherwise, nothing is short enough
        Err(_) => usize::MAX,
    }
}

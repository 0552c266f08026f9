//! Checks, scrubs and defuses fields, and collects the redactions.

use serde_json::{Map, Value};

use super::DraftFault;
use crate::scrub::{Redaction, Scrubbed, ScrubbedJson, Scrubber};

/// Redactions of one kind in one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRedaction {
    /// Name of the field in JSON.
    pub field: &'static str,
    /// Kind of credential, such as `GITHUB_TOKEN`.
    pub kind: String,
    /// Number of occurrences.
    pub count: usize,
}

/// The scrubber and the redactions of one draft.
pub(super) struct FieldScrubber<'a> {
    scrubber: &'a Scrubber,
    redactions: Vec<FieldRedaction>,
}

impl<'a> FieldScrubber<'a> {
    pub(super) fn new(scrubber: &'a Scrubber) -> Self {
        Self { scrubber, redactions: Vec::new() }
    }

    pub(super) fn redactions(self) -> Vec<FieldRedaction> {
        self.redactions
    }

    /// Text of at most `limit` bytes; may be blank.
    pub(super) fn text(&mut self, field: &'static str, text: &str, limit: usize) -> Result<Scrubbed, DraftFault> {
        within(field, text.len(), limit, "bytes")?;
        no_nul(field, text)?;
        let (scrubbed, redactions) = self.scrubber.scrub(text);
        self.record(field, redactions);
        // other fields reach the same readers as the content
        Ok(scrubbed.defused())
    }

    /// One visible line of at most `limit` characters.
    pub(super) fn line(&mut self, field: &'static str, text: &str, limit: usize) -> Result<Scrubbed, DraftFault> {
        let text = text.trim();
        not_blank(field, text)?;
        within(field, text.chars().count(), limit, "characters")?;
        if text.chars().any(|c| c.is_control() && c != '\0') {
            return Err(DraftFault::Form { field, expected: "one line without control characters" });
        }
        self.text(field, text, usize::MAX)
    }

    /// An optional line.
    pub(super) fn line_if(
        &mut self,
        field: &'static str,
        text: Option<&str>,
        limit: usize,
    ) -> Result<Option<Scrubbed>, DraftFault> {
        text.map(|text| self.line(field, text, limit)).transpose()
    }

    /// Any JSON value of at most `limit` bytes as text.
    pub(super) fn json(&mut self, field: &'static str, value: Value, limit: usize) -> Result<ScrubbedJson, DraftFault> {
        within(field, json_bytes(&value), limit, "bytes as JSON")?;
        let scrubbed = self.scrubber.scrub_json(value);
        let (value, redactions) =
            scrubbed.map_err(|key| DraftFault::CredentialKey { field, kind: key.kind.to_string() })?;
        self.record(field, redactions);
        Ok(value.defused())
    }

    /// An optional object.
    pub(super) fn object_if(
        &mut self,
        field: &'static str,
        object: Option<Map<String, Value>>,
        limit: usize,
    ) -> Result<Option<ScrubbedJson>, DraftFault> {
        object.map(|object| self.json(field, Value::Object(object), limit)).transpose()
    }

    /// A key and its value.
    pub(super) fn entry(&mut self, key: &str, value: Value) -> Result<(Scrubbed, ScrubbedJson), DraftFault> {
        let scrubbed = self.scrubber.scrub_entry(key, value);
        let (key, value, redactions) = scrubbed.map_err(|refused| DraftFault::CredentialKey {
            field: if refused.path.is_empty() { "key" } else { "value" },
            kind: refused.kind.to_string(),
        })?;
        self.record("value", redactions);
        Ok((key, value))
    }

    fn record(&mut self, field: &'static str, redactions: Vec<Redaction>) {
        let redactions = redactions.into_iter().map(|Redaction { kind, count }| FieldRedaction {
            field,
            kind: kind.to_string(),
            count,
        });
        self.redactions.extend(redactions);
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

/// Size of `value` as compact JSON text.
pub(super) fn json_bytes(value: &Value) -> usize {
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
        // a `Value` has only string keys and `ByteCounter` never fails; otherwise the value is too long
        Err(_) => usize::MAX,
    }
}

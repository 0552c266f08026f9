//! Drafts of entries.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::expiry::from_ttl;
use super::field_scrubber::{FieldScrubber, json_bytes, no_nul, not_blank, within};
use super::{DraftFault, FieldRedaction};
use crate::DraftLimits;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

/// Maximum size of a key in bytes.
pub const MAX_KEY_BYTES: usize = 256;

/// Maximum length of a subject in characters.
pub const MAX_SUBJECT: usize = 200;

/// Unchecked input.
#[derive(Clone, Debug)]
pub struct EntryInput {
    /// The key.
    pub key: String,
    /// Any JSON value.
    pub value: Value,
    /// Lifetime in seconds.
    pub ttl_seconds: Option<i64>,
    /// Required current version; 0 means that the entry must not exist.
    pub if_match_version: Option<i64>,
    /// The end user concerned.
    pub subject: Option<String>,
}

/// A checked entry.
#[derive(Clone, Debug)]
pub struct EntryDraft(EntryFields);

/// The fields of an [`EntryDraft`].
#[derive(Clone, Debug)]
pub struct EntryFields {
    /// The key.
    pub key: Scrubbed,
    /// Any JSON value.
    pub value: ScrubbedJson,
    /// Exclusive end of validity, in whole microseconds.
    pub expires_at: Option<DateTime<Utc>>,
    /// Required current version; 0 means that the entry must not exist.
    pub if_match_version: Option<i64>,
    /// The end user concerned.
    pub subject: Option<Scrubbed>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl EntryDraft {
    /// Checks and scrubs input received at `now`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/key-value.md`, "Fields".
    pub fn check(
        input: EntryInput,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        check_key(&input.key)?;
        within("value", json_bytes(&input.value), limits.value_bytes, "bytes as JSON")?;
        if input.if_match_version.is_some_and(|version| version < 0) {
            let expected = "the required version, or 0 if the entry must not exist";
            return Err(DraftFault::Form { field: "if_match_version", expected });
        }
        let expires_at = input.ttl_seconds.map(|seconds| from_ttl(seconds, now)).transpose()?;
        let subject = scrub.line_if("subject", input.subject.as_deref(), MAX_SUBJECT)?;
        let (key, value) = scrub.entry(&input.key, input.value)?;
        Ok(Self(EntryFields {
            key,
            value,
            expires_at,
            if_match_version: input.if_match_version,
            subject,
            redactions: scrub.redactions(),
        }))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &EntryFields {
        &self.0
    }
}

/// Checks the form of a key: visible, short enough, without control characters.
///
/// # Errors
/// [`DraftFault`] for the field `key`.
pub fn check_key(key: &str) -> Result<(), DraftFault> {
    not_blank("key", key)?;
    within("key", key.len(), MAX_KEY_BYTES, "bytes")?;
    no_nul("key", key)?;
    if key.chars().any(char::is_control) {
        return Err(DraftFault::Form { field: "key", expected: "without control characters" });
    }
    Ok(())
}

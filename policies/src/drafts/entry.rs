//! An entry on its way into the store.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::cleaner::{Cleaner, json_bytes, no_nul, not_blank, within};
use super::expiry::from_ttl;
use super::{DraftFault, FieldRedaction};
use crate::DraftLimits;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

/// Bytes of a key, at most.
pub const MAX_KEY_BYTES: usize = 256;

/// What a caller sent, unchecked.
#[derive(Clone, Debug)]
pub struct EntryInput {
    /// The key.
    pub key: String,
    /// Any JSON.
    pub value: Value,
    /// Seconds until it is absent.
    pub ttl_seconds: Option<i64>,
    /// The version that must be there; 0 for "must not exist".
    pub if_match_version: Option<i64>,
}

/// An entry that may be stored.
#[derive(Clone, Debug)]
pub struct EntryDraft(EntryFields);

/// What an [`EntryDraft`] holds.
#[derive(Clone, Debug)]
pub struct EntryFields {
    /// The key.
    pub key: Scrubbed,
    /// Any JSON.
    pub value: ScrubbedJson,
    /// When it becomes absent, whole microseconds.
    pub expires_at: Option<DateTime<Utc>>,
    /// The version that must be there; 0 for "must not exist".
    pub if_match_version: Option<i64>,
    /// What was replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl EntryDraft {
    /// Checks and scrubs what a caller sent at `now`.
    ///
    /// # Errors
    /// [`DraftFault`], naming the first field that cannot be accepted.
    ///
    /// # Source
    /// product.md, section 4.3.
    pub fn check(
        input: EntryInput,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        check_key(&input.key)?;
        within("value", json_bytes(&input.value), limits.value_bytes, "bytes as JSON")?;
        if input.if_match_version.is_some_and(|version| version < 0) {
            let expected = "the version that must be there, or 0 for an entry that must not exist";
            return Err(DraftFault::Form { field: "if_match_version", expected });
        }
        let expires_at = input.ttl_seconds.map(|seconds| from_ttl(seconds, now)).transpose()?;
        let (key, value) = cleaner.entry(&input.key, input.value)?;
        Ok(Self(EntryFields {
            key,
            value,
            expires_at,
            if_match_version: input.if_match_version,
            redactions: cleaner.redactions(),
        }))
    }

    /// What it holds.
    #[must_use]
    pub fn fields(&self) -> &EntryFields {
        &self.0
    }
}

/// Whether a key can be one at all: something to see in it, not too long, without control characters.
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

//! The fields of a memory that its author writes, as stored.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::Source;
use crate::{Tier, quote};

/// The checked and scrubbed fields that an author writes. Memories, their earlier versions and pending memories share
/// this type, so a new field is in all of them. A pending memory stores it as JSON: a new field needs a default there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuthoredFields {
    /// The text, not quoted.
    pub content: String,
    /// One line.
    #[serde(default)]
    pub title: Option<String>,
    /// A label; `general` by default.
    pub namespace: String,
    /// A lower-case word; `fact` by default.
    pub kind: String,
    /// Origin, as the author claims.
    pub source: Source,
    /// From 0 to 1.
    pub confidence: f64,
    /// Labels for filters.
    pub tags: Vec<String>,
    /// A JSON object as text.
    #[serde(with = "object_text")]
    pub metadata: Option<String>,
    /// Id of the end user that the memory is about.
    pub subject: Option<String>,
    /// Session of the write.
    pub session_id: Option<String>,
    /// Whether it ends with its session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_only: bool,
    /// Whether lists show it before other memories.
    pub pin: bool,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
    /// Statements about records: a JSON array as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<String>,
}

impl AuthoredFields {
    /// The fields as an agent receives them from another author: with visible escapes for invisible characters in every
    /// field except the content, which is quoted separately.
    #[must_use]
    pub fn with_visible_labels(mut self) -> Self {
        let Self {
            content: _,
            title,
            namespace,
            kind,
            source: _,
            confidence: _,
            tags,
            metadata,
            subject,
            session_id,
            session_only: _,
            pin: _,
            expires_at: _,
            // visible where they are read, with the records
            claims: _,
        } = &mut self;
        let texts = [namespace, kind].into_iter().chain(title).chain(tags).chain(subject).chain(session_id);
        for text in texts {
            if let Cow::Owned(visible) = quote::visible(text) {
                *text = visible;
            }
        }
        if let Some(text) = metadata
            && let Ok(mut value) = serde_json::from_str(text)
        {
            quote::visible_json(&mut value);
            *text = value.to_string();
        }
        self
    }

    /// How long a memory with these fields lives, and for whom.
    #[must_use]
    pub fn tier(&self) -> Tier {
        Tier::of_memory(self.session_only, self.subject.is_some())
    }

    /// The metadata as JSON; `None` without metadata.
    #[must_use]
    pub fn metadata_object(&self) -> Option<serde_json::Map<String, Value>> {
        self.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok())
    }
}

/// In JSON, an object that is stored as text is an object.
mod object_text {
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::{Map, Value};

    #[expect(clippy::ref_option, reason = "serde calls it with this signature")]
    pub(super) fn serialize<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
        let object: Option<Map<String, Value>> =
            text.as_deref().map(serde_json::from_str).transpose().map_err(S::Error::custom)?;
        object.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        let object = Option::<Map<String, Value>>::deserialize(deserializer)?;
        object.map(|object| serde_json::to_string(&object).map_err(D::Error::custom)).transpose()
    }
}

/// A memory that a run stages, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StagedFields {
    /// The future fields.
    pub authored: AuthoredFields,
    /// Id of the future memory.
    pub id: Uuid,
    /// The run.
    pub run_id: Uuid,
    /// A profile of the author; the default profile where absent.
    pub profile_id: Option<Uuid>,
    /// The memory of the same author that it will replace.
    pub supersedes: Option<Uuid>,
    /// When it happened, if not at the commit.
    pub occurred_at: Option<DateTime<Utc>>,
}

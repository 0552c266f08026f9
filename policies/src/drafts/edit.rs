//! Drafts of changes to stored memories.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::claims::{self, ClaimInput};
use super::expiry::{expiry, from_ttl};
use super::field_scrubber::{FieldScrubber, not_blank};
use super::memory::{MAX_KIND, MAX_LABEL, MAX_METADATA_BYTES, MAX_NAMESPACE, confidence, kind_word, tags};
use super::{AuthoredFields, DraftFault, FieldRedaction, Source};
use crate::quote::Content;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};
use crate::{DraftLimits, Role};

/// The fields to change, unchecked. `None` leaves a field as it is; `Some(None)` clears an optional field.
#[derive(Clone, Debug, Default)]
pub struct MemoryEditInput {
    /// Not blank.
    pub content: Option<String>,
    /// One line.
    pub title: Option<Option<String>>,
    /// One line.
    pub namespace: Option<String>,
    /// A lower-case word.
    pub kind: Option<String>,
    /// The claimed origin; the role limits the choice.
    pub source: Option<Source>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Replaces all tags.
    pub tags: Option<Vec<String>>,
    /// Replaces the whole object.
    pub metadata: Option<Option<Map<String, Value>>>,
    /// The end user that the memory is about.
    pub subject: Option<Option<String>>,
    /// The session that wrote it.
    pub session_id: Option<Option<String>>,
    /// Whether it ends with its session.
    pub session_only: Option<bool>,
    /// Whether it comes before memories that are not pinned.
    pub pin: Option<bool>,
    /// Exclusive end of validity.
    pub expires_at: Option<Option<DateTime<Utc>>>,
    /// Statements about records, at most 16; replaces all.
    pub claims: Option<Option<Vec<ClaimInput>>>,
    /// Alternative to `expires_at`, in seconds from now.
    pub ttl_seconds: Option<i64>,
}

/// A change that may be stored: within the limits, scrubbed and defused.
#[derive(Clone, Debug)]
pub struct MemoryEdit(MemoryEditFields);

/// The checked fields of a [`MemoryEdit`]; `None` leaves a field as it is.
#[derive(Clone, Debug)]
pub struct MemoryEditFields {
    /// Scrubbed text.
    pub content: Option<Content>,
    /// One line.
    pub title: Option<Option<Scrubbed>>,
    /// One line.
    pub namespace: Option<Scrubbed>,
    /// A lower-case word.
    pub kind: Option<Scrubbed>,
    /// The origin.
    pub source: Option<Source>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Without duplicates.
    pub tags: Option<Vec<Scrubbed>>,
    /// A JSON object.
    pub metadata: Option<Option<ScrubbedJson>>,
    /// The end user that the memory is about.
    pub subject: Option<Option<Scrubbed>>,
    /// The session that wrote it.
    pub session_id: Option<Option<Scrubbed>>,
    /// Whether it ends with its session.
    pub session_only: Option<bool>,
    /// Whether it comes before memories that are not pinned.
    pub pin: Option<bool>,
    /// Exclusive end of validity, in whole microseconds.
    pub expires_at: Option<Option<DateTime<Utc>>>,
    /// Statements about records, as a JSON array.
    pub claims: Option<Option<ScrubbedJson>>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl MemoryEdit {
    /// Checks and scrubs the input of a caller of `role` at `now`, by the rules of a
    /// [`MemoryDraft`](super::MemoryDraft).
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/memories.md`, "Edit".
    pub fn check(
        input: MemoryEditInput,
        role: Role,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let content = match input.content {
            None => None,
            Some(content) => {
                not_blank("content", &content)?;
                Some(Content::new(scrub.text("content", &content, limits.content_bytes)?))
            }
        };
        let kind = match input.kind.as_deref() {
            None => None,
            Some(kind) => Some(scrub.text("kind", kind_word(kind)?, MAX_KIND)?),
        };
        let metadata = match input.metadata {
            None => None,
            Some(object) => Some(scrub.object_if("metadata", object, MAX_METADATA_BYTES)?),
        };
        let claims = match input.claims.map(claims::check).transpose()? {
            None => None,
            Some(claims) => Some(claims.map(|claims| scrub.json("claims", claims, usize::MAX)).transpose()?),
        };
        let mut line = |field, given: Option<Option<String>>| match given {
            None => Ok(None),
            Some(line) => scrub.line_if(field, line.as_deref(), MAX_LABEL).map(Some),
        };
        let title = line("title", input.title)?;
        let (subject, session_id) = (line("subject", input.subject)?, line("session_id", input.session_id)?);
        let fields = MemoryEditFields {
            content,
            title,
            namespace: scrub.line_if("namespace", input.namespace.as_deref(), MAX_NAMESPACE)?,
            kind,
            source: input.source.map(|claimed| Source::of(Some(claimed), role)).transpose()?,
            confidence: input.confidence.map(|given| confidence(Some(given))).transpose()?,
            tags: input.tags.map(|given| tags(&mut scrub, &given)).transpose()?,
            metadata,
            subject,
            session_id,
            session_only: input.session_only,
            pin: input.pin,
            expires_at: new_expiry(input.expires_at, input.ttl_seconds, now)?,
            claims,
            redactions: scrub.redactions(),
        };
        Ok(Self(fields))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &MemoryEditFields {
        &self.0
    }

    /// The fields after the edit.
    #[must_use]
    pub fn apply(&self, current: AuthoredFields) -> AuthoredFields {
        let edit = &self.0;
        let required = |change: Option<String>, current: String| change.unwrap_or(current);
        let optional = |change: &Option<Option<Scrubbed>>, current: Option<String>| match change {
            Some(change) => change.as_ref().map(ToString::to_string),
            None => current,
        };
        AuthoredFields {
            content: required(edit.content.as_ref().map(|content| content.as_str().to_owned()), current.content),
            title: optional(&edit.title, current.title),
            namespace: required(edit.namespace.as_ref().map(ToString::to_string), current.namespace),
            kind: required(edit.kind.as_ref().map(ToString::to_string), current.kind),
            source: edit.source.unwrap_or(current.source),
            confidence: edit.confidence.unwrap_or(current.confidence),
            tags: match &edit.tags {
                Some(tags) => tags.iter().map(ToString::to_string).collect(),
                None => current.tags,
            },
            metadata: match &edit.metadata {
                Some(metadata) => metadata.as_ref().map(ToString::to_string),
                None => current.metadata,
            },
            subject: optional(&edit.subject, current.subject),
            session_id: optional(&edit.session_id, current.session_id),
            session_only: edit.session_only.unwrap_or(current.session_only),
            pin: edit.pin.unwrap_or(current.pin),
            expires_at: edit.expires_at.unwrap_or(current.expires_at),
            claims: match &edit.claims {
                Some(claims) => claims.as_ref().map(ToString::to_string),
                None => current.claims,
            },
        }
    }
}

fn new_expiry(
    expires_at: Option<Option<DateTime<Utc>>>,
    ttl_seconds: Option<i64>,
    now: DateTime<Utc>,
) -> Result<Option<Option<DateTime<Utc>>>, DraftFault> {
    match (expires_at, ttl_seconds) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(DraftFault::Both { one: "expires_at", other: "ttl_seconds" }),
        (None, Some(seconds)) => from_ttl(seconds, now).map(Some).map(Some),
        (Some(at), None) => expiry(at, None, now).map(Some),
    }
}

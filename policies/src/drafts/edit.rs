//! A change of a memory that is there, on its way into the store.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::cleaner::{Cleaner, not_blank};
use super::expiry::{expiry, from_ttl};
use super::memory::{MAX_KIND, MAX_LABEL, MAX_METADATA_BYTES, MAX_NAMESPACE, confidence, kind_word, tags};
use super::{DraftFault, FieldRedaction, Source};
use crate::quote::Content;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};
use crate::{DraftLimits, Role};

/// What a caller wants changed, unchecked: what is absent stays, and where something may be without, `Some(None)`
/// takes it away.
#[derive(Clone, Debug, Default)]
pub struct MemoryEditInput {
    /// The text.
    pub content: Option<String>,
    /// The label it is filed by.
    pub namespace: Option<String>,
    /// What kind of memory.
    pub kind: Option<String>,
    /// Where it is claimed to come from.
    pub source: Option<Source>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Labels, in place of those it has.
    pub tags: Option<Vec<String>>,
    /// Any object, in place of the one it has.
    pub metadata: Option<Option<Map<String, Value>>>,
    /// The end user it is about.
    pub subject: Option<Option<String>>,
    /// The session it was made in.
    pub session_id: Option<Option<String>>,
    /// Whether it is listed before the others.
    pub pin: Option<bool>,
    /// When it becomes absent.
    pub expires_at: Option<Option<DateTime<Utc>>>,
    /// The same in seconds from now.
    pub ttl_seconds: Option<i64>,
}

/// A change of a memory that may be stored: within the limits, scrubbed, defused.
#[derive(Clone, Debug)]
pub struct MemoryEdit(MemoryEditFields);

/// What a [`MemoryEdit`] holds; what is absent stays.
#[derive(Clone, Debug)]
pub struct MemoryEditFields {
    /// The text.
    pub content: Option<Content>,
    /// The label it is filed by.
    pub namespace: Option<Scrubbed>,
    /// What kind of memory.
    pub kind: Option<Scrubbed>,
    /// Where it comes from.
    pub source: Option<Source>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Labels, each once.
    pub tags: Option<Vec<Scrubbed>>,
    /// Any object.
    pub metadata: Option<Option<ScrubbedJson>>,
    /// The end user it is about.
    pub subject: Option<Option<Scrubbed>>,
    /// The session it was made in.
    pub session_id: Option<Option<Scrubbed>>,
    /// Whether it is listed before the others.
    pub pin: Option<bool>,
    /// When it becomes absent, whole microseconds.
    pub expires_at: Option<Option<DateTime<Utc>>>,
    /// What was replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl MemoryEdit {
    /// Checks and scrubs what a caller of `role` sent at `now`, by the rules of a
    /// [`MemoryDraft`](super::MemoryDraft).
    ///
    /// # Errors
    /// [`DraftFault`], naming the first field that cannot be accepted.
    ///
    /// # Source
    /// product.md, section 4.2, `PATCH`.
    pub fn check(
        input: MemoryEditInput,
        role: Role,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        let content = match input.content {
            None => None,
            Some(content) => {
                not_blank("content", &content)?;
                Some(Content::new(cleaner.text("content", &content, limits.content_bytes)?))
            }
        };
        let kind = match input.kind.as_deref() {
            None => None,
            Some(kind) => Some(cleaner.text("kind", kind_word(kind)?, MAX_KIND)?),
        };
        let metadata = match input.metadata {
            None => None,
            Some(object) => Some(cleaner.object_if("metadata", object, MAX_METADATA_BYTES)?),
        };
        let mut line = |field, given: Option<Option<String>>| match given {
            None => Ok(None),
            Some(line) => cleaner.line_if(field, line.as_deref(), MAX_LABEL).map(Some),
        };
        let (subject, session_id) = (line("subject", input.subject)?, line("session_id", input.session_id)?);
        let fields = MemoryEditFields {
            content,
            namespace: cleaner.line_if("namespace", input.namespace.as_deref(), MAX_NAMESPACE)?,
            kind,
            source: input.source.map(|claimed| Source::of(Some(claimed), role)).transpose()?,
            confidence: input.confidence.map(|given| confidence(Some(given))).transpose()?,
            tags: input.tags.map(|given| tags(&mut cleaner, &given)).transpose()?,
            metadata,
            subject,
            session_id,
            pin: input.pin,
            expires_at: end(input.expires_at, input.ttl_seconds, now)?,
            redactions: cleaner.redactions(),
        };
        Ok(Self(fields))
    }

    /// What it holds.
    #[must_use]
    pub fn fields(&self) -> &MemoryEditFields {
        &self.0
    }
}

/// The end that is asked for, if one is.
fn end(
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

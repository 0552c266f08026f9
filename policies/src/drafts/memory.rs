//! A memory on its way into the store.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::cleaner::{Cleaner, not_blank, within};
use super::expiry::{check_made_at, expiry};
use super::{DraftFault, FieldRedaction, Source};
use crate::quote::Content;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};
use crate::{DraftLimits, Role};

pub(super) const MAX_NAMESPACE: usize = 50;
pub(super) const MAX_KIND: usize = 32;
const MAX_TAGS: usize = 32;
pub(super) const MAX_LABEL: usize = 200;
pub(super) const MAX_METADATA_BYTES: usize = 64 * 1024;

/// What a caller sent, unchecked.
#[derive(Clone, Debug, Default)]
pub struct MemoryInput {
    /// The text.
    pub content: String,
    /// A label to file by.
    pub namespace: Option<String>,
    /// What kind of memory.
    pub kind: Option<String>,
    /// Where it is claimed to come from.
    pub source: Option<Source>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Labels.
    pub tags: Vec<String>,
    /// Any object.
    pub metadata: Option<Map<String, Value>>,
    /// The end user it is about.
    pub subject: Option<String>,
    /// The session it was made in.
    pub session_id: Option<String>,
    /// The run it was made in.
    pub run_id: Option<Uuid>,
    /// The profile of its author that it belongs to; the default one when none is named.
    pub profile_id: Option<Uuid>,
    /// Whether it is listed before the others.
    pub pin: bool,
    /// When it becomes absent.
    pub expires_at: Option<DateTime<Utc>>,
    /// The same in seconds from now.
    pub ttl_seconds: Option<i64>,
    /// The own memory that it replaces.
    pub supersedes: Option<Uuid>,
    /// An id of the caller's choice.
    pub id: Option<Uuid>,
    /// When it was made, for imports; now otherwise.
    pub created_at: Option<DateTime<Utc>>,
}

/// A memory that may be stored: within the limits, scrubbed, defused.
#[derive(Clone, Debug)]
pub struct MemoryDraft(MemoryFields);

/// What a [`MemoryDraft`] holds.
#[derive(Clone, Debug)]
pub struct MemoryFields {
    /// The text.
    pub content: Content,
    /// The label it is filed by.
    pub namespace: Scrubbed,
    /// What kind of memory.
    pub kind: Scrubbed,
    /// Where it comes from.
    pub source: Source,
    /// 0 to 1.
    pub confidence: f64,
    /// Labels, each once.
    pub tags: Vec<Scrubbed>,
    /// Any object.
    pub metadata: Option<ScrubbedJson>,
    /// The end user it is about.
    pub subject: Option<Scrubbed>,
    /// The session it was made in.
    pub session_id: Option<Scrubbed>,
    /// The run it was made in.
    pub run_id: Option<Uuid>,
    /// The profile of its author that it belongs to; the default one when none is named.
    pub profile_id: Option<Uuid>,
    /// Whether it is listed before the others.
    pub pin: bool,
    /// When it becomes absent, whole microseconds.
    pub expires_at: Option<DateTime<Utc>>,
    /// The own memory that it replaces.
    pub supersedes: Option<Uuid>,
    /// An id of the caller's choice.
    pub id: Option<Uuid>,
    /// When it was made, for imports, whole microseconds; now otherwise.
    pub created_at: Option<DateTime<Utc>>,
    /// What was replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl MemoryDraft {
    /// Checks and scrubs what a caller of `role` sent at `now`.
    ///
    /// # Errors
    /// [`DraftFault`], naming the first field that cannot be accepted.
    ///
    /// # Source
    /// product.md, section 4.2, the table of fields.
    pub fn check(
        input: MemoryInput,
        role: Role,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        not_blank("content", &input.content)?;
        let content = Content::new(cleaner.text("content", &input.content, limits.content_bytes)?);
        let namespace = match input.namespace.as_deref() {
            None => Scrubbed::fixed("general"),
            Some(namespace) => cleaner.line("namespace", namespace, MAX_NAMESPACE)?,
        };
        let kind = match input.kind.as_deref() {
            None => Scrubbed::fixed("fact"),
            Some(kind) => cleaner.text("kind", kind_word(kind)?, MAX_KIND)?,
        };
        let fields = MemoryFields {
            content,
            namespace,
            kind,
            source: Source::of(input.source, role)?,
            confidence: confidence(input.confidence)?,
            tags: tags(&mut cleaner, &input.tags)?,
            metadata: cleaner.object_if("metadata", input.metadata, MAX_METADATA_BYTES)?,
            subject: cleaner.line_if("subject", input.subject.as_deref(), MAX_LABEL)?,
            session_id: cleaner.line_if("session_id", input.session_id.as_deref(), MAX_LABEL)?,
            run_id: input.run_id,
            profile_id: input.profile_id,
            pin: input.pin,
            expires_at: expiry(input.expires_at, input.ttl_seconds, now)?,
            supersedes: input.supersedes,
            id: input.id,
            created_at: check_made_at(input.created_at)?,
            redactions: cleaner.redactions(),
        };
        Ok(Self(fields))
    }

    /// A draft that was checked before and waited since: scrubbed once more, by the rules as they are now. Lengths are not
    /// checked again, as what stands in for a credential may be longer than it; nor is the expiry.
    ///
    /// # Errors
    /// [`DraftFault`] when a key has the shape of a credential by now, or the role may not claim the source any more.
    pub fn resume(waited: MemoryInput, role: Role, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        let mut text = |field, text: &str| cleaner.text(field, text, usize::MAX);
        let mut maybe = |field, value: Option<&str>| value.map(|value| text(field, value)).transpose();
        let content = maybe("content", Some(&waited.content))?.unwrap_or_else(|| Scrubbed::fixed(""));
        let namespace = maybe("namespace", waited.namespace.as_deref())?;
        let kind = maybe("kind", waited.kind.as_deref())?;
        let subject = maybe("subject", waited.subject.as_deref())?;
        let session_id = maybe("session_id", waited.session_id.as_deref())?;
        let tags = waited.tags.iter().map(|tag| text("tags", tag)).collect::<Result<_, _>>()?;
        Ok(Self(MemoryFields {
            content: Content::new(content),
            namespace: namespace.unwrap_or_else(|| Scrubbed::fixed("general")),
            kind: kind.unwrap_or_else(|| Scrubbed::fixed("fact")),
            source: Source::of(waited.source, role)?,
            confidence: confidence(waited.confidence)?,
            tags,
            metadata: cleaner.object_if("metadata", waited.metadata, usize::MAX)?,
            subject,
            session_id,
            run_id: waited.run_id,
            profile_id: waited.profile_id,
            pin: waited.pin,
            expires_at: waited.expires_at,
            supersedes: waited.supersedes,
            id: waited.id,
            created_at: waited.created_at,
            redactions: cleaner.redactions(),
        }))
    }

    /// The same draft under an id of the server's choice.
    #[must_use]
    pub fn under_id(&self, id: Uuid) -> Self {
        Self(MemoryFields { id: Some(id), ..self.0.clone() })
    }

    /// What it holds.
    #[must_use]
    pub fn fields(&self) -> &MemoryFields {
        &self.0
    }
}

pub(super) fn kind_word(kind: &str) -> Result<&str, DraftFault> {
    let starts = kind.starts_with(|c: char| c.is_ascii_lowercase());
    let goes_on = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    if starts && kind.len() <= MAX_KIND && kind.chars().all(goes_on) {
        return Ok(kind);
    }
    let expected =
        "a lower-case word of at most 32 letters, digits, `_` and `-`, such as `fact`, `summary` or `checkpoint`";
    Err(DraftFault::Form { field: "kind", expected })
}

pub(super) fn confidence(given: Option<f64>) -> Result<f64, DraftFault> {
    let confidence = given.unwrap_or(0.5);
    if (0.0..=1.0).contains(&confidence) {
        return Ok(confidence);
    }
    Err(DraftFault::Form { field: "confidence", expected: "a number from 0 to 1" })
}

pub(super) fn tags(cleaner: &mut Cleaner<'_>, given: &[String]) -> Result<Vec<Scrubbed>, DraftFault> {
    within("tags", given.len(), MAX_TAGS, "tags")?;
    let mut tags = Vec::with_capacity(given.len());
    for tag in given {
        let tag = cleaner.line("tags", tag, MAX_LABEL)?;
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Ok(tags)
}

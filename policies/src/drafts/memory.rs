//! Drafts of memories.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::claims::{self, ClaimInput};
use super::expiry::{check_made_at, check_occurred_at, expiry};
use super::field_scrubber::{FieldScrubber, not_blank, within};
use super::{AuthoredFields, DraftFault, FieldRedaction, Source, StagedFields};
use crate::quote::Content;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};
use crate::{DraftLimits, Namespace, Role};

/// Characters of a namespace.
pub const MAX_NAMESPACE: usize = 50;
/// Characters of a kind.
pub const MAX_KIND: usize = 32;
/// Tags of a memory.
pub const MAX_TAGS: usize = 32;
/// Characters of a tag, a subject or a session.
pub const MAX_LABEL: usize = 200;
pub(super) const MAX_METADATA_BYTES: usize = 64 * 1024;

/// The fields of a request, unchecked. See `docs/spec/memories.md`, "Fields".
#[derive(Clone, Debug, Default)]
pub struct MemoryInput {
    /// Not blank.
    pub content: String,
    /// One line of at most 200 characters.
    pub title: Option<String>,
    /// `general` by default.
    pub namespace: Option<String>,
    /// A lower-case word; `fact` by default.
    pub kind: Option<String>,
    /// The claimed origin; the role limits the choice.
    pub source: Option<Source>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// At most 32.
    pub tags: Vec<String>,
    /// At most 64 KiB as JSON.
    pub metadata: Option<Map<String, Value>>,
    /// The end user that the memory is about.
    pub subject: Option<String>,
    /// The session that wrote it.
    pub session_id: Option<String>,
    /// Whether it ends with its session, which must be given.
    pub session_only: bool,
    /// The run that wrote it.
    pub run_id: Option<Uuid>,
    /// A profile of the author; the default profile where absent.
    pub profile_id: Option<Uuid>,
    /// Whether it comes before memories that are not pinned.
    pub pin: bool,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
    /// Alternative to `expires_at`, in seconds from now.
    pub ttl_seconds: Option<i64>,
    /// The memory of the same author that it replaces.
    pub supersedes: Option<Uuid>,
    /// An id chosen by the caller.
    pub id: Option<Uuid>,
    /// Statements about records, at most 16.
    pub claims: Option<Vec<ClaimInput>>,
    /// The creation time of imported memories; otherwise absent.
    pub created_at: Option<DateTime<Utc>>,
    /// When it happened, if not now.
    pub occurred_at: Option<DateTime<Utc>>,
}

/// A memory that may be stored: within the limits, scrubbed and defused.
#[derive(Clone, Debug)]
pub struct MemoryDraft(MemoryFields);

/// The checked fields of a [`MemoryDraft`].
#[derive(Clone, Debug)]
pub struct MemoryFields {
    /// Scrubbed text.
    pub content: Content,
    /// One line.
    pub title: Option<Scrubbed>,
    /// One line.
    pub namespace: Scrubbed,
    /// A lower-case word.
    pub kind: Scrubbed,
    /// The origin.
    pub source: Source,
    /// 0 to 1.
    pub confidence: f64,
    /// Without duplicates.
    pub tags: Vec<Scrubbed>,
    /// A JSON object.
    pub metadata: Option<ScrubbedJson>,
    /// The end user that the memory is about.
    pub subject: Option<Scrubbed>,
    /// The session that wrote it.
    pub session_id: Option<Scrubbed>,
    /// Whether it ends with its session. It has one then.
    pub session_only: bool,
    /// The run that wrote it.
    pub run_id: Option<Uuid>,
    /// A profile of the author; the default profile where absent.
    pub profile_id: Option<Uuid>,
    /// Whether it comes before memories that are not pinned.
    pub pin: bool,
    /// Exclusive end of validity, in whole microseconds.
    pub expires_at: Option<DateTime<Utc>>,
    /// The memory of the same author that it replaces.
    pub supersedes: Option<Uuid>,
    /// An id chosen by the caller.
    pub id: Option<Uuid>,
    /// The creation time of imported memories, in whole microseconds; otherwise absent.
    pub created_at: Option<DateTime<Utc>>,
    /// When it happened, in whole microseconds, if not at the commit.
    pub occurred_at: Option<DateTime<Utc>>,
    /// Statements about records, as a JSON array.
    pub claims: Option<ScrubbedJson>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl MemoryDraft {
    /// Checks and scrubs the input of a caller of `role` at `now`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/memories.md`, "Fields".
    pub fn check(
        input: MemoryInput,
        role: Role,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        if input.session_only && input.session_id.is_none() {
            return Err(DraftFault::Without { field: "session_only", needs: "session_id" });
        }
        let mut scrub = FieldScrubber::new(scrubber);
        let claims = claims::check(input.claims)?;
        let claims = claims.map(|claims| scrub.json("claims", claims, usize::MAX)).transpose()?;
        not_blank("content", &input.content)?;
        let content = Content::new(scrub.text("content", &input.content, limits.content_bytes)?);
        let namespace = match input.namespace.as_deref() {
            None => Scrubbed::fixed(Namespace::UNLABELLED),
            Some(namespace) => scrub.line("namespace", namespace, MAX_NAMESPACE)?,
        };
        let kind = match input.kind.as_deref() {
            None => Scrubbed::fixed("fact"),
            Some(kind) => scrub.text("kind", kind_word(kind)?, MAX_KIND)?,
        };
        let fields = MemoryFields {
            content,
            title: scrub.line_if("title", input.title.as_deref(), MAX_LABEL)?,
            namespace,
            kind,
            source: Source::of(input.source, role)?,
            confidence: confidence(input.confidence)?,
            tags: tags(&mut scrub, &input.tags)?,
            metadata: scrub.object_if("metadata", input.metadata, MAX_METADATA_BYTES)?,
            subject: scrub.line_if("subject", input.subject.as_deref(), MAX_LABEL)?,
            session_id: scrub.line_if("session_id", input.session_id.as_deref(), MAX_LABEL)?,
            session_only: input.session_only,
            run_id: input.run_id,
            profile_id: input.profile_id,
            pin: input.pin,
            expires_at: expiry(input.expires_at, input.ttl_seconds, now)?,
            supersedes: input.supersedes,
            id: input.id,
            created_at: check_made_at(input.created_at)?,
            occurred_at: check_occurred_at(input.occurred_at, now)?,
            claims,
            redactions: scrub.redactions(),
        };
        Ok(Self(fields))
    }

    /// Checks and scrubs a fact that a processor of the server makes of rows. Only such facts have this source.
    ///
    /// # Errors
    /// As for [`MemoryDraft::check`].
    ///
    /// # Source
    /// `docs/spec/processors.md`.
    pub fn of_processor(
        input: MemoryInput,
        limits: DraftLimits,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let Self(fields) = Self::check(MemoryInput { source: None, ..input }, Role::Agent, limits, scrubber, now)?;
        Ok(Self(MemoryFields { source: Source::Processor, ..fields }))
    }

    /// Scrubs a staged draft again with the current rules. Lengths are not checked again, because a stand-in may be
    /// longer than the credential that it replaces; neither is the expiry.
    ///
    /// # Errors
    /// [`DraftFault`] when a key of the metadata now matches a rule, or the role may no longer claim the source.
    pub fn resume(staged: StagedFields, role: Role, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let metadata = staged.authored.metadata_object();
        let claims: Option<Value> = staged.authored.claims.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let StagedFields { authored, id, run_id, profile_id, supersedes, occurred_at } = staged;
        let mut scrub = FieldScrubber::new(scrubber);
        let claims = claims.map(|claims| scrub.json("claims", claims, usize::MAX)).transpose()?;
        let mut text = |field, text: &str| scrub.text(field, text, usize::MAX);
        let content = text("content", &authored.content)?;
        let (namespace, kind) = (text("namespace", &authored.namespace)?, text("kind", &authored.kind)?);
        let tags = authored.tags.iter().map(|tag| text("tags", tag)).collect::<Result<_, _>>()?;
        let mut maybe = |field, value: Option<String>| value.map(|value| text(field, &value)).transpose();
        let title = maybe("title", authored.title)?;
        let (subject, session_id) = (maybe("subject", authored.subject)?, maybe("session_id", authored.session_id)?);
        Ok(Self(MemoryFields {
            content: Content::new(content),
            title,
            namespace,
            kind,
            source: Source::of(Some(authored.source), role)?,
            confidence: confidence(Some(authored.confidence))?,
            tags,
            metadata: scrub.object_if("metadata", metadata, usize::MAX)?,
            subject,
            session_id,
            session_only: authored.session_only,
            run_id: Some(run_id),
            profile_id,
            pin: authored.pin,
            expires_at: authored.expires_at,
            supersedes,
            id: Some(id),
            created_at: None,
            occurred_at,
            claims,
            redactions: scrub.redactions(),
        }))
    }

    /// A copy of the draft with an id chosen by the server.
    #[must_use]
    pub fn under_id(&self, id: Uuid) -> Self {
        Self(MemoryFields { id: Some(id), ..self.0.clone() })
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &MemoryFields {
        &self.0
    }
}

impl MemoryFields {
    /// The fields in their stored form.
    #[must_use]
    pub fn authored(&self) -> AuthoredFields {
        let text = |text: &Option<Scrubbed>| text.as_ref().map(ToString::to_string);
        AuthoredFields {
            content: self.content.as_str().to_owned(),
            title: text(&self.title),
            namespace: self.namespace.to_string(),
            kind: self.kind.to_string(),
            source: self.source,
            confidence: self.confidence,
            tags: self.tags.iter().map(ToString::to_string).collect(),
            metadata: self.metadata.as_ref().map(ToString::to_string),
            subject: text(&self.subject),
            session_id: text(&self.session_id),
            session_only: self.session_only,
            pin: self.pin,
            expires_at: self.expires_at,
            claims: self.claims.as_ref().map(ToString::to_string),
        }
    }
}

pub(super) fn kind_word(kind: &str) -> Result<&str, DraftFault> {
    let starts = kind.starts_with(|c: char| c.is_ascii_lowercase());
    let continues = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    if starts && kind.len() <= MAX_KIND && kind.chars().all(continues) {
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

pub(super) fn tags(scrub: &mut FieldScrubber<'_>, given: &[String]) -> Result<Vec<Scrubbed>, DraftFault> {
    within("tags", given.len(), MAX_TAGS, "tags")?;
    let mut tags = Vec::with_capacity(given.len());
    for tag in given {
        let tag = scrub.line("tags", tag, MAX_LABEL)?;
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Ok(tags)
}

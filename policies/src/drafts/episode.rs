//! Drafts of episodes.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::claims::{self, ClaimInput};
use super::expiry::check_occurred_at;
use super::field_scrubber::FieldScrubber;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

/// Characters of a label.
pub const MAX_LABEL: usize = 200;
/// Bytes of a summary or an error text.
pub const MAX_TEXT_BYTES: usize = 16 * 1024;
const MAX_BODY_BYTES: usize = 256 * 1024;

/// The activity types of a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeTypes(Vec<String>);

impl EpisodeTypes {
    /// The types of every deployment.
    ///
    /// Source: `docs/spec/activity.md`, "Types".
    pub const BUILT_IN: [&'static str; 10] = [
        "a2a_send",
        "a2a_receive",
        "task_update",
        "task_complete",
        "tool_call",
        "agent_log",
        "skill_promotion",
        "memory_write",
        "message",
        "error",
    ];

    /// The built-in types and those of the configuration.
    #[must_use]
    pub fn with(own: impl IntoIterator<Item = String>) -> Self {
        Self(Self::BUILT_IN.into_iter().map(str::to_owned).chain(own).collect())
    }

    /// The names of the types.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    fn check(&self, name: &str) -> Result<(), DraftFault> {
        if self.0.iter().any(|known| known == name) {
            return Ok(());
        }
        let known = self.0.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
        Err(DraftFault::UnknownActivityType { known })
    }
}

/// The result of an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It reached its goal.
    Success,
    /// It did not reach its goal.
    Failure,
    /// Neither.
    Neutral,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Success, Self::Failure, Self::Neutral];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Neutral => "neutral",
        }
    }

    /// The outcome with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    fn check(name: &str) -> Result<Self, DraftFault> {
        Self::named(name).ok_or(DraftFault::Form { field: "outcome", expected: "`success`, `failure` or `neutral`" })
    }
}

/// Unchecked input.
#[derive(Clone, Debug, Default)]
pub struct EpisodeInput {
    /// One of the known types.
    pub activity_type: String,
    /// The method called.
    pub method: Option<String>,
    /// One line.
    pub summary: Option<String>,
    /// The target of the activity.
    pub target_id: Option<Uuid>,
    /// State of the activity.
    pub status: Option<String>,
    /// Error text.
    pub error_detail: Option<String>,
    /// Duration in milliseconds.
    pub duration_ms: Option<i64>,
    /// Any JSON value.
    pub request_body: Option<Value>,
    /// Any JSON value.
    pub response_body: Option<Value>,
    /// Any JSON object.
    pub metadata: Option<Map<String, Value>>,
    /// The actor within the workspace.
    pub actor: Option<String>,
    /// Channel of the activity.
    pub channel: Option<String>,
    /// Groups related episodes.
    pub correlation_id: Option<String>,
    /// Session of the episode.
    pub session_id: Option<String>,
    /// Category of the subject matter.
    pub kind: Option<String>,
    /// `success`, `failure` or `neutral`.
    pub outcome: Option<String>,
    /// Importance from 0 to 1.
    pub salience: Option<f64>,
    /// Statements about records.
    pub claims: Option<Vec<ClaimInput>>,
    /// The corrected episode.
    pub supersedes: Option<Uuid>,
    /// The end user concerned.
    pub subject: Option<String>,
    /// When it happened, if not now.
    pub occurred_at: Option<DateTime<Utc>>,
}

/// A checked episode.
#[derive(Clone, Debug)]
pub struct EpisodeDraft(EpisodeFields);

/// The fields of an [`EpisodeDraft`]: those of [`EpisodeInput`], scrubbed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are those of the input, scrubbed")]
pub struct EpisodeFields {
    pub activity_type: Scrubbed,
    pub method: Option<Scrubbed>,
    pub summary: Option<Scrubbed>,
    pub target_id: Option<Uuid>,
    pub status: Option<Scrubbed>,
    pub error_detail: Option<Scrubbed>,
    pub duration_ms: Option<i64>,
    pub request_body: Option<ScrubbedJson>,
    pub response_body: Option<ScrubbedJson>,
    pub metadata: Option<ScrubbedJson>,
    pub actor: Option<Scrubbed>,
    pub channel: Option<Scrubbed>,
    pub correlation_id: Option<Scrubbed>,
    pub session_id: Option<Scrubbed>,
    pub kind: Option<Scrubbed>,
    pub outcome: Option<Outcome>,
    pub salience: Option<f64>,
    pub claims: Option<ScrubbedJson>,
    pub supersedes: Option<Uuid>,
    pub subject: Option<Scrubbed>,
    pub occurred_at: Option<DateTime<Utc>>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl EpisodeDraft {
    /// Checks and scrubs input at `now`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/activity.md`, "Fields".
    pub fn check(
        input: EpisodeInput,
        types: &EpisodeTypes,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        types.check(&input.activity_type)?;
        if input.duration_ms.is_some_and(|duration| duration < 0) {
            return Err(DraftFault::Form { field: "duration_ms", expected: "0 or more milliseconds" });
        }
        let mut scrub = FieldScrubber::new(scrubber);
        let mut text = |field, text: Option<&str>| text.map(|text| scrub.text(field, text, MAX_TEXT_BYTES)).transpose();
        let summary = text("summary", input.summary.as_deref())?;
        let error_detail = text("error_detail", input.error_detail.as_deref())?;
        let mut body =
            |field, body: Option<Value>| body.map(|body| scrub.json(field, body, MAX_BODY_BYTES)).transpose();
        let request_body = body("request_body", input.request_body)?;
        let response_body = body("response_body", input.response_body)?;
        let metadata = body("metadata", input.metadata.map(Value::Object))?;
        let claims = claims::check(input.claims)?;
        let claims = claims.map(|claims| scrub.json("claims", claims, usize::MAX)).transpose()?;
        if input.salience.is_some_and(|salience| !(0.0..=1.0).contains(&salience)) {
            return Err(DraftFault::Form { field: "salience", expected: "a number from 0 to 1" });
        }
        let mut line = |field, text: Option<&str>| scrub.line_if(field, text, MAX_LABEL);
        let fields = EpisodeFields {
            activity_type: line("activity_type", Some(&input.activity_type))?
                .ok_or(DraftFault::Blank { field: "activity_type" })?,
            method: line("method", input.method.as_deref())?,
            summary,
            target_id: input.target_id,
            status: line("status", input.status.as_deref())?,
            error_detail,
            duration_ms: input.duration_ms,
            request_body,
            response_body,
            metadata,
            actor: line("actor", input.actor.as_deref())?,
            channel: line("channel", input.channel.as_deref())?,
            correlation_id: line("correlation_id", input.correlation_id.as_deref())?,
            session_id: line("session_id", input.session_id.as_deref())?,
            kind: line("kind", input.kind.as_deref())?,
            outcome: input.outcome.as_deref().map(Outcome::check).transpose()?,
            salience: input.salience,
            claims,
            supersedes: input.supersedes,
            subject: line("subject", input.subject.as_deref())?,
            occurred_at: check_occurred_at(input.occurred_at, now)?,
            redactions: scrub.redactions(),
        };
        Ok(Self(fields))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &EpisodeFields {
        &self.0
    }
}

//! Episodes: the append-only activity log of a workspace.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One row of a workspace's activity log.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// Contains the time: ids sort in the order of the episodes.
    pub id: Uuid,
    /// The workspace of the log.
    pub workspace: WorkspaceId,
    /// A built-in or configured type.
    pub activity_type: String,
    /// The method called.
    pub method: Option<String>,
    /// A short text.
    pub summary: Option<String>,
    /// The target of the activity.
    pub target_id: Option<Uuid>,
    /// State of the activity.
    pub status: Option<String>,
    /// Error text.
    pub error_detail: Option<String>,
    /// Duration in milliseconds.
    pub duration_ms: Option<i64>,
    /// JSON as text.
    pub request_body: Option<String>,
    /// JSON as text.
    pub response_body: Option<String>,
    /// A JSON object as text.
    pub metadata: Option<String>,
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
    /// Result of the activity.
    pub outcome: Option<String>,
    /// The corrected episode.
    pub supersedes: Option<Uuid>,
    /// When it happened: as its author declared, else the time of the append.
    pub created_at: DateTime<Utc>,
    /// Time of the append, where its author declared the time of the activity.
    pub recorded_at: Option<DateTime<Utc>>,
    /// The end user concerned.
    pub subject: Option<String>,
    /// Importance from 0 to 1; `None` means 0.5.
    pub salience: Option<f64>,
    /// A JSON array of claims as text.
    pub claims: Option<String>,
    /// The latest episode that corrects this one.
    pub superseded_by: Option<Uuid>,
    /// Time of the redaction; the episode then has only its type, time and corrections.
    pub redacted_at: Option<DateTime<Utc>>,
}

/// The result of the redaction of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactedEpisode {
    /// Time of the redaction, or of the first one.
    pub at: DateTime<Utc>,
    /// Whether the episode was redacted before.
    pub before: bool,
    /// The memories with facts of the episode, which were redacted with it.
    pub facts: Vec<Uuid>,
}

impl Episode {
    /// The cursor position of the episode.
    #[must_use]
    pub fn place(&self) -> EpisodeCursor {
        EpisodeCursor(self.id)
    }
}

/// A position in an activity log. New episodes do not move it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeCursor(pub(crate) Uuid);

/// Conditions on episodes; all of them must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpisodeFilter {
    /// Episodes of this activity type.
    pub activity_type: Option<String>,
    /// Episodes of this session.
    pub session_id: Option<String>,
    /// Episodes about this end user.
    pub subject: Option<String>,
    /// Inclusive start of the period.
    pub since: Option<DateTime<Utc>>,
    /// Exclusive end of the period.
    pub until: Option<DateTime<Utc>>,
}

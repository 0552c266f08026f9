//! Episodes: what happened in a workspace, appended and never changed.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One row of a workspace's activity log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Episode {
    /// Its id, made of the time: ids sort as the episodes happened.
    pub id: Uuid,
    /// Whose log it is in.
    pub workspace: WorkspaceId,
    /// What kind of thing happened.
    pub activity_type: String,
    /// What was called.
    pub method: Option<String>,
    /// What happened, in a line.
    pub summary: Option<String>,
    /// Whom or what it was done to.
    pub target_id: Option<Uuid>,
    /// How it went.
    pub status: Option<String>,
    /// What went wrong.
    pub error_detail: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<i64>,
    /// What was sent: JSON as text.
    pub request_body: Option<String>,
    /// What came back: JSON as text.
    pub response_body: Option<String>,
    /// A JSON object as text.
    pub metadata: Option<String>,
    /// Who acted, within the workspace.
    pub actor: Option<String>,
    /// Over which channel.
    pub channel: Option<String>,
    /// What ties it to other episodes.
    pub correlation_id: Option<String>,
    /// The session it belongs to.
    pub session_id: Option<String>,
    /// What kind of thing it is about.
    pub kind: Option<String>,
    /// What came of it.
    pub outcome: Option<String>,
    /// The episode that it corrects.
    pub supersedes: Option<Uuid>,
    /// When it happened.
    pub created_at: DateTime<Utc>,
}

impl Episode {
    /// Where it stands in its log.
    #[must_use]
    pub fn place(&self) -> EpisodePlace {
        EpisodePlace(self.id)
    }
}

/// A place in a log, which new episodes do not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodePlace(pub(crate) Uuid);

/// Which episodes; all of what is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpisodeFilter {
    /// Of this activity type.
    pub activity_type: Option<String>,
    /// Of this session.
    pub session_id: Option<String>,
    /// At this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this instant.
    pub until: Option<DateTime<Utc>>,
}

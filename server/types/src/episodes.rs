//! The append-only activity log of a workspace.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Object, Redaction};

/// The name of a type of activity: a built-in one or a deployment's own.
pub type ActivityType = String;

/// `POST /workspaces/{id}/activity`: one episode to append.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendEpisode {
    /// `a2a_send`, `a2a_receive`, `task_update`, `agent_log`, `skill_promotion`, `memory_write`, `error`, or one that
    /// the deployment configured.
    pub activity_type: ActivityType,
    /// What was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// One line on what happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Whom it was done to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<Uuid>,
    /// Who did it: the workspace itself, or absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Uuid>,
    /// How it went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_detail: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// What was sent: any JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_body: Option<Value>,
    /// What came back: any JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_body: Option<Value>,
    /// Any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Who acted, within the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Over which channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// What ties it to other episodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What kind of thing it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The episode that this one corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
}

/// One row of a workspace's activity log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Episode {
    /// Its id.
    pub id: Uuid,
    /// Whose log it is in.
    pub workspace_id: Uuid,
    /// What was appended; credential-shaped text replaced.
    #[serde(flatten)]
    pub activity: AppendEpisode,
    /// When.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// What was replaced before it was stored; told once, in the answer to the request that brought it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// `GET /workspaces/{id}/activity`: newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListEpisodes {
    /// Of this activity type.
    #[serde(rename = "type")]
    pub activity_type: Option<ActivityType>,
    /// Of this session.
    pub session_id: Option<String>,
    /// At this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this instant.
    pub until: Option<DateTime<Utc>>,
    /// At most this many; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

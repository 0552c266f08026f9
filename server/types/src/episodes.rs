//! The append-only activity log of a workspace.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CheckedClaim, Object, Redaction};

/// Name of a built-in or configured activity type.
pub type ActivityType = String;

/// `POST /workspaces/{id}/activity`: one episode to append.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendEpisode {
    /// `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
    /// `memory_write`, `error`, or a type from the configuration.
    pub activity_type: ActivityType,
    /// The method called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// One line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The target of the activity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<Uuid>,
    /// The workspace itself, or absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_detail: Option<String>,
    /// Duration in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// Any JSON value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_body: Option<Value>,
    /// Any JSON value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_body: Option<Value>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// The actor within the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Groups related episodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Category of the subject matter. Pages contain only episodes with a kind that is not excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `success`, `failure` or `neutral`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Importance from 0 to 1; absent means 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salience: Option<f64>,
    /// At most 16 statements about records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<Claim>>,
    /// The episode of the same workspace that this one corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// Id of the end user concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<DateTime<Utc>>,
}

/// A statement about a record, such as the price of a product.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The thing that the record describes, such as `sku-4711`.
    pub entity: String,
    /// Field of the record, such as `price`.
    pub field: String,
    /// A string, a number or a boolean.
    pub value: Value,
}

/// One row of a workspace's activity log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Episode {
    pub id: Uuid,
    /// The workspace that owns the log.
    pub workspace_id: Uuid,
    /// The appended fields; credentials are replaced.
    #[serde(flatten)]
    pub activity: AppendEpisode,
    /// Its claims, compared with the records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_claims: Option<Vec<CheckedClaim>>,
    /// When it happened: `occurred_at`, or the time of the append.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Time of the append, if its author declared when it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<DateTime<Utc>>,
    /// The latest episode that corrects this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Uuid>,
    /// Whether the content was redacted; the episode then has only its type, time and corrections.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_redacted: bool,
    /// Time of the redaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted_at: Option<DateTime<Utc>>,
}

/// Response to an append: the episode, with `status` `logged` instead of its own status.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LoggedEpisode {
    pub id: Uuid,
    /// The workspace that owns the log.
    pub workspace_id: Uuid,
    /// The appended fields except `status`; credentials are replaced.
    #[serde(flatten)]
    pub activity: AppendEpisode,
    /// Always `logged`.
    pub status: LoggedStatus,
    /// When it happened: `occurred_at`, or the time of the append.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Time of the append, if its author declared when it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<DateTime<Utc>>,
    /// Credentials replaced before storage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoggedStatus {
    Logged,
}

/// `GET /workspaces/{id}/activity`: newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListEpisodes {
    /// Only this activity type.
    #[serde(rename = "type")]
    pub activity_type: Option<ActivityType>,
    /// Only this session.
    pub session_id: Option<String>,
    /// Only this end user.
    pub subject: Option<String>,
    /// Earliest time, inclusive.
    pub since: Option<DateTime<Utc>>,
    /// Latest time, exclusive.
    pub until: Option<DateTime<Utc>>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

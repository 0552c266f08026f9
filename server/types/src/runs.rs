//! Gated runs: commits of a run are pending until it completes.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CheckedClaim, CommittedMemory, Object, Redaction, Role, Source};

/// `POST /workspaces/{id}/runs`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StartRun {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Name for people; one line of at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Commits are pending.
    Open,
    /// All pending memories were committed.
    Completed,
    /// All pending memories were dropped.
    Failed,
    /// All pending memories were dropped.
    Cancelled,
    /// The run exceeded its time limit; all pending memories were dropped.
    TimedOut,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Run {
    pub run_id: Uuid,
    pub workspace_id: Uuid,
    pub status: RunStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Subject of the token that started it.
    pub started_by: String,
    pub started_at: DateTime<Utc>,
    /// Time at which an open run times out.
    pub times_out_at: DateTime<Utc>,
    /// End of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<DateTime<Utc>>,
    /// Number of pending memories, or of committed ones after completion.
    pub write_count: i64,
    /// Number of dropped memories: all if the run did not complete, otherwise those that had expired.
    pub dropped_count: i64,
    /// Credentials replaced in session and label before storage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// A run and its pending memories.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RunDetail {
    #[serde(flatten)]
    pub run: Run,
    /// One page, in the order of writing. No other read returns them.
    pub pending: Vec<PendingMemory>,
}

/// A memory that is committed if its run completes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PendingMemory {
    /// The future id of the memory.
    pub id: Uuid,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// For agents, text by other workspaces is quoted.
    pub content: String,
    /// What it states about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub namespace: String,
    pub kind: String,
    pub source: Source,
    /// Role of the writer, from the token.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    pub tags: Vec<String>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether it ends with its session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_only: bool,
    /// Whether it will be listed first.
    pub pin: bool,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The memory of the same author that it will replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// Time of writing.
    pub held_at: DateTime<Utc>,
}

/// `GET /workspaces/{id}/runs`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListRuns {
    /// Only this status.
    pub status: Option<RunStatus>,
    /// Only this session.
    pub session_id: Option<String>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/runs/{rid}`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ReadRun {
    /// Page size of the pending memories; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `POST /workspaces/{id}/runs/{rid}/outputs`: the output of a node of the run. Only the memories are stored: every
/// `__lf_memory_writes`, at any depth.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
pub struct RunOutput {
    /// Memories to stage, at most 500 in the whole output; LOCAL where they name no scope. `project` and
    /// `conversation` mean LOCAL. All are accepted, or none.
    #[serde(
        rename = "__lf_memory_writes",
        default,
        deserialize_with = "given_value",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Vec<crate::CommitMemory>>, nullable = false)]
    pub writes: Option<serde_json::Value>,
    /// Other fields are searched for further `__lf_memory_writes`, and ignored otherwise.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub rest: Object,
}

/// Distinguishes `null` from an absent field.
fn given_value<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<serde_json::Value>, D::Error> {
    serde_json::Value::deserialize(deserializer).map(Some)
}

/// Response to the output of a node.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct StagedOutput {
    pub run_id: Uuid,
    /// Number of staged memories.
    pub buffered: usize,
    /// One for each staged memory, in the order of the request.
    pub items: Vec<CommittedMemory>,
}

/// Final state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunEnding {
    /// Commit all pending memories in one transaction.
    Completed,
    /// Drop all pending memories.
    Failed,
    /// Drop all pending memories.
    Cancelled,
}

/// `POST /workspaces/{id}/runs/{rid}/finish`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishRun {
    pub status: RunEnding,
}

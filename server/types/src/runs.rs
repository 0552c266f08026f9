//! Gated runs: what is committed in one is pending until it ends well.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CommittedMemory, Object, Redaction, Role, Source};

/// `POST /workspaces/{id}/runs`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StartRun {
    /// The session that it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What people call it; one line of at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It goes on: what it commits is pending.
    Open,
    /// It ended well: what it committed is there.
    Completed,
    /// It ended badly: what it committed never was.
    Failed,
    /// It was called off: what it committed never was.
    Cancelled,
    /// It was open for too long: what it committed never was.
    TimedOut,
}

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Run {
    /// Its id.
    pub run_id: Uuid,
    /// The workspace that it runs in.
    pub workspace_id: Uuid,
    /// What became of it.
    pub status: RunStatus,
    /// The session that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Who started it, by the name for the log.
    pub started_by: String,
    /// When.
    pub started_at: DateTime<Utc>,
    /// From this instant on it has timed out, unless it ends before.
    pub times_out_at: DateTime<Utc>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<DateTime<Utc>>,
    /// How many memories are pending in it or, once it has completed, were committed.
    pub write_count: i64,
    /// How many were dropped: all, where it did not end well; those that had expired, where it did.
    pub dropped_count: i64,
    /// What was replaced in session and label before they were stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// A run and what it holds back.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RunDetail {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// What is pending in it, in the order in which it was written: one page. Nobody sees it elsewhere.
    pub pending: Vec<PendingMemory>,
}

/// A memory that waits for its run to end well.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PendingMemory {
    /// The id that it will have.
    pub id: Uuid,
    /// How far it will be shared.
    pub scope: Scope,
    /// The team that it will be bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// What it says; quoted for agents as memories are.
    pub content: String,
    /// Where it will be filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// Where it comes from.
    pub source: Source,
    /// The role that wrote it.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    /// Labels.
    pub tags: Vec<String>,
    /// Any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// The id of the end user it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The session it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether it will be listed before the others.
    pub pin: bool,
    /// From this instant on it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The own memory that it will replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// When it was written.
    pub held_at: DateTime<Utc>,
}

/// `GET /workspaces/{id}/runs`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListRuns {
    /// With this status.
    pub status: Option<RunStatus>,
    /// Of this session.
    pub session_id: Option<String>,
    /// At most this many; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/runs/{rid}`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ReadRun {
    /// At most this many of what is pending; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// `POST /workspaces/{id}/runs/{rid}/outputs`: what a node of the run gave. Of all that is in it the memories are kept.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
pub struct RunOutput {
    /// Memories to hold back, as they would be committed; LOCAL where no scope is said. All are taken, or none.
    #[serde(rename = "__lf_memory_writes", default)]
    #[schema(value_type = Vec<crate::CommitMemory>)]
    pub writes: Vec<serde_json::Value>,
    /// Whatever else the node gave; nobody looks at it.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub rest: Object,
}

/// What was held back of an output.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HeldOutput {
    /// The run.
    pub run_id: Uuid,
    /// How many memories were held back.
    pub buffered: usize,
    /// One for each, in their order.
    pub items: Vec<CommittedMemory>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunEnding {
    /// Well: all that is pending is committed at once.
    Completed,
    /// Badly: all that is pending is dropped.
    Failed,
    /// Called off: all that is pending is dropped.
    Cancelled,
}

/// `POST /workspaces/{id}/runs/{rid}/finish`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishRun {
    /// How it ended.
    pub status: RunEnding,
}

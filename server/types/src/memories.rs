//! Commits of memories.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Claim, Object, Problem};

/// `POST /workspaces/{id}/memories`: one memory to commit.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitMemory {
    /// Not blank, at most 64 KiB.
    pub content: String,
    pub scope: Scope,
    /// Only with TEAM: the leader of the team, which is the author or its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// One line, at most 200 characters; searchable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Label, at most 50 characters; `general` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `fact` (default), `summary`, `checkpoint`, or another lower-case word of at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 0 to 1; 0.5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// At most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
    /// Whether it ends with its session, which must be given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_only: bool,
    /// An open run of the workspace, which stages the memory until it completes. Any other id is refused, unless
    /// `ungated` is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Commit at once where `run_id` (or `X-Run-Id`) names no open run of the workspace; the id is then only stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ungated: bool,
    /// Profile of the workspace; the default profile if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
    /// Listed first; at most 20 per author.
    #[serde(default)]
    pub pin: bool,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Lifetime in seconds, instead of `expires_at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
    /// A memory of the same author that this one replaces in every read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// Id of the caller's choice; a commit with an existing id replaces that memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// At most 16 statements about records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<Claim>>,
    /// When it happened, if not now. It becomes `created_at`, which times, order and recency go by. Not in the future.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<DateTime<Utc>>,
}

impl CommitMemory {
    /// A memory with defaults for all other fields.
    #[must_use]
    pub fn new(content: String, scope: Scope) -> Self {
        Self {
            content,
            scope,
            team: None,
            title: None,
            namespace: None,
            kind: None,
            source: None,
            confidence: None,
            tags: Vec::new(),
            metadata: None,
            subject: None,
            session_id: None,
            session_only: false,
            run_id: None,
            ungated: false,
            profile_id: None,
            pin: false,
            expires_at: None,
            ttl_seconds: None,
            supersedes: None,
            id: None,
            claims: None,
            occurred_at: None,
        }
    }
}

/// Origin of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Default for agents.
    Agent,
    /// A statement of an end user.
    User,
    /// Output of a tool.
    Tool,
    /// Result of an evaluation.
    Eval,
    /// Written by a person; default for people.
    Manual,
    /// The agent's runtime.
    Runtime,
    /// A processor of the server.
    Processor,
}

/// Response to a commit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct CommittedMemory {
    /// Id of the memory.
    pub id: Uuid,
    /// Audience of the memory.
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Label for grouping.
    pub namespace: String,
    /// `fact`, `summary`, `checkpoint` or another word.
    pub kind: String,
    /// 1 for a new memory, increased by every change; 0 while pending.
    pub version: i64,
    /// When it happened: `occurred_at`, or the time of the first commit.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Gated run of the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Whether the memory is staged until its run completes; until then no read returns it.
    #[serde(default)]
    pub pending: bool,
    /// Credentials replaced before storage.
    pub redactions: Vec<Redaction>,
}

/// A credential that was replaced before storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Redaction {
    /// Path of the field.
    pub field: String,
    /// Kind of credential; `[REDACTED:<KIND>]` replaces it.
    pub kind: String,
    /// Number of occurrences.
    pub count: usize,
}

/// `POST …/memories/batch`: up to 500 memories.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitBatch {
    /// Each is committed or refused independently.
    #[schema(value_type = Vec<CommitMemory>)]
    pub memories: Vec<serde_json::Value>,
}

/// Response to a batch, with one item for each memory in the order of the request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BatchResponse {
    /// Number of committed memories.
    pub committed: usize,
    /// Number of refused items.
    pub refused: usize,
    pub items: Vec<BatchItem>,
}

/// Outcome for one memory of a batch.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchItem {
    Committed(CommittedMemory),
    /// A refusal does not affect other items.
    Refused(Problem),
}

//! Scoped memories: commit, search, read, forget.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Object, Problem, Role};

/// `POST /workspaces/{id}/memories`: one memory to commit.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitMemory {
    /// What to remember; not blank, at most 64 KiB.
    pub content: String,
    /// How far it is shared.
    pub scope: Scope,
    /// With TEAM alone: the author or its parent, whose team it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// A label to file by, at most 50 characters; `general` when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `fact` (when not given), `summary`, `checkpoint`, or another lower-case word of at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 0 to 1; 0.5 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// At most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
    /// The run it belongs to. An open gated run of the workspace holds it back until it ends well; one that is over
    /// refuses it; any other id only says where the memory comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// The profile of the workspace that it belongs to; the default one when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
    /// Listed before the others; at most 20 per author.
    #[serde(default)]
    pub pin: bool,
    /// From this instant on it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The same in seconds from now; one of the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
    /// An own memory that this one replaces in every read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// An id of the caller's choice: the same id again replaces the memory, never a second row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
}

impl CommitMemory {
    /// One with content and scope, and nothing else said.
    #[must_use]
    pub fn new(content: String, scope: Scope) -> Self {
        Self {
            content,
            scope,
            team: None,
            namespace: None,
            kind: None,
            source: None,
            confidence: None,
            tags: Vec::new(),
            metadata: None,
            subject: None,
            session_id: None,
            run_id: None,
            profile_id: None,
            pin: false,
            expires_at: None,
            ttl_seconds: None,
            supersedes: None,
            id: None,
        }
    }
}

/// Who or what a memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// An agent; the default for agents.
    Agent,
    /// An end user said it.
    User,
    /// A tool returned it.
    Tool,
    /// An evaluation found it.
    Eval,
    /// A person wrote it; the default for people.
    Manual,
    /// The agent's runtime.
    Runtime,
    /// A processor of the server.
    Processor,
}

/// The answer to a commit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct CommittedMemory {
    /// Its id.
    pub id: Uuid,
    /// Its scope.
    pub scope: Scope,
    /// The team it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Where it is filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// 1 for a new memory, one more for each change; 0 while it is pending.
    pub version: i64,
    /// When it was first committed.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// From this instant on it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The run that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Whether it waits for that run to end well: until then nobody reads it.
    #[serde(default)]
    pub pending: bool,
    /// What was replaced before it was stored.
    pub redactions: Vec<Redaction>,
}

/// Credential-shaped text that was replaced before storing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Redaction {
    /// The field it was found in.
    pub field: String,
    /// What it looked like; `[REDACTED:<KIND>]` stands in its place.
    pub kind: String,
    /// How many times.
    pub count: usize,
}

/// `POST …/memories/batch`: up to 500 memories.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitBatch {
    /// Each is committed or refused on its own.
    #[schema(value_type = Vec<CommitMemory>)]
    pub memories: Vec<serde_json::Value>,
}

/// The answer to a batch, item by item in the order of the request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BatchAnswer {
    /// How many were committed.
    pub committed: usize,
    /// How many were refused.
    pub refused: usize,
    /// One for each memory of the request.
    pub items: Vec<BatchItem>,
}

/// What became of one memory of a batch.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchItem {
    /// It was committed.
    Committed(CommittedMemory),
    /// It was refused; the others are not affected.
    Refused(Problem),
}

/// `GET /workspaces/{id}/memories`: what the workspace can read, best first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListMemories {
    /// One scope; without it everything the workspace can read.
    pub scope: Option<Scope>,
    /// The query; without it newest first, pinned before.
    pub q: Option<String>,
    /// How to search; `auto` when not given.
    pub mode: Option<Mode>,
    /// Filed under this label.
    pub namespace: Option<String>,
    /// Of this kind.
    pub kind: Option<String>,
    /// From this source.
    pub source: Option<Source>,
    /// With this tag.
    pub tag: Option<String>,
    /// Written by this workspace.
    pub author: Option<Uuid>,
    /// About this end user.
    pub subject: Option<String>,
    /// Made in this session.
    pub session_id: Option<String>,
    /// Belonging to this run.
    pub run_id: Option<Uuid>,
    /// Belonging to this profile of the workspace.
    pub profile_id: Option<Uuid>,
    /// Committed at this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Committed before this instant.
    pub until: Option<DateTime<Utc>>,
    /// With at least this confidence.
    pub min_confidence: Option<f64>,
    /// The order; `relevance` with a query, else `recent`.
    pub order: Option<Order>,
    /// By the eyes of the workspace's agent: what others wrote is quoted. Agents get it so anyway.
    pub quoted: Option<bool>,
    /// Each memory tells its rank, and what its score is made of.
    pub explain: Option<bool>,
    /// Each memory brings so many along that were committed before it in its session, and as many after, 0 to 5.
    pub neighbours: Option<u8>,
    /// At most this many; 50 when not given, and more than 50 is 50.
    pub limit: Option<u64>,
    /// Where to go on, from the `Link` header of the page before.
    pub cursor: Option<String>,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The best that the server is set up for.
    #[default]
    Auto,
    /// By words.
    Keyword,
    /// By meaning; needs an embedder.
    Semantic,
    /// By both; needs an embedder.
    Hybrid,
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Best match first.
    Relevance,
    /// Pinned before, then newest first.
    Recent,
    /// Most confident first, then newest.
    Confidence,
}

/// A memory as a workspace reads it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Memory {
    /// Its id.
    pub id: Uuid,
    /// The workspace that wrote it.
    pub workspace_id: Uuid,
    /// That workspace's name now.
    pub workspace_name: String,
    /// How far it is shared.
    pub scope: Scope,
    /// The team it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Where it is filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// Where it comes from, as its writer claimed.
    pub source: Source,
    /// The role that wrote it, which nobody can claim.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its metadata.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// The end user it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The session it was made in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The run it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// The profile of its author that it belongs to; absent: the one that is the default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
    /// Whether it is listed before the others.
    pub pin: bool,
    /// The text; quoted for agents where others wrote it.
    pub content: String,
    /// 1, and one more for each change.
    pub version: i64,
    /// When it was committed.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// From this instant on it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The memory it replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// By which way it is in reach.
    pub via: Via,
    /// What the caller may do to it; REST tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can: Option<crate::Can>,
    /// How well it matched; higher is better, and only to be compared within one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How near it is to what the query means: the cosine of their vectors, -1 to 1. Only where a vector took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity_score: Option<f64>,
    /// With `explain=true`: why it stands where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<crate::Explanation>,
    /// With `neighbours`: what was committed just before and after in its session, in that order, of what the workspace
    /// can read and whatever the filters say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Vec<Neighbour>>,
}

/// A memory that was committed close to another one in the same session.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
pub struct Neighbour {
    /// How many memories after the other one; below 0 before it.
    pub offset: i32,
    /// Its id.
    pub id: Uuid,
    /// Who wrote it.
    pub workspace_id: Uuid,
    /// What that workspace is called now.
    pub workspace_name: String,
    /// In which role.
    pub role: Role,
    /// What it says; for agents, what others wrote is quoted.
    pub content: String,
    /// When it was committed.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
}

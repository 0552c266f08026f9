//! The context block of an agent, and the summary of a profile.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Memory, MemoryCounts, Strategy, WorkingPage};

/// `POST /workspaces/{id}/context`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InjectContext {
    /// Topic of the prompt; only the strategy `relevance` uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Session of the prompt; memories of this session come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The profile whose injection settings apply; the default profile if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
    /// Adds the working set about this person or thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Size of the working set in tokens; 1500 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_budget: Option<u64>,
}

/// A context block and its memories.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Context {
    /// The text to put before the prompt; empty without memories. Text by other workspaces is quoted for every caller.
    pub block: String,
    /// The memories in the block, in the order of the block.
    pub entries: Vec<Memory>,
    /// The best candidates outside the block, at most 50, best first. Memories outside the reach of the workspace
    /// appear only for callers whose role covers the author.
    pub left_out: Vec<OmittedCandidate>,
    /// The pages in the section `## Working Set`, in the order of the block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub working_set: Vec<WorkingPage>,
    /// Size of the block in tokens; four bytes of UTF-8 count as one.
    pub tokens: usize,
    /// The profile whose injection settings applied.
    pub profile_id: Uuid,
    /// The order in which memories were selected.
    pub strategy: Strategy,
}

/// A candidate that the context block omits.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OmittedCandidate {
    pub memory_id: Uuid,
    /// The author.
    pub workspace_id: Uuid,
    pub scope: Scope,
    pub kind: String,
    /// 0 to 1.
    pub confidence: f64,
    pub why: OmissionCause,
    /// The cause as a sentence.
    pub reason: String,
    /// First words of the content; absent for agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

/// Why the context block omits a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OmissionCause {
    /// The block has the maximum number of memories.
    Limit,
    /// It exceeds the token budget.
    Budget,
    /// Its confidence is below the minimum of the profile.
    MinConfidence,
    /// The profile does not inject its scope.
    Scope,
    /// The isolation of the profile excludes it.
    Isolation,
    /// The profile excludes its kind.
    Kind,
    /// A record contradicts it, and its confidence is below the gate.
    Stale,
    /// No record answers one of its claims.
    Unverified,
    /// A memory in the block has the same content.
    Repetition,
}

/// `GET /workspaces/{id}/profiles/{pid}/summary`: a summary of the profile's own memories.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProfileSummary {
    /// Number of memories.
    pub count: i64,
    /// Number of memories by scope.
    pub scopes: MemoryCounts,
    /// Time of the latest write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_written_at: Option<DateTime<Utc>>,
    /// Empty without memories.
    pub summary: String,
    pub made_by: SummaryMethod,
    /// Name of the language model, if one wrote the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the configured language model was not used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell_back: Option<String>,
    /// Number of memories read for the summary; the newest ones.
    pub considered: usize,
}

/// How a summary was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SummaryMethod {
    /// By the server, from sentences of the memories.
    Extractive,
    /// By a language model.
    Model,
}

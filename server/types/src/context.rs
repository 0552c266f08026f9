//! What an agent puts before its prompt, and what a profile holds in short.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Memory, MemoryCounts, Strategy};

/// `POST /workspaces/{id}/context`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InjectContext {
    /// What the prompt is about, for the strategy `relevance`; the others do not look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The session that the prompt is of: what was made in it comes before the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The profile whose injection is used; the default one when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
}

/// The block, and what is in it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Context {
    /// The text to put before the prompt; empty when nothing is in it. What others wrote is quoted in it, whoever asks.
    pub block: String,
    /// The memories in it, in its order.
    pub entries: Vec<Memory>,
    /// What would have come next, and why it is not in it: at most 50, best first. Of memories that the workspace does
    /// not read, it is told to those alone whose role covers their author.
    pub left_out: Vec<LeftOut>,
    /// How many tokens the block has: one for every four bytes of UTF-8.
    pub tokens: usize,
    /// The profile whose injection was used.
    pub profile_id: Uuid,
    /// In which order memories were picked.
    pub strategy: Strategy,
}

/// A memory that is not in the block.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeftOut {
    /// The memory.
    pub memory_id: Uuid,
    /// Who wrote it.
    pub workspace_id: Uuid,
    /// How far it is shared.
    pub scope: Scope,
    /// Its kind.
    pub kind: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Why it is not in the block.
    pub why: LeftOutWhy,
    /// The same as a sentence.
    pub reason: String,
    /// How it begins; not for agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

/// Why a memory is not in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutWhy {
    /// Others came first, as many as the profile takes.
    Limit,
    /// The token budget left no room for it.
    Budget,
    /// Its confidence is below what the profile takes.
    MinConfidence,
    /// Its scope is none that the profile takes.
    Scope,
    /// The isolation of the profile keeps it away.
    Isolation,
    /// The profile excludes its kind.
    Kind,
}

/// `GET /workspaces/{id}/profiles/{pid}/summary`: what the profile's own memories say, in short.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProfileSummary {
    /// How many memories there are.
    pub count: i64,
    /// How many of each scope.
    pub scopes: MemoryCounts,
    /// When one was last written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_written_at: Option<DateTime<Utc>>,
    /// What they say, in short; empty when there are none.
    pub summary: String,
    /// Who made it.
    pub made_by: SummaryMaker,
    /// The language model that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the language model that is configured did not make it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell_back: Option<String>,
    /// How many memories, the newest, were looked at.
    pub considered: usize,
}

/// Who made a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SummaryMaker {
    /// The server: sentences of the memories, as they stand there.
    Extractive,
    /// A language model.
    Model,
}

//! The arguments of the tools. Input schemas are generated from these structs, with the doc comments as descriptions for the
//! model: a field has one only if its name and type do not say enough, because models pay for each byte. Models often send
//! `null` for absent arguments, so every optional argument accepts it.

mod documents;
mod memories;
mod namespaces;
mod patterns;
mod skills;

use chrono::{DateTime, Utc};
use orgmem_types::{self as wire, RunEnding, SessionHitKind, SessionOrder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

pub(in crate::mcp) use documents::{PART_CHARS, ReadDocument, SearchKnowledge};
pub(in crate::mcp) use memories::{CommitMemory, EditMemory, SearchMemory};
pub(in crate::mcp) use namespaces::{CommitMemoryV2, CommitSummary, NoArguments};
pub(in crate::mcp) use patterns::PatternsForChange;
pub(in crate::mcp) use skills::{ProposeSkill, ReadSkill, RecordOutcome};

/// The arguments of a tool.
pub(in crate::mcp) trait ToolArguments: DeserializeOwned + JsonSchema + 'static {
    /// Pairs of another accepted name, such as that of the equivalent REST parameter, and the name of the field.
    const OTHER_NAMES: &[(&str, &str)] = &[];
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct DeleteMemory {
    pub memory_id: Uuid,
    pub namespace: Option<String>,
}

impl ToolArguments for DeleteMemory {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct WhyMemory {
    pub memory_id: Uuid,
    pub query: Option<String>,
}

impl ToolArguments for WhyMemory {
    const OTHER_NAMES: &[(&str, &str)] = &[("q", "query")];
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct GetContext {
    pub query: Option<String>,
    pub session_id: Option<String>,
    pub profile_id: Option<Uuid>,
    /// Adds pages about this person or thing.
    pub subject: Option<String>,
}

impl ToolArguments for GetContext {
    const OTHER_NAMES: &[(&str, &str)] = &[("q", "query")];
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct ReadPages {
    /// Person or thing; your own work if absent.
    pub subject: Option<String>,
    pub query: Option<String>,
    /// Default 10.
    pub limit: Option<u64>,
}

impl ToolArguments for ReadPages {
    const OTHER_NAMES: &[(&str, &str)] = &[("q", "query")];
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct StartRun {
    pub session_id: Option<String>,
    pub label: Option<String>,
}

impl ToolArguments for StartRun {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct FinishRun {
    pub run_id: Uuid,
    pub status: RunEnding,
}

impl ToolArguments for FinishRun {}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct SessionSearch {
    /// Words or parts of words, which must all occur.
    pub query: Option<String>,
    pub kind: Option<SessionHitKind>,
    pub session_id: Option<String>,
    pub since: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    pub order: Option<SessionOrder>,
    /// Default 20, at most 200.
    pub limit: Option<u64>,
    /// `next` of the previous page.
    pub cursor: Option<String>,
}

impl ToolArguments for SessionSearch {
    const OTHER_NAMES: &[(&str, &str)] = &[("q", "query")];
}

impl From<SessionSearch> for wire::SessionSearch {
    fn from(sent: SessionSearch) -> Self {
        Self {
            q: sent.query,
            kind: sent.kind,
            session_id: sent.session_id,
            since: sent.since,
            until: sent.until,
            order: sent.order,
            limit: sent.limit.or(Some(20)),
            cursor: sent.cursor,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct MemorySet {
    /// Such as `task/current`.
    pub key: String,
    /// Any JSON.
    pub value: Value,
    pub ttl_seconds: Option<i64>,
    /// Only if the key has this version; 0: only if absent.
    pub if_match_version: Option<i64>,
    pub subject: Option<String>,
}

impl ToolArguments for MemorySet {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct MemoryKey {
    pub key: String,
}

impl ToolArguments for MemoryKey {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct DropKey {
    pub key: String,
    pub if_match_version: Option<i64>,
}

impl ToolArguments for DropKey {}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct MemoryList {
    pub prefix: Option<String>,
    /// Default 50, at most 200.
    pub limit: Option<u64>,
    /// `next` of the previous page.
    pub cursor: Option<String>,
}

impl ToolArguments for MemoryList {}

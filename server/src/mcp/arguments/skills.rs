use orgmem_types::UseOutcome;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::ToolArguments;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct ReadSkill {
    pub name: String,
}

impl ToolArguments for ReadSkill {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct RecordOutcome {
    pub memory_id: Uuid,
    pub outcome: UseOutcome,
    /// Your run that read it.
    pub run_id: Option<Uuid>,
    pub note: Option<String>,
}

impl ToolArguments for RecordOutcome {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct ProposeSkill {
    pub memory_ids: Vec<Uuid>,
    /// Lower case, with hyphens.
    pub name: Option<String>,
    /// When to use it.
    pub description: Option<String>,
}

impl ToolArguments for ProposeSkill {}

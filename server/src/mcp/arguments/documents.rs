//! The arguments of the tools for documents.

use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::ToolArguments;

/// Default length of a part of a document in characters: what fits into a context.
pub(in crate::mcp) const PART_CHARS: u64 = 8_000;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct SearchKnowledge {
    pub query: String,
    pub collection: Option<String>,
    pub tag: Option<String>,
    pub mode: Option<wire::Mode>,
    /// Default 10, at most 50.
    pub limit: Option<u64>,
    /// `next` of the previous page.
    pub cursor: Option<String>,
}

impl ToolArguments for SearchKnowledge {
    const OTHER_NAMES: &[(&str, &str)] = &[("q", "query")];
}

impl From<SearchKnowledge> for wire::ListMemories {
    fn from(sent: SearchKnowledge) -> Self {
        Self {
            items: Some(wire::SearchedItems::Documents),
            q: Some(sent.query),
            namespace: sent.collection,
            tag: sent.tag,
            mode: sent.mode,
            limit: sent.limit.or(Some(10)),
            cursor: sent.cursor,
            ..Self::default()
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct ReadDocument {
    pub id: Uuid,
    /// First character.
    pub from: Option<u64>,
    /// Default 8000.
    pub length: Option<u64>,
}

impl ToolArguments for ReadDocument {
    const OTHER_NAMES: &[(&str, &str)] = &[("document_id", "id")];
}

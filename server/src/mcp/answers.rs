//! Results of tools that differ from the wire types. Lists are wrapped, because structured results must be objects.
//! Models read the docs of all fields.

use orgmem_types::{Entry, Memory, SessionHit};
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{AppError, Listing};
use crate::decode::ReadFault;

/// Matching memories, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Memories {
    /// At most `limit` memories.
    pub memories: Vec<Memory>,
}

/// Recent activity, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RecentActivity {
    /// Episodes and memories.
    pub items: Vec<SessionHit>,
}

/// Entries by key.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EntryList {
    /// One page, at most `limit` entries.
    pub entries: Vec<Entry>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl From<Listing<Entry>> for EntryList {
    fn from(page: Listing<Entry>) -> Self {
        Self { entries: page.items, next: page.next }
    }
}

/// A refusal for the model: the reason and the allowed values.
#[derive(Debug)]
pub(super) struct ToolRefusal(String);

impl From<AppError> for ToolRefusal {
    fn from(error: AppError) -> Self {
        if let AppError::Store(error) = &error {
            tracing::error!(%error, "a tool call failed");
        }
        Self(error.problem().detail)
    }
}

impl ToolRefusal {
    pub(super) fn too_deep(limit: usize) -> Self {
        Self(format!("the arguments nest deeper than {limit} levels; reduce the nesting"))
    }
}

impl From<ReadFault> for ToolRefusal {
    fn from(fault: ReadFault) -> Self {
        Self(fault.to_string())
    }
}

impl IntoCallToolResult for ToolRefusal {
    fn into_call_tool_result(self) -> Result<CallToolResponse, rmcp::ErrorData> {
        Ok(CallToolResult::error(vec![ContentBlock::text(self.0)]).into())
    }
}

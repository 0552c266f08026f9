//! What the tools answer, beside the wire's own types: lists are objects here, as structured results have to be.

use orgmem_types::{Entry, Memory, SessionHit};
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{AppError, Listing};
use crate::decode::ReadFault;

/// What was found, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Memories {
    /// The memories.
    pub memories: Vec<Memory>,
}

/// What happened, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Happened {
    /// Episodes and memories.
    pub items: Vec<SessionHit>,
}

/// Entries by key.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EntryList {
    /// The entries.
    pub entries: Vec<Entry>,
    /// Give this as `cursor` to go on; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl From<Listing<Entry>> for EntryList {
    fn from(page: Listing<Entry>) -> Self {
        Self { entries: page.items, next: page.next }
    }
}

/// A refusal that the model reads: what happened, why, and what would be allowed.
#[derive(Debug)]
pub(super) struct ToolRefusal(String);

impl From<AppError> for ToolRefusal {
    fn from(error: AppError) -> Self {
        if let AppError::Store(error) = &error {
            tracing::error!(%error, "a tool could not be carried out");
        }
        Self(error.problem().detail)
    }
}

impl ToolRefusal {
    /// The arguments nest deeper than this many levels.
    pub(super) fn too_deep(limit: usize) -> Self {
        Self(format!("the arguments nest deeper than {limit} levels; make them flatter"))
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

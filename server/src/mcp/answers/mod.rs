//! Results of tools: structured without absent and default values, and compact text for models. Lists are wrapped, because
//! structured results must be objects.

mod documents;
mod memories;
mod namespaces;
mod others;
mod patterns;
mod skills;
mod text;

pub(super) use documents::{DocumentText, FoundKnowledge};
pub(super) use memories::{Committed, FoundMemories};
pub(super) use namespaces::{CommittedToNamespace, NamespaceList};
pub(super) use others::{EntryList, PageList, PromptBlock, RecentActivity, RunState, WhyAnswer};
pub(super) use patterns::FoundPatterns;
pub(super) use skills::{ProposedSkill, SkillFiles, SkillList};

use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use serde::Serialize;

use crate::app::AppError;
use crate::decode::ReadFault;

/// A result with a text for the model.
pub(super) trait ToolResult: Serialize {
    /// The essential fields, with a line for each item of a list.
    fn text(&self) -> String;
}

/// The successful result of a tool.
#[derive(Debug)]
pub(super) struct Reply<T>(pub T);

impl<T: ToolResult> IntoCallToolResult for Reply<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, rmcp::ErrorData> {
        let value = serde_json::to_value(&self.0).map_err(|error| {
            tracing::error!(%error, "the result of a tool cannot be serialized");
            rmcp::ErrorData::internal_error("internal error", None)
        })?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(self.0.text())]);
        result.structured_content = Some(value);
        Ok(result.into())
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

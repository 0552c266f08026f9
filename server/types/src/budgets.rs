//! Budgets of workspaces.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// `PUT /workspaces/{id}/budget`: the limits on a workspace and everything below it, together. The request replaces all of
/// them; an absent limit, or `null`, limits nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetLimits {
    /// Live memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memories: Option<i64>,
    /// Bytes of content, title, tags and metadata, with earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// Memories, entries and episodes that are written in a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes_per_minute: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searches_per_minute: Option<i64>,
    /// Memories and queries that are embedded in 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings_per_day: Option<i64>,
}

/// What is used of a budget. Rates are those of the responding server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct BudgetUsage {
    pub memories: i64,
    pub bytes: i64,
    /// The part of the minute's quota that is not available now.
    pub writes_per_minute: i64,
    pub searches_per_minute: i64,
    pub embeddings_per_day: i64,
}

/// The budget of one workspace, and what it and everything below it use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Budget {
    /// The workspace whose budget it is.
    pub workspace_id: Uuid,
    pub limits: BudgetLimits,
    pub used: BudgetUsage,
}

/// The budgets that bind a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct WorkspaceBudget {
    /// The budget of the workspace itself; absent without one.
    pub own: Option<Budget>,
    /// The budgets of the workspaces above it that the caller may see, the nearest first.
    pub inherited: Vec<Budget>,
}

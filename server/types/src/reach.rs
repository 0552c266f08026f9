//! Reach and relations of workspaces.

use orgmem_hierarchy::{Relation, Scope, Via};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// `GET /workspaces/{id}/reach`: workspaces in both directions of reading.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReachResponse {
    pub workspace_id: Uuid,
    /// Workspaces that it can read, itself first.
    pub reads: Vec<ReachRow>,
    /// Workspaces that can read it, itself first.
    pub read_by: Vec<ReachRow>,
    /// Numbers of all workspaces that it can read, on every page.
    pub reads_totals: Vec<ReachTotal>,
    /// Numbers of all workspaces that can read it, on every page.
    pub read_by_totals: Vec<ReachTotal>,
    /// The cursor of the next page, as in `Link`; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The number of workspaces in reach by one relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReachTotal {
    pub via: Via,
    /// Distinct workspaces.
    pub workspaces: u64,
    /// Workspaces by scope.
    pub local: u64,
    pub team: u64,
    pub global: u64,
}

/// `GET /workspaces/{id}/reach`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ReachQuery {
    /// One scope; all three by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// One direction; both by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<ReachDirection>,
    /// One relation; all by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// Only rows of these workspaces: up to 200 ids, separated by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub among: Option<String>,
    /// Rows per page and direction; 1,000 by default and at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A direction of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReachDirection {
    /// Workspaces that it can read.
    Reads,
    /// Workspaces that can read it.
    ReadBy,
}

/// One workspace at one scope.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReachRow {
    pub workspace_id: Uuid,
    pub name: String,
    pub scope: Scope,
    pub via: Via,
    /// The rule as a sentence.
    pub reason: String,
}

/// `GET /workspaces/{id}/reach/{other}`: the relation of two workspaces.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RelationResponse {
    pub workspace_id: Uuid,
    pub other_id: Uuid,
    /// Relation of the other workspace to the first.
    pub relation: Relation,
    /// The lowest workspace that is above or equal to both.
    pub common_ancestor: Uuid,
    /// All scopes in both directions; TEAM without a bound team.
    pub rows: Vec<RelationRow>,
}

/// One scope in both directions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RelationRow {
    pub scope: Scope,
    /// Whether the first workspace can read the other.
    pub reads: bool,
    /// The rule as a sentence.
    pub reads_reason: String,
    /// Whether the other workspace can read the first.
    pub read_by: bool,
    /// The rule as a sentence.
    pub read_by_reason: String,
}

//! Reach and relations of workspaces.

use orgmem_hierarchy::{Relation, Scope, Via};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// `GET /workspaces/{id}/reach`: workspaces in both directions of reading.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReachResponse {
    pub workspace_id: Uuid,
    /// Workspaces that it can read, itself first.
    pub reads: Vec<ReachRow>,
    /// Workspaces that can read it, itself first.
    pub read_by: Vec<ReachRow>,
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

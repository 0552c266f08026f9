//! Who reads whom, each with the reason.

use orgmem_hierarchy::{Relation, Scope, Via};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// `GET /workspaces/{id}/reach`: whom a workspace reads and who reads it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReachAnswer {
    /// The workspace.
    pub workspace_id: Uuid,
    /// Whom it can read now, itself first.
    pub reads: Vec<ReachRow>,
    /// Who can read it now, itself first.
    pub read_by: Vec<ReachRow>,
}

/// One workspace at one scope.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReachRow {
    /// The other workspace.
    pub workspace_id: Uuid,
    /// Its name.
    pub name: String,
    /// The scope.
    pub scope: Scope,
    /// By which way.
    pub via: Via,
    /// The sentence.
    pub reason: String,
}

/// `GET /workspaces/{id}/reach/{other}`: how two workspaces stand to each other.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RelationAnswer {
    /// The one.
    pub workspace_id: Uuid,
    /// The other.
    pub other_id: Uuid,
    /// What the other is to the one.
    pub relation: Relation,
    /// The lowest workspace above both (or one of them).
    pub common_ancestor: Uuid,
    /// Three scopes, both directions; TEAM without a named team.
    pub rows: Vec<RelationRow>,
}

/// One scope of a relation, in both directions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RelationRow {
    /// The scope.
    pub scope: Scope,
    /// Whether the one can read the other.
    pub reads: bool,
    /// Why, or why not.
    pub reads_reason: String,
    /// Whether the other can read the one.
    pub read_by: bool,
    /// Why, or why not.
    pub read_by_reason: String,
}

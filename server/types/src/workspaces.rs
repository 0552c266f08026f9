//! Workspaces and their trees.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Budget, Object, Redaction};

/// `POST /workspaces`: a child of `parent_id`, or without it a new root (admins only).
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWorkspace {
    /// 1 to 200 characters.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<Uuid>,
    /// Id of the caller's choice, unique across the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// Function of the agent, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
}

/// `PATCH /workspaces/{id}`: absent fields keep their value; `null` clears `role` and `metadata`. A `parent_id` of
/// `null` is accepted only for a root, which it leaves unchanged, because no other workspace becomes a root.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchWorkspace {
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// New parent; the workspace moves with its subtree.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Uuid>)]
    pub parent_id: Option<Option<Uuid>>,
    /// Function of the agent, in a word.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub role: Option<Option<String>>,
    /// Replaces the metadata.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Option<Object>>,
    /// Replaces these members of the metadata; `null` removes a member.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub merge_metadata: Option<Object>,
}

/// Distinguishes `null` (`Some(None)`) from an absent field (`None`).
pub(crate) fn given<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Refuses `null` for fields that cannot be cleared, because it would silently change nothing.
pub(crate) fn not_null<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A workspace with its path and counts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Workspace {
    pub id: Uuid,
    pub name: String,
    /// Absent for a root.
    pub parent_id: Option<Uuid>,
    /// Id of the root workspace.
    pub org_id: Uuid,
    /// Function of the agent, in a word.
    pub role: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    pub status: WorkspaceStatus,
    /// Ancestors that the caller may see, highest first.
    pub path: Vec<PathStep>,
    /// Number of children.
    pub child_count: usize,
    /// Number of descendants.
    pub descendant_count: usize,
    /// Number of its own live memories by scope.
    pub memories: MemoryCounts,
    /// Latest write of one of its own memories.
    pub last_write_at: Option<DateTime<Utc>>,
    /// Its own budget; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    pub created_at: DateTime<Utc>,
    /// Latest change of the workspace itself.
    pub updated_at: DateTime<Utc>,
    /// Credentials replaced before storage; present only in the response to the write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// One ancestor.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PathStep {
    pub id: Uuid,
    pub name: String,
}

/// State of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceStatus {
    /// Live: the workspace reads and is read. `live` means the same in requests.
    #[serde(rename = "online", alias = "live")]
    Live,
    /// The workspace neither reads nor is read.
    Removed,
}

/// Number of live memories of one author by scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MemoryCounts {
    pub local: i64,
    /// TEAM, of any team.
    pub team: i64,
    pub global: i64,
}

/// `GET /workspaces`: workspaces that the caller may see, in the order of creation.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListWorkspaces {
    /// Only the tree of this root; empty if the id is not a root.
    pub root: Option<Uuid>,
    /// Only children of this workspace.
    pub parent: Option<Uuid>,
    /// `live` by default.
    pub status: Option<WorkspaceStatus>,
    /// Only names that contain this text; case-insensitive.
    pub q: Option<String>,
    /// Page size; 50 by default, at most 500.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/tree`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct TreeQuery {
    /// Number of levels below the workspace; all by default.
    pub depth: Option<usize>,
}

/// A workspace and its descendants.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(no_recursion)]
pub struct TreeNode {
    pub id: Uuid,
    pub name: String,
    /// Function of the agent, in a word.
    pub role: Option<String>,
    /// Number of children, including omitted ones.
    pub child_count: usize,
    /// Number of its own live memories by scope.
    pub memories: MemoryCounts,
    /// Latest write of one of its own memories.
    pub last_write_at: Option<DateTime<Utc>>,
    /// Its own budget; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// In the order of names, down to the requested depth.
    pub children: Vec<TreeNode>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patch_distinguishes_null_from_an_absent_field() {
        let text = json!({"name": "Bot-7", "role": null});
        let patch: PatchWorkspace = serde_json::from_value(text.clone()).expect("right");
        assert_eq!(patch.role, Some(None));
        assert_eq!((patch.metadata.as_ref(), patch.parent_id), (None, None));
        assert_eq!(serde_json::to_value(patch).expect("JSON"), text);
        let out: PatchWorkspace = serde_json::from_value(json!({"parent_id": null})).expect("understood");
        assert_eq!(out.parent_id, Some(None));
        assert!(serde_json::from_value::<PatchWorkspace>(json!({"name": null})).is_err());
    }
}

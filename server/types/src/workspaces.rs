//! Workspaces and the trees they form.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Object, Redaction};

/// `POST /workspaces`: without `parent_id` a new root, which is an admin's to make.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWorkspace {
    /// 1 to 200 characters.
    pub name: String,
    /// The workspace it will be a child of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<Uuid>,
    /// An id of the caller's choice, unique across the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// What the agent does, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
}

/// `PATCH /workspaces/{id}`: what is absent stays; `null` clears `role` and `metadata`. A `parent_id` of `null` would be a
/// root of its own, which no workspace becomes.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchWorkspace {
    /// A new name.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// A new parent: the workspace moves, with all below it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Uuid>, nullable = false)]
    pub parent_id: Option<Option<Uuid>>,
    /// A new role.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub role: Option<Option<String>>,
    /// New metadata, replacing the old.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Option<Object>>,
}

/// Tells `null` from absent.
pub(crate) fn given<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Refuses `null` where there is nothing to clear: who sends it would find nothing changed.
pub(crate) fn not_null<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A workspace, with where it stands and what it holds.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Workspace {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its parent; none for a root.
    pub parent_id: Option<Uuid>,
    /// The org it is in, by its root.
    pub org_id: Uuid,
    /// What its agent does.
    pub role: Option<String>,
    /// Its metadata.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Live or removed.
    pub status: WorkspaceStatus,
    /// Its ancestors that the caller may see, the highest first.
    pub path: Vec<PathStep>,
    /// How many direct children.
    pub child_count: usize,
    /// How many workspaces below it.
    pub descendant_count: usize,
    /// Its own live memories, by scope.
    pub memories: MemoryCounts,
    /// When a memory of its own was last written.
    pub last_write_at: Option<DateTime<Utc>>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When its row was last changed.
    pub updated_at: DateTime<Utc>,
    /// What was replaced before it was stored; told once, in the answer to the request that brought it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// One ancestor.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PathStep {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
}

/// Whether a workspace is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceStatus {
    /// It reads and is read.
    Live,
    /// It was removed: it reads nothing and is read by nobody.
    Removed,
}

/// Live memories of one author, by scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MemoryCounts {
    /// LOCAL.
    pub local: i64,
    /// TEAM, whichever team.
    pub team: i64,
    /// GLOBAL.
    pub global: i64,
}

/// `GET /workspaces`: the caller's trees, flat, by creation.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListWorkspaces {
    /// Of the tree with this root; nothing where it is none.
    pub root: Option<Uuid>,
    /// The children of this workspace.
    pub parent: Option<Uuid>,
    /// Live ones when not given.
    pub status: Option<WorkspaceStatus>,
    /// Whose name contains this, in any case.
    pub q: Option<String>,
    /// At most this many; 50 when not given, at most 500.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/tree`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct TreeQuery {
    /// How many levels below the workspace; all when not given.
    pub depth: Option<usize>,
}

/// A workspace and those below it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(no_recursion)]
pub struct TreeNode {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// What its agent does.
    pub role: Option<String>,
    /// How many direct children, shown or not.
    pub child_count: usize,
    /// Its own live memories, by scope.
    pub memories: MemoryCounts,
    /// When a memory of its own was last written.
    pub last_write_at: Option<DateTime<Utc>>,
    /// Its children by name, as deep as was asked for.
    pub children: Vec<TreeNode>,
}

/// `DELETE /workspaces/{id}`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct RemoveWorkspace {
    /// What becomes of its children.
    pub children: Option<ChildrenRemoval>,
    /// The same as `children=cascade`, for clients that say it so.
    pub confirm: Option<bool>,
    /// Erases what the removed workspaces held: memories, keys, episodes, tokens.
    pub purge: Option<bool>,
    /// Nothing is done; the answer says what would be.
    pub dry_run: Option<bool>,
}

/// What becomes of the children of a removed workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChildrenRemoval {
    /// They move to its parent.
    Promote,
    /// They are removed too, and all below them.
    Cascade,
}

/// The answer to a removal.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Removed {
    /// Always `removed`.
    pub status: WorkspaceStatus,
    /// How many workspaces below it were removed with it.
    pub cascade_deleted: usize,
    /// How many children moved to its parent.
    pub promoted: usize,
    /// Of a purge: the receipt of what was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased: Option<crate::Receipt>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_tells_what_is_cleared_from_what_stays() {
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

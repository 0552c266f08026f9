//! Removal of a workspace.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{Receipt, WorkspaceStatus};

/// `DELETE /workspaces/{id}`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct RemoveWorkspace {
    /// What happens to live children; required if there are any.
    pub children: Option<ChildrenRemoval>,
    /// The same as `children=cascade`, for clients that send this field.
    pub confirm: Option<bool>,
    /// Erase the memories, entries, episodes and tokens of the removed workspaces.
    pub purge: Option<bool>,
    /// Predict the outcome without changing anything.
    pub dry_run: Option<bool>,
}

/// Treatment of the children of a removed workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChildrenRemoval {
    /// They move to its parent.
    Promote,
    /// They are removed with all their descendants.
    Cascade,
}

/// Response to a removal.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceRemoval {
    /// Always `removed`.
    pub status: WorkspaceStatus,
    /// Number of descendants removed.
    pub cascade_deleted: usize,
    /// Number of children moved to the parent.
    pub promoted: usize,
    /// Only for a purge: the receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased: Option<Receipt>,
}

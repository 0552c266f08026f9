//! Dry runs: the predicted effect of a change on reach.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{MemoryCounts, Profile, Receipt, Workspace, WorkspaceRemoval};

/// Query parameters of calls with a dry run.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct DryRun {
    /// Predict the outcome without changing anything.
    pub dry_run: Option<bool>,
}

/// Response to a change of a workspace: the workspace, or the dry run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum PatchedWorkspace {
    Done(Box<Workspace>),
    Planned(Box<TreePreview>),
}

/// Response to a removal of a workspace: the outcome, or the dry run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum RemovedWorkspace {
    Done(Box<WorkspaceRemoval>),
    Planned(Box<TreePreview>),
}

/// Response to a change of a profile: the profile, or the dry run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ChangedProfile {
    Done(Box<Profile>),
    Planned(Box<ProfilePreview>),
}

/// Dry run of a new or changed profile: its effect on stored memories and on the workspace's reads.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProfilePreview {
    /// Always true.
    pub dry_run: bool,
    /// The resulting profile.
    pub profile: Profile,
    /// Live memories of the profile that its retention would expire in the next sweep, irreversibly.
    pub expires: i64,
    /// Expiring memories that exceed the maximum age.
    pub too_old: i64,
    /// Expiring memories beyond the maximum number, seeds included.
    pub too_many: i64,
    /// Memories that the workspace would newly read, by scope. Zero unless the default profile changes.
    pub gains: MemoryCounts,
    /// Memories that the workspace would no longer read because of isolation or excluded kinds, by scope. Expiring ones
    /// do not count.
    pub loses: MemoryCounts,
}

/// Dry run of a change of the tree: gains and losses of each affected workspace, as far as the caller may see them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TreePreview {
    /// Always true.
    pub dry_run: bool,
    /// The workspace to move or remove.
    pub workspace_id: Uuid,
    /// Number of workspaces with a new parent.
    pub moved: usize,
    /// Number of removed workspaces.
    pub removed: usize,
    /// Workspaces that would gain or lose memories: the moved or removed one, others with a new parent, the parents,
    /// the siblings, and other removed workspaces.
    pub affected: Vec<AffectedWorkspace>,
    /// Number of further workspaces near the change, not computed.
    pub more: usize,
    /// Only for a purge: the predicted receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased: Option<Receipt>,
}

/// Live memories that one workspace would gain or lose.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AffectedWorkspace {
    pub workspace_id: Uuid,
    pub name: String,
    /// Whether the workspace would be removed and lose everything.
    pub removed: bool,
    /// Newly readable memories, by scope.
    pub gains: MemoryCounts,
    /// No longer readable memories, by scope.
    pub loses: MemoryCounts,
    /// By author, largest change first.
    pub authors: Vec<AffectedAuthor>,
    /// Number of omitted authors.
    pub more_authors: usize,
    /// The workspace's own memories that others read now and only their author would read afterwards.
    pub left_alone: Vec<UnsharedMemories>,
    /// The effect as a sentence.
    pub summary: String,
}

/// Gains and losses of one author's memories.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AffectedAuthor {
    pub workspace_id: Uuid,
    pub name: String,
    /// Newly readable memories, by scope.
    pub gains: MemoryCounts,
    /// No longer readable memories, by scope.
    pub loses: MemoryCounts,
}

/// Memories that only their author would read, usually because they are bound to a team that the author leaves.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UnsharedMemories {
    /// Leader of the bound team; absent if they are bound to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_name: Option<String>,
    /// Number of memories.
    pub memories: i64,
}

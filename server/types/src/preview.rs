//! What a change would do before it is made: who would gain and lose what, counted.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{MemoryCounts, Profile, Receipt, Removed, Workspace};

/// The answer to a change of a workspace: the workspace, or with `dry_run=true` what the change would do.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PatchedWorkspace {
    /// It is changed.
    Done(Box<Workspace>),
    /// Nothing is changed.
    Planned(Box<TreePreview>),
}

/// The answer to the removal of a workspace: what was done, or with `dry_run=true` what would be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum RemovedWorkspace {
    /// It is removed.
    Done(Box<Removed>),
    /// Nothing is changed.
    Planned(Box<TreePreview>),
}

/// The answer to a change of a profile: the profile, or with `dry_run=true` what the change would do.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ChangedProfile {
    /// It is changed.
    Done(Box<Profile>),
    /// Nothing is changed.
    Planned(Box<ProfilePreview>),
}

/// What a new profile, or a change of one, would do: to what is kept, and to what its workspace reads.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProfilePreview {
    /// Always true: nothing was changed.
    pub dry_run: bool,
    /// The profile as it would be.
    pub profile: Profile,
    /// How many live memories of the profile would expire with the next sweep, by its retention. There is no way back
    /// for them.
    pub expires: i64,
    /// Of these, those that are older than it would keep any.
    pub too_old: i64,
    /// Of these, those beyond as many as it would keep, the ones it begins with counted.
    pub too_many: i64,
    /// What the workspace would read that it does not read now, by scope. Zero unless the default profile changes.
    pub gains: MemoryCounts,
    /// What the workspace reads now and would not, by scope: by isolation or by kind. What expires is not in it.
    pub loses: MemoryCounts,
}

/// What a change of the tree would do: what each workspace that it affects would gain and lose. Only what the caller may
/// see is told and counted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TreePreview {
    /// Always true: nothing was changed.
    pub dry_run: bool,
    /// The workspace that would be moved or removed.
    pub workspace_id: Uuid,
    /// How many workspaces would get another parent.
    pub moved: usize,
    /// How many workspaces would be removed.
    pub removed: usize,
    /// Those that would gain or lose something: first the one that is moved or removed, then those that get another
    /// parent, the parents, those beside them, and what else is removed.
    pub affected: Vec<AffectedWorkspace>,
    /// How many more stand where something changes and were not looked at.
    pub more: usize,
    /// Of a purge: the receipt that there would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased: Option<Receipt>,
}

/// What one workspace would gain and lose: live memories that it could read from then on, or could no more.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AffectedWorkspace {
    /// The workspace.
    pub workspace_id: Uuid,
    /// Its name.
    pub name: String,
    /// Whether it would be removed, so that it loses all that it could read.
    pub removed: bool,
    /// What it would gain, by scope.
    pub gains: MemoryCounts,
    /// What it would lose, by scope.
    pub loses: MemoryCounts,
    /// By author, those with the most first.
    pub authors: Vec<AffectedAuthor>,
    /// How many more authors there are.
    pub more_authors: usize,
    /// Memories of its own that others read now and that it alone would read.
    pub left_alone: Vec<LeftAlone>,
    /// The same in one sentence.
    pub summary: String,
}

/// What a workspace would gain and lose of one author.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AffectedAuthor {
    /// The author.
    pub workspace_id: Uuid,
    /// Its name.
    pub name: String,
    /// What would be gained of it, by scope.
    pub gains: MemoryCounts,
    /// What would be lost of it, by scope.
    pub loses: MemoryCounts,
}

/// Memories that only their author would read: as a rule because they are bound to a team that it leaves.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LeftAlone {
    /// The workspace that leads the team to which they are bound; absent where they are bound to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_name: Option<String>,
    /// How many.
    pub memories: i64,
}

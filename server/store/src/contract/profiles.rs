//! Profiles: the memory configuration of workspaces.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::ProfileSettings;
use uuid::Uuid;

use super::{Memory, MemoryCounts};

/// A profile of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The id of the workspace for an unchanged default profile, which is not stored.
    pub id: Uuid,
    /// The workspace of the profile.
    pub workspace: WorkspaceId,
    /// Unique within the workspace.
    pub name: String,
    /// Whether it is the default profile of the workspace.
    pub is_default: bool,
    /// Isolation, excluded kinds, retention and injection.
    pub settings: ProfileSettings,
    /// Number of memories at its creation.
    pub seed_count: i64,
    /// Time of creation; none for an unchanged default profile.
    pub created_at: Option<DateTime<Utc>>,
    /// Time of the last change.
    pub updated_at: Option<DateTime<Utc>>,
}

impl Profile {
    /// The default profile of a workspace before its first change. It restricts nothing.
    #[must_use]
    pub fn implied(workspace: WorkspaceId) -> Self {
        Self {
            id: workspace.uuid(),
            workspace,
            name: "default".to_owned(),
            is_default: true,
            settings: ProfileSettings::default(),
            seed_count: 0,
            created_at: None,
            updated_at: None,
        }
    }
}

/// The live memories of a profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileTotals {
    /// Numbers by scope, and the time of the last write.
    pub counts: MemoryCounts,
    /// The newest memories, newest first.
    pub newest: Vec<Memory>,
}

/// The number of live memories that the next sweep will remove by the retention of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionExcess {
    /// Memories older than the maximum age.
    pub too_old: i64,
    /// Memories beyond the maximum number, not counting the ones that are too old.
    pub too_many: i64,
}

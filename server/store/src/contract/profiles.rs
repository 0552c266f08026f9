//! Profiles: how workspaces remember.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::ProfileSettings;
use uuid::Uuid;

use super::{Memory, MemoryCounts};

/// A profile of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Its id; of the default profile that nobody has changed yet, the workspace's.
    pub id: Uuid,
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// What it is called.
    pub name: String,
    /// Whether it is the workspace's default one.
    pub is_default: bool,
    /// What it says.
    pub settings: ProfileSettings,
    /// How many memories it began with.
    pub seed_count: i64,
    /// When it was made; none for a default profile that nobody has changed yet.
    pub created_at: Option<DateTime<Utc>>,
    /// When it was last changed.
    pub updated_at: Option<DateTime<Utc>>,
}

impl Profile {
    /// The default profile of a workspace that nobody has changed yet: it changes nothing.
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

/// The memories of a profile that are there now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileTotals {
    /// How many there are, and when one of them was last written.
    pub counts: MemoryCounts,
    /// The newest of them, newest first.
    pub newest: Vec<Memory>,
}

/// The memories of a profile that its retention takes with the next sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Excess {
    /// That are there now, and older than it keeps any.
    pub too_old: i64,
    /// That are there now beyond as many as it keeps, once those that are too old are gone.
    pub too_many: i64,
}

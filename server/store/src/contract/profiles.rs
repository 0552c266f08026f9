//! Profiles: how workspaces remember.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::{ActPass, ProfileSettings, ReadPass, ViewPass};
use uuid::Uuid;

use super::{Memory, MemoryCounts};
use crate::StoreError;

/// Profiles that one workspace may have.
pub const MAX_PROFILES: usize = 50;

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

/// Reading profiles.
pub trait ReadProfiles {
    /// What the default profile of a workspace says.
    ///
    /// # Complexity
    /// No row, unless a profile of the org was changed since it was last asked for.
    fn default_settings(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Arc<ProfileSettings>, StoreError>;

    /// The same of every workspace of the org whose default profile changes anything.
    fn all_default_settings(
        &mut self,
        org: OrgId,
    ) -> Result<Arc<HashMap<WorkspaceId, Arc<ProfileSettings>>>, StoreError>;

    /// The default profile of a workspace.
    fn default_profile(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Profile, StoreError>;

    /// The profiles of the pass's workspace, the default one first, then by name. There is always a default one.
    fn profiles(&mut self, pass: &ViewPass) -> Result<Vec<Profile>, StoreError>;

    /// A profile of this workspace; none where there is no such one, or it is another's.
    fn profile(&mut self, org: OrgId, workspace: WorkspaceId, id: Uuid) -> Result<Option<Profile>, StoreError>;

    /// What the pass's reader has in one of its own profiles, of the kinds that are there for it; and the newest `most`.
    fn profile_totals(&mut self, pass: &ReadPass, profile: &Profile, most: usize) -> Result<ProfileTotals, StoreError>;

    /// How many of the memories that are there now the next sweep takes by what a profile says about retention.
    ///
    /// # Complexity
    /// The memories of its workspace, where it says anything about retention.
    fn excess(&mut self, org: OrgId, profile: &Profile) -> Result<Excess, StoreError>;
}

/// Changing profiles.
pub trait WriteProfiles {
    /// Makes a profile of the pass's workspace, of which it says with how many memories it begins. As the default one it
    /// takes the place of the one before it.
    ///
    /// # Errors
    /// [`StoreError::ProfileNamed`], [`StoreError::TooManyProfiles`]: then nothing was written.
    fn create_profile(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        draft: &ProfileDraft,
        is_default: bool,
        seed_count: i64,
    ) -> Result<Profile, StoreError>;

    /// Writes what a profile of the pass's workspace says from now on, and whether it is the default one from now on.
    ///
    /// # Errors
    /// [`StoreError::ProfileNamed`]: then nothing was written.
    fn change_profile(
        &mut self,
        pass: &ActPass,
        profile: &Profile,
        draft: &ProfileDraft,
        becomes_default: bool,
    ) -> Result<Profile, StoreError>;

    /// Deletes a profile of the pass's workspace that is not its default one. Its memories belong to the default one
    /// from then on. Says whether there was one.
    ///
    /// # Errors
    /// [`StoreError::ProfileIsDefault`]: then nothing was written.
    fn delete_profile(&mut self, pass: &ActPass, id: Uuid) -> Result<bool, StoreError>;
}

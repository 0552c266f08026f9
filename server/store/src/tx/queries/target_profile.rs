//! The profile of a write.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::rules::TargetProfile;
use uuid::Uuid;

use super::Tx;
use super::memory_rows::MemoryRow;
use crate::StoreError;

impl Tx<'_> {
    /// The profile `named` of `author`, or its default one; `None` if the named one does not exist.
    pub(crate) fn target_profile(
        &mut self,
        org: OrgId,
        author: WorkspaceId,
        named: Option<Uuid>,
    ) -> Result<Option<TargetProfile>, StoreError> {
        let default = self.default_settings(org, author)?;
        let Some(id) = named else { return Ok(Some(TargetProfile::default_of(default))) };
        let found = self.profile(org, author, id)?;
        Ok(found.map(|found| TargetProfile::named(found.created_at.map(|_| id), found.settings, default)))
    }

    /// The profile of a stored memory, or its author's default one if the profile was deleted.
    pub(crate) fn profile_of(&mut self, row: &MemoryRow) -> Result<TargetProfile, StoreError> {
        let (org, author) = (row.org_id.org(), row.author_id.workspace());
        match self.target_profile(org, author, row.profile_id.map(|id| id.0))? {
            Some(profile) => Ok(profile),
            None => Ok(TargetProfile::default_of(self.default_settings(org, author)?)),
        }
    }
}

//! Where a memory that is about to be written belongs.

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ProfileSettings;
use uuid::Uuid;

use super::Tx;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, Time};

/// A profile and what it says, as far as a memory about to be written goes.
pub(crate) struct TargetProfile {
    /// None: the default profile, whichever that is.
    pub(crate) profile: Option<Id>,
    default: Arc<ProfileSettings>,
    /// What the named one says.
    named: Option<ProfileSettings>,
}

impl TargetProfile {
    pub(crate) fn settings(&self) -> &ProfileSettings {
        self.named.as_ref().unwrap_or(&self.default)
    }

    /// Refuses a kind that the workspace excludes, or the profile that is named.
    pub(crate) fn check_kind(&self, kind: &str) -> Result<(), StoreError> {
        if self.default.excludes(kind) || self.settings().excludes(kind) {
            return Err(StoreError::KindExcluded(kind.to_owned()));
        }
        Ok(())
    }

    /// When a memory of this profile is absent, which was written at `written` and is to be absent at `end`.
    pub(crate) fn end(&self, written: Time, end: Option<Time>) -> Option<Time> {
        let Some(seconds) = self.settings().retention.max_age_seconds else { return end };
        let age = chrono::TimeDelta::try_seconds(seconds);
        let too_old = age.and_then(|age| written.0.checked_add_signed(age)).map(Time);
        match (too_old, end) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}

impl Tx<'_> {
    /// The profile that a memory of `author` is written into.
    pub(crate) fn target(
        &mut self,
        org: OrgId,
        author: WorkspaceId,
        named: Option<Uuid>,
    ) -> Result<TargetProfile, StoreError> {
        let default = self.default_settings(org, author)?;
        let Some(id) = named else { return Ok(TargetProfile { profile: None, default, named: None }) };
        let found = self.profile(org, author, id)?.ok_or(StoreError::NoProfile(id))?;
        let profile = found.created_at.map(|_| Id(id));
        Ok(TargetProfile { profile, default, named: Some(found.settings) })
    }

    /// The same for a memory that is there: a profile that is gone is as none.
    pub(crate) fn target_of(&mut self, row: &MemoryRow) -> Result<TargetProfile, StoreError> {
        let (org, author) = (row.org_id.org(), row.author_id.workspace());
        match self.target(org, author, row.profile_id.map(|id| id.0)) {
            Err(StoreError::NoProfile(_)) => self.target(org, author, None),
            target => target,
        }
    }
}

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{Expiry, ExpiryRule, RuleViolation};
use crate::{ProfileSettings, Sharing};

/// The profile that a memory is written into.
#[derive(Clone, Debug)]
pub struct TargetProfile {
    id: Option<Uuid>,
    default: Arc<ProfileSettings>,
    named: Option<ProfileSettings>,
}

impl TargetProfile {
    /// The default profile of the author.
    #[must_use]
    pub fn default_of(default: Arc<ProfileSettings>) -> Self {
        Self { id: None, default, named: None }
    }

    /// A profile that the draft names; `id` is `None` for a default profile that is not stored.
    #[must_use]
    pub fn named(id: Option<Uuid>, settings: ProfileSettings, default: Arc<ProfileSettings>) -> Self {
        Self { id, default, named: Some(settings) }
    }

    /// The id that the memory is stored with; `None` for the default profile.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        self.id
    }

    /// The settings that apply to the memory.
    #[must_use]
    pub fn settings(&self) -> &ProfileSettings {
        self.named.as_ref().unwrap_or(&self.default)
    }

    /// The fields that name end users and sessions, and whether the default profile or this one keeps them apart.
    pub(super) fn separate_fields(&self) -> [(&'static str, bool); 2] {
        let both = self.default.and(self.settings());
        [("subject", both.subjects == Sharing::Separate), ("session_id", both.sessions == Sharing::Separate)]
    }

    /// Checks that neither the default profile nor this one excludes `kind`.
    ///
    /// # Errors
    /// [`RuleViolation::KindExcluded`].
    pub fn check_kind(&self, kind: &str) -> Result<(), RuleViolation> {
        if self.default.excludes(kind) || self.settings().excludes(kind) {
            return Err(RuleViolation::KindExcluded(kind.to_owned()));
        }
        Ok(())
    }

    /// The expiry of a memory written at `written_at`: the earlier of its own and that of the profile's maximal age.
    #[must_use]
    pub fn expiry(&self, written_at: DateTime<Utc>, own: Option<Expiry>) -> Option<Expiry> {
        let max_age = self.settings().retention.max_age_seconds.and_then(TimeDelta::try_seconds);
        let max_age_end = max_age.and_then(|age| written_at.checked_add_signed(age));
        let of_profile = max_age_end.map(|at| Expiry { at, rule: Some(ExpiryRule::MaxAge) });
        // of equal ends the first counts: the writer's own
        own.into_iter().chain(of_profile).min_by_key(|expiry| expiry.at)
    }
}

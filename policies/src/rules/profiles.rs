use uuid::Uuid;

use super::RuleViolation;
use crate::MAX_PROFILES;

/// The identity of a profile of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileName {
    /// The id, also of an unstored default profile.
    pub id: Uuid,
    /// Unique within the workspace.
    pub name: String,
    /// Whether it is the default profile.
    pub is_default: bool,
    /// A workspace has a default profile even where none is stored.
    pub is_stored: bool,
}

/// Evidence that a profile may be stored under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfilePlan {
    id: Uuid,
    is_default: bool,
}

impl ProfilePlan {
    /// The id of the profile.
    #[must_use]
    pub fn id(self) -> Uuid {
        self.id
    }

    /// Whether the profile is the default one after the write.
    #[must_use]
    pub fn is_default(self) -> bool {
        self.is_default
    }
}

/// Evidence that a profile may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileDeletion(Uuid);

impl ProfileDeletion {
    /// The id of the profile.
    #[must_use]
    pub fn id(self) -> Uuid {
        self.0
    }
}

/// Decides whether the profile `id` may be stored as `name` among the `existing` profiles of its workspace.
///
/// # Errors
/// [`RuleViolation::TooManyProfiles`] for a new profile, [`RuleViolation::ProfileNamed`].
///
/// # Source
/// `docs/spec/profiles.md`.
pub fn check_profile_name(
    existing: &[ProfileName],
    id: Uuid,
    name: &str,
    is_default: bool,
) -> Result<ProfilePlan, RuleViolation> {
    let is_new = !existing.iter().any(|profile| profile.id == id);
    if is_new && existing.iter().filter(|profile| profile.is_stored).count() >= MAX_PROFILES {
        return Err(RuleViolation::TooManyProfiles);
    }
    // an unstored default profile is stored when another profile becomes the default
    let mut others = existing.iter().filter(|other| other.id != id);
    if others.any(|other| other.name == name) {
        return Err(RuleViolation::ProfileNamed(name.to_owned()));
    }
    Ok(ProfilePlan { id, is_default })
}

/// Decides whether a profile may be deleted.
///
/// # Errors
/// [`RuleViolation::ProfileIsDefault`].
///
/// # Source
/// `docs/spec/profiles.md`.
pub fn check_profile_deletion(id: Uuid, is_default: bool) -> Result<ProfileDeletion, RuleViolation> {
    if is_default { Err(RuleViolation::ProfileIsDefault) } else { Ok(ProfileDeletion(id)) }
}

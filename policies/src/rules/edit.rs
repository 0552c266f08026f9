use uuid::Uuid;

use super::commit::check_pins;
use super::{RuleViolation, TargetProfile};

/// Decides whether the memory `id` may be given `kind` and `pin` where they change; `pinned` are the author's live
/// pinned memories, needed only where the memory becomes pinned.
///
/// # Errors
/// [`RuleViolation::KindExcluded`], [`RuleViolation::TooManyPins`].
///
/// # Source
/// `docs/spec/memories.md`, "Fields".
pub fn check_edit(
    id: Uuid,
    profile: &TargetProfile,
    new_kind: Option<&str>,
    becomes_pinned: bool,
    pinned: &[Uuid],
) -> Result<(), RuleViolation> {
    if let Some(kind) = new_kind {
        profile.check_kind(kind)?;
    }
    check_pins(becomes_pinned, [Some(id), None], pinned)
}

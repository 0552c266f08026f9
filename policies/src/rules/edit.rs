use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use uuid::Uuid;

use super::commit::check_pins;
use super::{BudgetUse, Expiry, MemoryLocation, MemoryStatus, RuleViolation, StoredSize, TargetProfile, check_growth};

/// Whether `author` may edit the memory: its own, while it is live.
///
/// # Source
/// `docs/spec/memories.md`, "Edit".
#[must_use]
pub fn is_editable(memory: &MemoryLocation, author: WorkspaceId, now: DateTime<Utc>) -> bool {
    memory.author == author && memory.is_live(now)
}

/// Whether `author` may forget the memory: its own, while it has content and is not expired.
///
/// # Source
/// `docs/spec/memories.md`, "Delete".
#[must_use]
pub fn is_forgettable(memory: &MemoryLocation, author: WorkspaceId, now: DateTime<Utc>) -> bool {
    let has_content = matches!(memory.status, MemoryStatus::Live | MemoryStatus::Superseded);
    memory.author == author && has_content && memory.expiry.is_none_or(|expiry| expiry.at > now)
}

/// The expiry of a memory after an edit at `now` that leaves it ending at `end`. An end that the edit does not change has
/// the rule of before.
#[must_use]
pub fn edited_expiry(
    profile: &TargetProfile,
    current: Option<Expiry>,
    end: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Option<Expiry> {
    let is_unchanged = end == current.map(|expiry| expiry.at);
    profile.expiry(now, if is_unchanged { current } else { end.map(Expiry::requested) })
}

/// Decides whether the memory `id` may be given `kind` and `pin` where they change; `pinned` are the author's live
/// pinned memories, needed only where the memory becomes pinned. The edited text of `bytes` is stored besides the present one.
///
/// # Errors
/// [`RuleViolation::KindExcluded`], [`RuleViolation::TooManyPins`], [`RuleViolation::BudgetUsed`].
///
/// # Source
/// `docs/spec/memories.md`, "Fields".
pub fn check_edit(
    id: Uuid,
    profile: &TargetProfile,
    new_kind: Option<&str>,
    becomes_pinned: bool,
    pinned: &[Uuid],
    (budgets, bytes): (&[BudgetUse], i64),
) -> Result<(), RuleViolation> {
    if let Some(kind) = new_kind {
        profile.check_kind(kind)?;
    }
    check_pins(becomes_pinned, [Some(id), None], pinned)?;
    check_growth(budgets, StoredSize { memories: 0, bytes })
}

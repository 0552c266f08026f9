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

/// The state of the store that an edit depends on, read in the transaction of the edit.
#[derive(Clone, Debug)]
pub struct EditFacts {
    /// The memory to edit.
    pub id: Uuid,
    /// The profile of the memory.
    pub profile: TargetProfile,
    /// The kind after the edit, where it changes.
    pub new_kind: Option<String>,
    /// Whether the memory would end with a session that it does not have.
    pub lacks_session: bool,
    /// Whether a bound token would give the memory another end user or session: the field.
    pub other_end_user: Option<&'static str>,
    /// Whether the edit pins the memory.
    pub becomes_pinned: bool,
    /// The author's live pinned memories, where the memory becomes pinned.
    pub pinned: Vec<Uuid>,
    /// The budgets of the author and of the workspaces above it.
    pub budgets: Vec<BudgetUse>,
    /// The size of the edited text in bytes, which is stored besides the present one; 0 for an edit without changes.
    pub bytes: i64,
}

/// Evidence that an edit obeys the rules.
///
/// ```compile_fail
/// # fn steal(profile: orgmem_policies::rules::TargetProfile) {
/// let plan = orgmem_policies::rules::EditPlan { id: uuid::Uuid::nil(), profile };
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EditPlan {
    id: Uuid,
    profile: TargetProfile,
}

impl EditPlan {
    /// The memory to edit.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// The expiry of the memory after the edit at `now` that leaves it ending at `end`. An end that the edit does not
    /// change has the rule of before.
    #[must_use]
    pub fn expiry(&self, current: Option<Expiry>, end: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<Expiry> {
        let is_unchanged = end == current.map(|expiry| expiry.at);
        self.profile.expiry(now, if is_unchanged { current } else { end.map(Expiry::requested) })
    }
}

/// Decides whether a memory may be edited: it has the session that it ends with, its profile takes its new kind, its author
/// may pin it, and the budgets above have room for its text.
///
/// # Errors
/// [`RuleViolation::NoSession`], [`RuleViolation::KindExcluded`], [`RuleViolation::TooManyPins`], [`RuleViolation::BudgetUsed`].
///
/// # Source
/// `docs/spec/memories.md`, "Fields".
pub fn check_edit(facts: EditFacts) -> Result<EditPlan, RuleViolation> {
    let EditFacts { id, profile, new_kind, lacks_session, other_end_user, becomes_pinned, pinned, budgets, bytes } =
        facts;
    if let Some(field) = other_end_user {
        return Err(RuleViolation::OtherEndUser(field));
    }
    if lacks_session {
        return Err(RuleViolation::NoSession(id));
    }
    if let Some(kind) = new_kind {
        profile.check_kind(&kind)?;
    }
    check_pins(becomes_pinned, [Some(id), None], &pinned)?;
    check_growth(&budgets, StoredSize { memories: 0, bytes })?;
    Ok(EditPlan { id, profile })
}

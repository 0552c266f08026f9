use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{BudgetUse, MemoryLocation, MemoryStatus, RuleViolation, StoredSize, TargetProfile, check_growth};
use crate::drafts::MemoryFields;
use crate::scrub::Scrubbed;
use crate::{MAX_PENDING_PER_RUN, MAX_PINS, WritePass};

/// The state of the store that a commit depends on, read in the transaction of the commit.
#[derive(Clone, Debug)]
pub struct CommitFacts {
    /// The profile that the draft names, or the default one; `None` where the named one does not exist.
    pub profile: Option<TargetProfile>,
    /// The memory that has the id of the draft.
    pub existing: Option<MemoryLocation>,
    /// Whether the memory with the id of the draft is of an end user that the call is not for.
    pub is_of_other_user: bool,
    /// The memory that the draft supersedes, if the call may change it.
    pub superseded: Option<MemoryLocation>,
    /// The author's live pinned memories, where the draft is pinned.
    pub pinned: Vec<Uuid>,
    /// The budgets of the author and of the workspaces above it.
    pub budgets: Vec<BudgetUse>,
    /// The stored size of the draft in bytes; needed only with budgets.
    pub bytes: i64,
}

/// The facts that staging in a run needs.
#[derive(Clone, Debug)]
pub struct StageFacts {
    /// The facts of a commit.
    pub commit: CommitFacts,
    /// The number of pending memories of the run.
    pub write_count: i64,
    /// Whether a pending memory of the run already has the id.
    pub is_staged: bool,
    /// Whether the superseded memory is pending in the same run.
    pub supersedes_staged: bool,
}

/// Evidence that a memory may be committed under this id.
///
/// ```compile_fail
/// # fn steal(profile: orgmem_policies::rules::TargetProfile) {
/// let plan = orgmem_policies::rules::CommitPlan { id: uuid::Uuid::nil(), supersedes: None, profile };
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CommitPlan {
    id: Uuid,
    supersedes: Option<Uuid>,
    profile: TargetProfile,
}

impl CommitPlan {
    /// The id of the memory.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// The memory to mark as superseded; `None` where the draft supersedes none or the mark exists already.
    #[must_use]
    pub fn supersedes(&self) -> Option<Uuid> {
        self.supersedes
    }

    /// The profile that the memory is written into.
    #[must_use]
    pub fn profile(&self) -> &TargetProfile {
        &self.profile
    }
}

/// Evidence that a memory may be staged in its run under this id.
#[derive(Clone, Copy, Debug)]
pub struct StagePlan {
    id: Uuid,
}

impl StagePlan {
    /// The id of the memory.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }
}

/// Decides whether `fields` may be committed under `id`.
///
/// # Errors
/// [`RuleViolation`], the first of: no such profile, excluded kind, taken id, nothing to supersede, too many pins, a budget that is used up.
///
/// # Source
/// `docs/spec/memories.md`, "Fields".
pub fn check_commit(
    pass: &WritePass,
    id: Uuid,
    fields: &MemoryFields,
    facts: CommitFacts,
    now: DateTime<Utc>,
) -> Result<CommitPlan, RuleViolation> {
    let profile = target_profile(fields, facts.profile)?;
    check_end_user(pass, fields, &profile)?;
    check_id(pass, id, facts.existing, facts.is_of_other_user)?;
    let supersedes = check_supersession(pass, id, fields.supersedes, facts.existing, facts.superseded, now)?;
    check_pins(fields.pin, [Some(id), fields.supersedes], &facts.pinned)?;
    check_growth(&facts.budgets, growth(facts.bytes, facts.existing, supersedes.is_some(), now))?;
    Ok(CommitPlan { id, supersedes, profile })
}

/// Decides whether `fields` may be staged in a run under `id`: they could be committed now, and the run is not full.
///
/// # Errors
/// [`RuleViolation`] as for [`check_commit`], and [`RuleViolation::RunFull`].
///
/// # Source
/// `docs/spec/runs.md`.
pub fn check_stage(
    pass: &WritePass,
    id: Uuid,
    fields: &MemoryFields,
    facts: StageFacts,
    now: DateTime<Utc>,
) -> Result<StagePlan, RuleViolation> {
    let StageFacts { commit, write_count, is_staged, supersedes_staged } = facts;
    let profile = target_profile(fields, commit.profile)?;
    check_end_user(pass, fields, &profile)?;
    check_id(pass, id, commit.existing, commit.is_of_other_user)?;
    let mut supersedes = None;
    if !supersedes_staged || fields.supersedes == Some(id) {
        supersedes = check_supersession(pass, id, fields.supersedes, commit.existing, commit.superseded, now)?;
    }
    check_pins(fields.pin, [Some(id), fields.supersedes], &commit.pinned)?;
    check_growth(&commit.budgets, growth(commit.bytes, commit.existing, supersedes.is_some(), now))?;
    if !is_staged && write_count >= MAX_PENDING_PER_RUN {
        return Err(RuleViolation::RunFull);
    }
    Ok(StagePlan { id })
}

fn target_profile(fields: &MemoryFields, profile: Option<TargetProfile>) -> Result<TargetProfile, RuleViolation> {
    let profile = profile.ok_or(RuleViolation::NoProfile(fields.profile_id.unwrap_or_default()))?;
    profile.check_kind(fields.kind.as_str())?;
    Ok(profile)
}

/// A bound token writes for its end user, and where end users are apart each has a name of its own.
fn check_end_user(pass: &WritePass, fields: &MemoryFields, profile: &TargetProfile) -> Result<(), RuleViolation> {
    let (subject, session) =
        (fields.subject.as_ref().map(Scrubbed::as_str), fields.session_id.as_ref().map(Scrubbed::as_str));
    pass.user().check_write(subject, session).map_err(RuleViolation::OtherEndUser)?;
    for (field, is_separate) in profile.separate_fields() {
        if is_separate && fields.redactions.iter().any(|redaction| redaction.field == field) {
            return Err(RuleViolation::CredentialName(field));
        }
    }
    Ok(())
}

/// An id chosen by the caller is new, or is that of a memory of the same author to replace.
fn check_id(
    pass: &WritePass,
    id: Uuid,
    existing: Option<MemoryLocation>,
    is_of_other_user: bool,
) -> Result<(), RuleViolation> {
    let is_taken = existing.is_some_and(|memory| {
        is_of_other_user
            || memory.author != pass.author()
            || matches!(memory.status, MemoryStatus::Redacted | MemoryStatus::Pending)
    });
    if is_taken { Err(RuleViolation::MemoryTaken(id)) } else { Ok(()) }
}

/// The memory to mark as superseded; `None` where `by` has superseded it already.
fn check_supersession(
    pass: &WritePass,
    by: Uuid,
    supersedes: Option<Uuid>,
    existing: Option<MemoryLocation>,
    superseded: Option<MemoryLocation>,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, RuleViolation> {
    let Some(old) = supersedes else { return Ok(None) };
    let own = superseded.filter(|memory| memory.author == pass.author() && by != old);
    match own {
        // INVARIANT: a superseded memory supersedes no other memory, so chains of supersession have no cycle
        Some(memory) if memory.is_live(now) => match existing {
            Some(existing) if existing.status == MemoryStatus::Superseded => Err(RuleViolation::SupersededItself(by)),
            Some(_) | None => Ok(Some(old)),
        },
        Some(memory) if memory.superseded_by == Some(by) => Ok(None),
        Some(_) | None => Err(RuleViolation::NothingToSupersede(old)),
    }
}

/// The change of what is stored. A replaced memory remains as an earlier version, a superseded one as it is, so bytes only
/// grow.
fn growth(bytes: i64, existing: Option<MemoryLocation>, supersedes: bool, now: DateTime<Utc>) -> StoredSize {
    let live = match existing {
        Some(existing) if existing.is_live(now) || existing.status == MemoryStatus::Superseded => 0,
        Some(_) | None => 1,
    };
    StoredSize { memories: live - i64::from(supersedes), bytes }
}

/// Memories that the write replaces do not count.
pub(super) fn check_pins(pin: bool, replaced: [Option<Uuid>; 2], pinned: &[Uuid]) -> Result<(), RuleViolation> {
    let others = pinned.iter().filter(|id| !replaced.contains(&Some(**id))).count();
    if pin && i64::try_from(others).is_ok_and(|others| others >= MAX_PINS) {
        return Err(RuleViolation::TooManyPins);
    }
    Ok(())
}

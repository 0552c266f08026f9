use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use uuid::Uuid;

use super::{BudgetUse, Expiry, MemoryLocation, MemoryStatus, RuleViolation, StoredSize, TargetProfile, check_growth};

/// The kind of every document, for the profiles that exclude kinds.
pub const DOCUMENT: &str = "document";

/// The kind of every page, likewise.
pub const PAGE: &str = "page";

/// The state of the store that the write of a document depends on, read in its transaction.
#[derive(Clone, Debug)]
pub struct DocumentFacts {
    /// The default profile of the author.
    pub profile: TargetProfile,
    /// The document with this id.
    pub existing: Option<MemoryLocation>,
    /// The budgets of the author and of the workspaces above it.
    pub budgets: Vec<BudgetUse>,
    /// What the write adds. A passage counts as a memory.
    pub growth: StoredSize,
}

/// Evidence that a document may be written under this id.
///
/// ```compile_fail
/// # fn steal(profile: orgmem_policies::rules::TargetProfile) {
/// let plan = orgmem_policies::rules::DocumentPlan { id: uuid::Uuid::nil(), profile };
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DocumentPlan {
    id: Uuid,
    profile: TargetProfile,
}

impl DocumentPlan {
    /// The id of the document.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// The expiry of a document written at `written_at` that its writer lets end at `end`.
    #[must_use]
    pub fn expiry(&self, written_at: DateTime<Utc>, end: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
        self.profile.expiry(written_at, end.map(Expiry::requested)).map(|expiry| expiry.at)
    }
}

/// Decides whether `author` may write a document under `id`.
///
/// # Errors
/// [`RuleViolation`], the first of: an excluded kind, an id of another author or of a redacted document, a budget that is
/// used up.
///
/// # Source
/// `docs/spec/documents.md`, "Fields".
pub fn check_document(author: WorkspaceId, id: Uuid, facts: DocumentFacts) -> Result<DocumentPlan, RuleViolation> {
    let DocumentFacts { profile, existing, budgets, growth } = facts;
    profile.check_kind(DOCUMENT)?;
    let is_taken = existing.is_some_and(|found| found.author != author || found.status == MemoryStatus::Redacted);
    if is_taken {
        return Err(RuleViolation::DocumentTaken(id));
    }
    check_growth(&budgets, growth)?;
    Ok(DocumentPlan { id, profile })
}

use orgmem_hierarchy::Scope;

use super::ExpiryRule;
use crate::audit::AuditAction;

/// The activity type of a read.
pub const MEMORY_READ: &str = "memory_read";

/// The activity type of a step of a skill.
const SKILL_PROMOTION: &str = "skill_promotion";

/// The activity type of the episode that the server appends for `action`.
///
/// # Source
/// `docs/spec/activity.md`.
#[must_use]
pub const fn activity_type(action: AuditAction) -> &'static str {
    match action {
        AuditAction::ForgetMemory | AuditAction::DeleteDocument => "memory_forget",
        AuditAction::ExpireMemories | AuditAction::ExpireDocuments => "memory_expire",
        AuditAction::RedactMemory | AuditAction::ScrubMemory | AuditAction::RedactDocument => "memory_redact",
        AuditAction::DraftSkill | AuditAction::ApproveSkill | AuditAction::WithdrawSkill => SKILL_PROMOTION,
        action if action.shows_memories() => MEMORY_READ,
        _ => "memory_write",
    }
}

/// The activity types of episodes that the server appends by itself.
pub const SERVER_TYPES: [&str; 6] =
    ["memory_write", MEMORY_READ, "memory_forget", "memory_expire", "memory_redact", SKILL_PROMOTION];

/// Whether the server appends episodes of this type by itself.
#[must_use]
pub fn is_of_server(activity_type: &str) -> bool {
    SERVER_TYPES.contains(&activity_type)
}

/// A change to one memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryChange {
    /// A commit under a new id.
    Committed,
    /// A commit under the id of an own memory.
    Replaced,
    /// An edit.
    Edited,
    /// The restoration of an earlier version.
    Restored,
    /// A deletion by the author.
    Forgotten,
    /// A redaction.
    Redacted,
    /// The replacement of credentials by changed rules.
    Scrubbed,
}

impl MemoryChange {
    /// The audit action of the change.
    #[must_use]
    pub const fn action(self) -> AuditAction {
        match self {
            Self::Committed | Self::Replaced => AuditAction::CommitMemory,
            Self::Edited => AuditAction::EditMemory,
            Self::Restored => AuditAction::RestoreMemory,
            Self::Forgotten => AuditAction::ForgetMemory,
            Self::Redacted => AuditAction::RedactMemory,
            Self::Scrubbed => AuditAction::ScrubMemory,
        }
    }

    /// Whether the change removes the content, so that no record of it names kind or session.
    #[must_use]
    pub const fn is_removal(self) -> bool {
        matches!(self, Self::Forgotten | Self::Redacted)
    }

    /// The summary of the episode of the change. It outlives the memory, so it contains no content.
    #[must_use]
    pub fn summary(self, scope: Scope, kind: &str) -> String {
        let done = match self {
            Self::Committed => "committed",
            Self::Replaced => "replaced",
            Self::Edited => "edited",
            Self::Restored => "restored",
            Self::Forgotten => "forgot",
            Self::Redacted => "redacted",
            Self::Scrubbed => "scrubbed",
        };
        with_kind(done, scope, if self.is_removal() { UNNAMED_KIND } else { kind })
    }
}

fn with_kind(done: &str, scope: Scope, kind: &str) -> String {
    format!("{done} a {scope} {kind}")
}

/// The summary of the episode of a removal of `count` memories by a rule; `None` where the rule was not stored.
#[must_use]
pub fn expiry_summary(count: usize, rule: Option<ExpiryRule>) -> String {
    let noun = if count == 1 { "memory" } else { "memories" };
    format!("removed {count} {noun} by {}", rule.map_or("its expiry", ExpiryRule::as_str))
}

/// The summary of a change without the kind, for a memory whose content is removed; `None` for a text of another form.
///
/// ```
/// use orgmem_hierarchy::Scope;
/// use orgmem_policies::rules::{MemoryChange, without_kind};
///
/// let summary = MemoryChange::Committed.summary(Scope::Team, "a diagnosis");
/// assert_eq!(without_kind(&summary).as_deref(), Some("committed a TEAM memory"));
/// assert_eq!(without_kind("took a decision"), None);
/// ```
#[must_use]
pub fn without_kind(summary: &str) -> Option<String> {
    let (done, rest) = summary.split_once(" a ")?;
    let (scope, _) = rest.split_once(' ')?;
    Some(with_kind(done, scope.parse().ok()?, UNNAMED_KIND))
}

/// The kind in the summaries of removed memories.
const UNNAMED_KIND: &str = "memory";

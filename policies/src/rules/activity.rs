use orgmem_hierarchy::Scope;

use crate::audit::AuditAction;

/// The activity type of a read.
pub const MEMORY_READ: &str = "memory_read";

/// The activity type of the episode that the server appends for `action`.
///
/// # Source
/// `docs/spec/activity.md`.
#[must_use]
pub const fn activity_type(action: AuditAction) -> &'static str {
    match action {
        AuditAction::ForgetMemory => "memory_forget",
        AuditAction::ExpireMemories => "memory_expire",
        AuditAction::RedactMemory | AuditAction::ScrubMemory => "memory_redact",
        action if action.shows_memories() => MEMORY_READ,
        _ => "memory_write",
    }
}

/// Whether the server appends episodes of this type by itself.
#[must_use]
pub fn is_of_server(activity_type: &str) -> bool {
    matches!(activity_type, "memory_write" | MEMORY_READ | "memory_forget" | "memory_expire" | "memory_redact")
}

/// The summary of the episode of a change to one memory. It outlives the memory, so it contains no content.
#[must_use]
pub fn memory_summary(done: &str, scope: Scope, kind: &str) -> String {
    format!("{done} a {scope} {kind}")
}

/// The same summary without the kind, for a memory whose content is removed; `None` for a text of another form.
///
/// ```
/// use orgmem_hierarchy::Scope;
/// use orgmem_policies::rules::{memory_summary, without_kind};
///
/// let summary = memory_summary("committed", Scope::Team, "a diagnosis");
/// assert_eq!(without_kind(&summary).as_deref(), Some("committed a TEAM memory"));
/// assert_eq!(without_kind("took a decision"), None);
/// ```
#[must_use]
pub fn without_kind(summary: &str) -> Option<String> {
    let (done, rest) = summary.split_once(" a ")?;
    let (scope, _) = rest.split_once(' ')?;
    Some(memory_summary(done, scope.parse().ok()?, UNNAMED_KIND))
}

/// The kind in the summaries of removed memories.
pub const UNNAMED_KIND: &str = "memory";

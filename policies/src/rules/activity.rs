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

/// The summary of the episode of a change to one memory. It outlives the memory, so it contains no content.
#[must_use]
pub fn memory_summary(done: &str, scope: Scope, kind: &str) -> String {
    format!("{done} a {scope} {kind}")
}

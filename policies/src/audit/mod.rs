//! The audit log and events: actions, event kinds and passes.

mod action;
mod announced;
mod event_kind;
mod passes;
mod reads;

pub use action::{AuditAction, UnknownAuditAction};
pub use event_kind::{EventKind, UnknownEventKind};
pub use passes::{AuditPass, EventPass, VerifyPass};

//! What is told of everything that is done: the row of the access log, and the event.

mod action;
mod event_kind;
mod passes;

pub use action::{AuditAction, UnknownAuditAction};
pub use event_kind::{EventKind, UnknownEventKind};
pub use passes::{AuditPass, EventPass, VerifyPass};

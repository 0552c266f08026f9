//! What is told of everything that is done: the row of the access log, and the event.

mod event_kind;
mod verb;

pub use event_kind::{EventKind, UnknownEventKind};
pub use verb::{UnknownVerb, Verb};

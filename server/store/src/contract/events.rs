//! Events: operations, as subscribers receive them.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::audit::EventKind;
use uuid::Uuid;

/// An operation in an org, for subscribers.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Number in the org, in the order of commits and without gaps.
    pub seq: i64,
    /// Time of the operation.
    pub at: DateTime<Utc>,
    /// Kind of the operation.
    pub kind: EventKind,
    /// The author of a memory, the workspace of an entry or an episode, or the workspace itself.
    pub workspace: WorkspaceId,
    /// The memory, if the event is about exactly one.
    pub memory: Option<Uuid>,
    /// Scope and team; present if all readers of that partition may receive the event.
    pub partition: Option<(Scope, Option<WorkspaceId>)>,
    /// Further facts: a JSON object as text.
    pub details: String,
}

/// A page of events in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPage {
    /// The events that the subscriber may receive.
    pub events: Vec<Event>,
    /// All events up to this number were examined.
    pub until: i64,
    /// Whether later events exist.
    pub more: bool,
    /// Whether events after the requested number are no longer retained, or the number does not exist. The subscriber
    /// must then read the state again and continue from `until`.
    pub missed: bool,
}

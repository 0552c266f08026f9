//! Events: what was done, for those who watch.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::audit::EventKind;
use uuid::Uuid;

/// Something that was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number: events of an org are counted in the order of their commits, without a gap.
    pub seq: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub kind: EventKind,
    /// Whose: the author of a memory, the workspace of an entry or an episode, the workspace itself.
    pub workspace: WorkspaceId,
    /// The memory that it is about.
    pub memory: Option<Uuid>,
    /// How that memory is shared.
    pub partition: Option<(Scope, Option<WorkspaceId>)>,
    /// What else there is to tell: a JSON object.
    pub details: String,
}

/// Events after a number, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPage {
    /// Those that may be told.
    pub events: Vec<Event>,
    /// All until this number were looked at.
    pub until: i64,
    /// Whether there are more.
    pub more: bool,
    /// Whether some after the number are kept no longer, or the number was never given: who watched has to look anew,
    /// and go on from `until`.
    pub missed: bool,
}

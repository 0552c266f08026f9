//! Events: what was done, for those who watch.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::EventPass;
use orgmem_policies::audit::EventKind;
use uuid::Uuid;

use crate::StoreError;

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

/// Reading events.
///
/// Source: product.md, section 4.8.
pub trait ReadEvents {
    /// The number of the last event of an org.
    fn last_event(&mut self, org: OrgId) -> Result<i64, StoreError>;

    /// Events after the number `after` that may be told under `pass`; of the next `most` that there are.
    fn events_after(&mut self, pass: &EventPass, after: i64, most: usize) -> Result<EventPage, StoreError>;

    /// Orgs that have events from before `before`.
    fn orgs_with_old_events(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError>;
}

/// Changing what is kept of events.
pub trait WriteEvents {
    /// Takes away events of this job's org from before `before`, some of them at once; says how many.
    fn drop_old_events(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError>;
}

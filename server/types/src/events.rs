//! The event stream.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Memory, Object};

/// `GET /workspaces/{id}/events`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct WatchEvents {
    /// Include the workspaces below; for viewers, operators and admins.
    pub subtree: Option<bool>,
    /// `false` ends the stream after the stored events; otherwise it continues with new ones.
    pub follow: Option<bool>,
    /// `false` omits `memory` from all events, so that the stream reads no memories and adds nothing to the audit log.
    pub memories: Option<bool>,
}

/// Data of one event.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Sequence number; also the event id in the stream.
    pub seq: i64,
    /// `memory_committed`, `kv_changed`, `workspace_moved`, …
    pub kind: String,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub at: DateTime<Utc>,
    /// The author of a memory, the workspace of an entry or an episode, or the workspace itself.
    pub workspace_id: Uuid,
    /// The memory concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<Uuid>,
    /// Scope of the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Current state of a committed or edited memory that the caller can read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Box<Memory>>,
    /// Further facts: key and version, the new parent of a workspace.
    #[schema(value_type = Object)]
    pub details: Object,
}

//! Events: what happens, for those who watch.

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
    /// All that happens in the workspace and below it; for viewers, operators and admins.
    pub subtree: Option<bool>,
    /// `false`: the stream ends once it has told what there was. Otherwise it goes on with what comes.
    pub follow: Option<bool>,
}

/// The data of one event of the stream.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Its number, which is its id in the stream.
    pub seq: i64,
    /// What was done: `memory_committed`, `kv_changed`, `workspace_moved`, …
    pub kind: String,
    /// When.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub at: DateTime<Utc>,
    /// Whose: the author of a memory, the workspace of an entry or an episode, the workspace itself.
    pub workspace_id: Uuid,
    /// The memory that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<Uuid>,
    /// How far that is shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The memory as it is now, where it was committed or edited and can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Box<Memory>>,
    /// What else there is to tell: a key and its version, where a workspace went.
    #[schema(value_type = Object)]
    pub details: Object,
}

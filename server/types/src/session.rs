//! Session search: recent episodes and memories in one list.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CheckedClaim, Json};

/// Response to the end of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndedSession {
    pub session_id: String,
    /// Number of memories that ended with the session.
    pub ended: usize,
}

/// `GET /workspaces/{id}/session-search`: the workspace's episodes and its own memories in one list.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct SessionSearch {
    /// Words, prefixes or parts of words.
    pub q: Option<String>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Earliest time, inclusive.
    pub since: Option<DateTime<Utc>>,
    /// Latest time, exclusive.
    pub until: Option<DateTime<Utc>>,
    /// Only episodes, or only memories.
    pub kind: Option<SessionHitKind>,
    /// Only this session.
    pub session_id: Option<String>,
    /// `recent` by default.
    pub order: Option<SessionOrder>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// Sort order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionOrder {
    /// Newest first; rows match every word of the query.
    #[default]
    Recent,
    /// Most matching words first, then newest; rows match at least one.
    Relevance,
}

/// Type of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionHitKind {
    /// An episode.
    Activity,
    /// A memory of the workspace.
    Memory,
}

/// One episode or memory.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SessionHit {
    pub kind: SessionHitKind,
    pub id: Uuid,
    pub workspace_id: Uuid,
    /// The activity type, or the memory's scope.
    pub label: String,
    /// The summary, or the memory's content.
    pub content: String,
    /// What it states about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    /// The method called; empty if there is none.
    pub method: String,
    /// Empty if there is none.
    pub status: String,
    /// Any JSON value.
    #[schema(value_type = Option<Value>)]
    #[schemars(with = "Option<Value>")]
    pub request_body: Option<Json>,
    /// Any JSON value.
    #[schema(value_type = Option<Value>)]
    #[schemars(with = "Option<Value>")]
    pub response_body: Option<Json>,
    /// The memory's kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Run that wrote the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// The memory or other item that the episode is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<Uuid>,
    /// The latest episode that corrects this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Uuid>,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
}

//! Session-search: "what just happened here?"

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Json;

/// `GET /workspaces/{id}/session-search`: one list over a workspace's episodes and its own memories.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct SessionSearch {
    /// Words, prefixes or parts of words.
    pub q: Option<String>,
    /// At most this many; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// At this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this instant.
    pub until: Option<DateTime<Utc>>,
    /// Only episodes, or only memories.
    pub kind: Option<SessionHitKind>,
    /// Of this session.
    pub session_id: Option<String>,
    /// `recent` when not given.
    pub order: Option<SessionOrder>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionOrder {
    /// Newest first; every word of the query is there.
    #[default]
    Recent,
    /// Most words of the query first, then newest; at least one is there.
    Relevance,
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionHitKind {
    /// An episode.
    Activity,
    /// A memory of the workspace's own.
    Memory,
}

/// One row of what happened.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SessionHit {
    /// Episode or memory.
    pub kind: SessionHitKind,
    /// Its id.
    pub id: Uuid,
    /// The workspace.
    pub workspace_id: Uuid,
    /// The activity type, or the memory's kind and scope.
    pub label: String,
    /// The summary, or the memory's content.
    pub content: String,
    /// What was called.
    pub method: Option<String>,
    /// How it went.
    pub status: Option<String>,
    /// What was sent.
    #[schema(value_type = Option<Value>)]
    #[schemars(with = "Option<Value>")]
    pub request_body: Option<Json>,
    /// What came back.
    #[schema(value_type = Option<Value>)]
    #[schemars(with = "Option<Value>")]
    pub response_body: Option<Json>,
    /// The session that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The run that a memory was written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// When.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
}

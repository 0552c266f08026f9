//! The access log: who read and wrote what.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Object, Role};

/// One row of the access log. It holds hashes of content, never content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AccessRow {
    /// Its number in the log of the org; rows are counted in the order of their commits.
    pub seq: i64,
    /// When it was done.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub at: DateTime<Utc>,
    /// What was done: `commit_memory`, `search_memories`, `move_workspace`, …
    pub action: String,
    /// Who did it: the `sub` of the token.
    pub subject: String,
    /// In which role.
    pub role: Role,
    /// The id of the token; absent for what the server did itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_id: Option<Uuid>,
    /// As which workspace it was done, or to which; nil for the server as a whole.
    pub workspace_id: Uuid,
    /// In which run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Which memories were read or written, in which versions.
    pub memories: Vec<AccessedMemory>,
    /// SHA-256 of the content that was written or taken away, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// What else there is to know: the id of the request, counts, the hash of a key.
    #[schema(value_type = Object)]
    pub context: Object,
    /// Whether it is part of the chain already.
    pub sealed: bool,
}

/// A memory that a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccessedMemory {
    /// The memory.
    pub id: Uuid,
    /// Its version; 0 where it is not known.
    pub version: i64,
}

/// `GET /workspaces/{id}/access-log`: newest first. A page may have fewer rows than there are.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListAccess {
    /// What was done below it too; for viewers, operators and admins.
    pub subtree: Option<bool>,
    /// About this memory.
    pub memory_id: Option<Uuid>,
    /// In this run.
    pub run_id: Option<Uuid>,
    /// By this subject.
    pub subject: Option<String>,
    /// This was done, such as `search_memories`.
    pub action: Option<String>,
    /// At this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this instant.
    pub until: Option<DateTime<Utc>>,
    /// At most this many; 50 when not given, at most 500.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/memories/{mid}/access-log`: newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListMemoryAccess {
    /// At most this many; 50 when not given, at most 500.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/access-log/verify`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct VerifyAccess {
    /// Where to go on, as the answer before told.
    pub cursor: Option<String>,
}

/// Whether the access log of an org is as it was written.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VerifiedAccess {
    /// Whether all that was looked at is as it was written.
    pub intact: bool,
    /// Rows that were looked at and are part of the chain.
    pub sealed_rows: u64,
    /// Rows that wait to become part of it.
    pub waiting_rows: u64,
    /// The last row that was looked at.
    pub last_seq: i64,
    /// The first thing that is not as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Where to go on; absent when all was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

//! The audit log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Object, Role};

/// One row of the audit log. Content appears only as a hash.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditRow {
    /// Sequence number in the log of the org, in the order of commits.
    pub seq: i64,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub at: DateTime<Utc>,
    /// The operation: `commit_memory`, `search_memories`, `move_workspace`, …
    pub action: String,
    /// The `sub` claim of the caller's token.
    pub subject: String,
    /// The caller's role.
    pub role: Role,
    /// Absent for operations of the server itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_id: Option<Uuid>,
    /// The workspace that the caller acted as, or the target of the operation; nil for the server as a whole.
    pub workspace_id: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Memories read or written, with their versions.
    pub memories: Vec<AuditedMemory>,
    /// SHA-256 of the content written or removed, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// Further facts: request id, counts, the hash of a key.
    #[schema(value_type = Object)]
    pub context: Object,
    /// Whether the row is sealed in the hash chain.
    pub sealed: bool,
}

/// A memory that an audit row names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditedMemory {
    pub id: Uuid,
    /// 0 where unknown.
    pub version: i64,
}

/// Callers by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Callers {
    /// Role `agent`.
    Agents,
    /// Roles `viewer`, `operator` and `admin`; the server itself too, which has the role `admin` and no token.
    People,
}

/// `GET /workspaces/{id}/access-log`: newest first. A page may have fewer rows than `limit` before the last page.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListAuditRows {
    /// Include the workspaces below; for viewers, operators and admins.
    pub subtree: Option<bool>,
    /// Only rows that name this memory.
    pub memory_id: Option<Uuid>,
    /// Only rows of this run.
    pub run_id: Option<Uuid>,
    /// Only rows of this subject.
    pub subject: Option<String>,
    /// Only rows of these callers.
    pub callers: Option<Callers>,
    /// Only this operation, such as `search_memories`.
    pub action: Option<String>,
    /// Earliest time, inclusive.
    pub since: Option<DateTime<Utc>>,
    /// Latest time, exclusive.
    pub until: Option<DateTime<Utc>>,
    /// Page size; 50 by default, at most 500.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/memories/{mid}/access-log`: newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListMemoryAuditRows {
    /// Only rows of these callers.
    pub callers: Option<Callers>,
    /// Page size; 50 by default, at most 500.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/access-log/verify`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct VerifyAuditLog {
    /// The `next` of the previous response.
    pub cursor: Option<String>,
}

/// Result of verifying the hash chain of an org's audit log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditVerification {
    /// Whether every verified row is unchanged.
    pub intact: bool,
    /// Verified rows that are part of the chain.
    pub sealed_rows: u64,
    /// Rows that are not sealed yet.
    pub waiting_rows: u64,
    /// Number of the last verified row.
    pub last_seq: i64,
    /// The first fault found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Cursor of the rest; absent at the end of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

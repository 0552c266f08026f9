//! Memories by namespace.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CheckedClaim, Claim, MemoryPermissions, MemoryTier, Object, Redaction, Role, Source};

/// `GET /workspaces/{id}/v2/namespaces`: the namespaces that a workspace can read and write, narrowest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Namespaces {
    pub readable: Vec<NamespaceInfo>,
    pub writable: Vec<NamespaceInfo>,
}

/// A namespace as a workspace sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct NamespaceInfo {
    /// `workspace:<id>`, `team:<lead id>` or `org:<root id>`.
    pub name: String,
    pub kind: NamespaceKind,
    /// Current name of the workspace in `name`.
    pub label: String,
    /// A phrase for people, such as `Team of dev`.
    pub display_name: String,
    /// Whether this workspace can commit memories into it.
    pub writable: bool,
}

/// Kind of a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamespaceKind {
    /// LOCAL memories.
    Workspace,
    /// TEAM memories bound to one team.
    Team,
    /// GLOBAL memories.
    Org,
    /// LOCAL memories with one label.
    Custom,
}

/// `POST /workspaces/{id}/v2/memories`: one memory to commit into a namespace.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitToNamespace {
    /// Not blank, at most 64 KiB.
    pub content: String,
    /// `workspace:<id>`, `team:<lead id>`, `org:<root id>` or `custom:<label>`; the workspace's own by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// One line, at most 200 characters; searchable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `fact` (default), `summary`, `checkpoint`, or another lower-case word of at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 0 to 1; 0.5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// At most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether it ends with its session, which must be given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_only: bool,
    /// An open run of the workspace, which stages the memory until it completes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Listed first; at most 20 per author.
    #[serde(default)]
    pub pin: bool,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Id of the caller's choice; a commit with an existing id replaces that memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// At most 16 statements about records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<Claim>>,
}

/// Response to a commit into a namespace.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CommittedToNamespace {
    pub id: Uuid,
    /// The namespace of the memory.
    pub namespace: String,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    pub kind: String,
    /// 1 for a new memory, increased by every change; 0 while pending.
    pub version: i64,
    /// Time of the first commit.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Gated run of the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Whether the memory is staged until its run completes; until then no read returns it.
    #[serde(default)]
    pub pending: bool,
    /// Credentials replaced before storage.
    pub redactions: Vec<Redaction>,
}

/// `GET /workspaces/{id}/v2/memories`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListNamespaceMemories {
    /// Only this namespace; everything that the workspace can read if absent or empty.
    pub namespace: Option<String>,
    /// Query. Without it the newest come first, after pinned ones.
    pub q: Option<String>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Page size; 50 by default, at most 100.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// A page of memories with their namespaces.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NamespaceMemories {
    pub memories: Vec<NamespaceMemory>,
    /// The cursor of the next page, as in `Link`; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A memory with its namespace, as a workspace reads it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NamespaceMemory {
    pub id: Uuid,
    /// Absent for a TEAM memory that is bound to no team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The author.
    pub workspace_id: Uuid,
    /// Current name of the author.
    pub workspace_name: String,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// For agents, text by other workspaces is quoted.
    pub content: String,
    /// What it states about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    /// The label that other calls name `namespace`.
    pub label: String,
    pub kind: String,
    /// As claimed by the author.
    pub source: Source,
    /// Role of the writer, from the token.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    pub tags: Vec<String>,
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// How long it lives, and for whom.
    pub tier: MemoryTier,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Whether it is listed first.
    pub pin: bool,
    /// 1 for a new memory, increased by every change.
    pub version: i64,
    /// Time of the commit.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Time of the latest change.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Why it is in reach.
    pub via: Via,
    /// Operations permitted to the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can: Option<MemoryPermissions>,
    /// Higher is better; comparable only within one response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

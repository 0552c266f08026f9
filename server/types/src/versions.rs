//! Changes and versions of memories.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::workspaces::{given, not_null};
use crate::{CheckedClaim, Claim, Object, Role, Source};

/// `PATCH /workspaces/{id}/memories/{mid}`: absent fields keep their value; `null` clears optional ones. To change
/// scope or team, commit the memory again under its id.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchMemory {
    /// Not blank, at most 64 KiB.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content: Option<String>,
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub namespace: Option<String>,
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub kind: Option<String>,
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source: Option<Source>,
    /// One line, at most 200 characters.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub title: Option<Option<String>>,
    /// 0 to 1.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub confidence: Option<f64>,
    /// Replaces all tags.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tags: Option<Vec<String>>,
    /// Replaces the metadata.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Option<Object>>,
    /// Id of the end user concerned.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub subject: Option<Option<String>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session_id: Option<Option<String>>,
    /// Whether it ends with its session.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub session_only: Option<bool>,
    /// Listed first; at most 20 per author.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pin: Option<bool>,
    /// Exclusive end of validity.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<DateTime<Utc>>)]
    pub expires_at: Option<Option<DateTime<Utc>>>,
    /// Replaces the statements about records.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Claim>>)]
    pub claims: Option<Option<Vec<Claim>>>,
    /// Lifetime in seconds, instead of `expires_at`.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ttl_seconds: Option<i64>,
}

/// `POST …/memories/{mid}/restore`: writes the content of an earlier version as a new version.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreMemory {
    /// Number of the version in the history.
    pub version: i64,
}

/// Response to a restoration.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RestoredMemory {
    pub id: Uuid,
    /// New version.
    pub version: i64,
}

/// `GET …/memories/{mid}/history`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListVersions {
    /// Page size; 50 by default and at most.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// One version of a memory.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MemoryVersion {
    /// 1 for the first version, increased by every change.
    pub version: i64,
    /// Whether it is the newest version.
    pub current: bool,
    /// The author.
    pub workspace_id: Uuid,
    /// Current name of the author.
    pub workspace_name: String,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub namespace: String,
    pub kind: String,
    /// As claimed by the author.
    pub source: Source,
    /// Role of the writer, from the token.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    pub tags: Vec<String>,
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether it ends with its session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_only: bool,
    /// Whether it was listed first.
    pub pin: bool,
    /// For agents, text by other workspaces is quoted.
    pub content: String,
    /// What it states about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    /// Time of writing.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub written_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
}

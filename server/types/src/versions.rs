//! Changing memories, and what they said before.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::workspaces::{given, not_null};
use crate::{Object, Role, Source};

/// `PATCH /workspaces/{id}/memories/{mid}`: what is absent stays; `null` takes away what a memory may be without. Scope
/// and team stay: to share it otherwise, commit it again under its id.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchMemory {
    /// A new text; not blank, at most 64 KiB.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content: Option<String>,
    /// A new label to file it by.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub namespace: Option<String>,
    /// A new kind.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub kind: Option<String>,
    /// Where it comes from now.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source: Option<Source>,
    /// 0 to 1.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub confidence: Option<f64>,
    /// Tags in place of those it has.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tags: Option<Vec<String>>,
    /// Metadata in place of what it has.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Option<Object>>,
    /// The id of the end user it is about.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub subject: Option<Option<String>>,
    /// The session it was made in.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub session_id: Option<Option<String>>,
    /// Whether it is listed before the others; at most 20 per author.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pin: Option<bool>,
    /// From this instant on it is absent.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<DateTime<Utc>>)]
    pub expires_at: Option<Option<DateTime<Utc>>>,
    /// The same in seconds from now; one of the two.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ttl_seconds: Option<i64>,
}

/// `POST …/memories/{mid}/restore`: the version whose words are to be the newest again.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreMemory {
    /// Its number, as the history tells it.
    pub version: i64,
}

/// The answer to a restoration.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RestoredMemory {
    /// The memory.
    pub id: Uuid,
    /// Its version now.
    pub version: i64,
}

/// `GET …/memories/{mid}/history`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListVersions {
    /// At most this many; 50 when not given, and more than 50 is 50.
    pub limit: Option<u64>,
    /// Where to go on, from the `Link` header of the page before.
    pub cursor: Option<String>,
}

/// A memory as it was from one change to the next.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MemoryVersion {
    /// Its number: 1, and one more for each change.
    pub version: i64,
    /// Whether it is what the memory says now.
    pub current: bool,
    /// The workspace that wrote it.
    pub workspace_id: Uuid,
    /// That workspace's name now.
    pub workspace_name: String,
    /// How far it was shared.
    pub scope: Scope,
    /// The team it was bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Where it was filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// Where it came from, as its writer claimed.
    pub source: Source,
    /// The role that wrote it, which nobody can claim.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its metadata.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// The end user it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The session it was made in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether it was listed before the others.
    pub pin: bool,
    /// The text; quoted for agents where others wrote it.
    pub content: String,
    /// When it was written.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub written_at: DateTime<Utc>,
    /// From this instant on it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
}

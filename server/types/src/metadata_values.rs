//! Values of metadata, and the postponement of the end of memories.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Json, ListMemories, MemoryTier, Source};

/// `GET …/memories/values`: the member, and filters as in a search.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListMetadataValues {
    /// The name of a member of metadata.
    #[param(required = true)]
    pub member: Option<String>,
    /// Number of items of a list that make a value, at least 1; all by default.
    #[param(minimum = 1)]
    pub depth: Option<u64>,
    /// Only this scope; all readable memories if absent.
    pub scope: Option<Scope>,
    /// Only this namespace.
    pub namespace: Option<String>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only this source.
    pub source: Option<Source>,
    /// Only memories with this tag.
    pub tag: Option<String>,
    /// Only memories of this workspace.
    pub author: Option<Uuid>,
    /// Only this end user.
    pub subject: Option<String>,
    /// Only this session.
    pub session_id: Option<String>,
    /// Only this tier.
    pub tier: Option<MemoryTier>,
    /// Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`.
    pub metadata: Option<String>,
    /// Page size; 100 by default and at most.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

impl From<ListMetadataValues> for ListMemories {
    fn from(list: ListMetadataValues) -> Self {
        Self {
            scope: list.scope,
            namespace: list.namespace,
            kind: list.kind,
            source: list.source,
            tag: list.tag,
            author: list.author,
            subject: list.subject,
            session_id: list.session_id,
            tier: list.tier,
            metadata: list.metadata,
            ..Self::default()
        }
    }
}

/// A value of a member of metadata.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MetadataValue {
    /// Any JSON value.
    #[schema(value_type = Value)]
    pub value: Json,
    /// Number of memories with this value.
    pub count: usize,
}

/// `POST …/memories/touch`: 1 to 500 memories.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TouchMemories {
    pub memories: Vec<TouchMemory>,
}

/// A memory that lives on from now.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TouchMemory {
    pub id: Uuid,
    /// Lifetime from now.
    pub ttl_seconds: i64,
    /// Only if this is its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// The memories whose end was set; others of the request are omitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TouchedMemories {
    pub memories: Vec<TouchedMemory>,
}

/// The end of life of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TouchedMemory {
    pub id: Uuid,
    /// Exclusive; earlier than requested if the maximum age of the profile ends before.
    pub expires_at: DateTime<Utc>,
}

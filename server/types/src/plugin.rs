//! The memory-plugin contract, which has a listener of its own.
//!
//! Source: `docs/spec/plugin.md`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::workspaces::given;
use crate::{NamespaceKind, Object, Source};

/// `GET /v1/health`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginHealth {
    /// `ok`.
    pub status: String,
    /// The release of the server.
    pub version: String,
    pub capabilities: Vec<PluginCapability>,
}

/// A promise of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PluginCapability {
    /// A query also matches by meaning.
    Embedding,
    /// A query matches words.
    Fts,
    /// Expired memories and namespaces are absent.
    Ttl,
    /// Pinned memories come first.
    Pin,
    /// `propagation` is stored and returned.
    Propagation,
}

/// `PUT /v1/namespaces/{name}`: a namespace to create, or to replace.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PutPluginNamespace {
    pub kind: NamespaceKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
}

/// `PATCH /v1/namespaces/{name}`: fields to change. `null` clears a field.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PatchPluginNamespace {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<NamespaceKind>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Option<DateTime<Utc>>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Option<Object>>,
}

/// A namespace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginNamespace {
    pub name: String,
    pub kind: NamespaceKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
}

/// `POST /v1/namespaces/{name}/memories`: a memory to commit, or to replace.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WritePluginMemory {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    pub content: String,
    pub kind: String,
    pub source: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Returned as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propagation: Option<Object>,
    #[serde(default)]
    pub pin: Option<bool>,
    /// A vector of the platform, which the server does not need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f64>>,
}

/// A committed memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenPluginMemory {
    pub id: Uuid,
    pub namespace: String,
}

/// `POST /v1/search`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPlugin {
    pub namespaces: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// 1 to 100; 20 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// A vector of the platform, which the server does not need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f64>>,
}

/// The memories of a search, best first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PluginMemories {
    pub memories: Vec<PluginMemory>,
}

/// A memory of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginMemory {
    pub id: Uuid,
    pub namespace: String,
    pub content: String,
    pub kind: String,
    pub source: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub propagation: Option<Object>,
    pub pin: bool,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// 0 without a query.
    pub score: f64,
}

/// `DELETE /v1/memories/{id}`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ForgetPluginMemory {
    pub requested_by_namespace: String,
}

/// The code of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PluginErrorCode {
    BadRequest,
    NotFound,
    Forbidden,
    Internal,
    Unavailable,
}

/// The body of every error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginError {
    pub code: PluginErrorCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Object>,
}

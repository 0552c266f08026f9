//! Key-value entries.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::Json;

/// A live entry.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Entry {
    /// Unique in the workspace.
    pub key: String,
    /// Any JSON value.
    #[schema(value_type = Value)]
    #[schemars(with = "Value")]
    pub value: Json,
    /// Starts at 1 and increases with every write, also after deletion and expiry.
    pub version: i64,
    /// Exclusive end of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// Time of the latest write.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// Id of the end user concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// `GET /workspaces/{id}/memory`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListEntries {
    /// Only keys with this prefix.
    pub prefix: Option<String>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// Live entries in the order of their keys.
pub type EntryListing = Vec<Entry>;

/// `POST /workspaces/{id}/memory`: writes one entry.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PutEntry {
    /// 1 to 256 bytes.
    pub key: String,
    /// Any JSON value up to 256 KiB. Required; `null` is a value.
    #[serde(deserialize_with = "present")]
    #[schema(required)]
    pub value: Value,
    /// Lifetime in seconds; without it the entry does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
    /// Write only if the entry has this version; 0 means that it must not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_version: Option<i64>,
    /// Id of the end user concerned; an erasure of this user deletes the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Value::deserialize(deserializer)
}

/// Response to a write of an entry.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct PutEntryResponse {
    /// Always `ok`.
    pub status: PutStatus,
    /// Key of the entry.
    pub key: String,
    /// New version.
    pub version: i64,
    /// Credentials replaced before storage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<crate::Redaction>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PutStatus {
    Ok,
}

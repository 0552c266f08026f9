//! Key/value working state.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::Json;

/// One live entry.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Entry {
    /// Its key.
    pub key: String,
    /// Any JSON.
    #[schema(value_type = Value)]
    #[schemars(with = "Value")]
    pub value: Json,
    /// Starts at 1 and only grows, also over deletion and expiry.
    pub version: i64,
    /// From this instant on it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was last written.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
}

/// `GET /workspaces/{id}/memory`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListEntries {
    /// Keys that begin with this.
    pub prefix: Option<String>,
    /// At most this many; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// Live entries by key.
pub type EntryListing = Vec<Entry>;

/// `POST /workspaces/{id}/memory`: puts one entry.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PutEntry {
    /// 1 to 256 bytes.
    pub key: String,
    /// Any JSON up to 256 KiB; a missing value is refused, `null` is a value.
    #[serde(deserialize_with = "present")]
    #[schema(required)]
    pub value: Value,
    /// Seconds until it is absent; without it an earlier one is cleared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
    /// Write on this version alone; 0 means "must not exist".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_version: Option<i64>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Value::deserialize(deserializer)
}

/// The answer to a put.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct PutEntryAnswer {
    /// Always `ok`.
    pub status: PutStatus,
    /// The key.
    pub key: String,
    /// Its version now.
    pub version: i64,
    /// What was replaced before it was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<crate::Redaction>,
}

/// The one word of [`PutEntryAnswer`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PutStatus {
    /// It is stored.
    Ok,
}

//! Records: the current values of operational truths, pushed by a source of record.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::Redaction;

/// A value that a source pushes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordValue {
    /// A string of at most 1,024 bytes, a number or a boolean.
    #[schema(value_type = Value)]
    pub value: Value,
    /// Unit of the value, such as `EUR`; at most 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A value, or `null` to remove the field.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(transparent)]
pub struct NewRecordValue(pub Option<RecordValue>);

/// `PUT /workspaces/{root}/records/{entity}`: replaces a record.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutRecord {
    /// 1 to 64 values by field.
    pub fields: BTreeMap<String, RecordValue>,
    /// The instant at which the values held; at most five minutes in the future.
    pub as_of: DateTime<Utc>,
    /// The system that the values come from; by default the name of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// `PATCH /workspaces/{root}/records/{entity}`: changes some fields of a record.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchRecord {
    /// 1 to 64 values by field; `null` removes the field.
    pub fields: BTreeMap<String, NewRecordValue>,
    /// The instant at which the values held; at most five minutes in the future.
    pub as_of: DateTime<Utc>,
    /// The system that the values come from; by default the name of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// `DELETE /workspaces/{root}/records/{entity}`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct DeleteRecord {
    /// The instant from which the record is absent; now by default.
    pub as_of: Option<DateTime<Utc>>,
}

/// A record of `POST /workspaces/{root}/records`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordLine {
    /// The thing that the record describes; at most 200 characters.
    pub entity: String,
    /// Values by field; `null` removes the field. Empty without `merge`: deletes the record.
    #[serde(default)]
    pub fields: BTreeMap<String, NewRecordValue>,
    /// The instant at which the values held; at most five minutes in the future.
    pub as_of: DateTime<Utc>,
    /// The system that the values come from; by default the name of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Leaves fields that the line does not name, as `PATCH` does. By default the line replaces the record.
    #[serde(default)]
    pub merge: bool,
}

/// `POST /workspaces/{root}/records`: many records. As lines of JSON, each line is one of them.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushRecords {
    /// 1 to 1,000.
    pub records: Vec<RecordLine>,
}

/// Whether a write of a record had an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordWriteStatus {
    /// All its fields were written.
    Applied,
    /// Newer values of some of its fields were retained.
    Partial,
    /// Newer values of all its fields were retained, or the record was replaced or deleted later.
    Ignored,
}

/// The outcome of a write of a record, without values.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct WrittenRecord {
    pub entity: String,
    pub status: RecordWriteStatus,
    /// Fields of the request that have a newer value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Credentials that were replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// The outcome of a write of many records.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct WrittenRecords {
    /// Records whose fields were all written.
    pub applied: usize,
    /// Records of which newer values were retained, in the order of the lines.
    pub others: Vec<WrittenRecord>,
}

/// The current value of a field.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
pub struct RecordField {
    #[schema(value_type = Value)]
    pub value: Value,
    /// Unit of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The instant at which the value held.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub as_of: DateTime<Utc>,
    /// The system that the value comes from.
    pub source: String,
}

/// The outcome of the comparison of a claim with its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimStatus {
    /// The record has the same value.
    Agrees,
    /// The record has another value, which is the true one.
    Stale,
    /// No record answers.
    Unverified,
}

/// A statement about a record, compared with the record at the moment of the read.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
pub struct CheckedClaim {
    /// The thing that the record describes.
    pub entity: String,
    /// Field of the record.
    pub field: String,
    /// As the author stated it.
    #[schema(value_type = Value)]
    pub value: Value,
    pub status: ClaimStatus,
    /// The current value, where a record has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordField>,
}

/// A record of a tree.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Record {
    /// The thing that the record describes.
    pub entity: String,
    pub fields: BTreeMap<String, RecordField>,
    /// Time of the last write that changed it.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
}

/// `GET /workspaces/{id}/records`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListRecords {
    /// Only entities with this prefix.
    pub prefix: Option<String>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

//! Rows: structured raw material in collections of a workspace.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{Object, Redaction};

/// `PUT /workspaces/{id}/collections/{name}`: the settings of a collection.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutCollection {
    /// The column whose value identifies a row; at most 200 characters.
    pub key: String,
    /// The column with the time of a row; at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// JSON Schema for rows, at most 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub schema: Option<Object>,
}

/// A collection of rows.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Collection {
    /// Unique in the workspace.
    pub name: String,
    /// The column whose value identifies a row.
    pub key: String,
    /// The column with the time of a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// JSON Schema for rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub schema: Option<Object>,
    /// Number of rows.
    pub rows: i64,
    /// Bytes of the rows.
    pub bytes: i64,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Time of the last change of the settings.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
}

/// A row of `POST …/rows`: any JSON object with the column of the key.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct NewRow(pub Object);

/// A bad row of a request.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct RowFault {
    /// The line on which the row begins; the first is 1.
    pub line: usize,
    /// What is wrong, and what would work.
    pub fault: String,
}

/// The outcome of `POST …/rows`, without content.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
pub struct WrittenRows {
    /// Rows with a new key.
    pub inserted: usize,
    /// Rows with a known key and other values.
    pub updated: usize,
    /// Rows that were there already.
    pub unchanged: usize,
    /// Bad rows.
    pub refused: usize,
    /// The first 100 of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<RowFault>,
    /// Credentials that were replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// A row of a collection.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Row {
    /// Unique in the collection.
    pub key: String,
    /// The instant in the column of the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<DateTime<Utc>>,
    /// All columns.
    #[schema(value_type = Object)]
    pub values: Object,
    /// Time of the last change.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// When a processor read it last; absent since its last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extracted_at: Option<DateTime<Utc>>,
}

/// `GET …/rows`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListRows {
    /// Only the row with this key.
    pub key: Option<String>,
    /// Only rows whose keys begin with this prefix.
    pub prefix: Option<String>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `POST …/rows/withdraw`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WithdrawRows {
    /// 1 to 1,000 keys.
    pub keys: Vec<String>,
    /// One line of at most 500 characters. It is stored, so it must not repeat the content.
    pub reason: String,
}

/// Removed rows.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct RemovedRows {
    /// Rows that were there.
    pub removed: usize,
    /// Keys without a row.
    pub unknown: usize,
}

//! Import of memories of existing platforms and tools, and the export that they read.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Object, Redaction, Source};

/// `GET /admin/memories/export`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ExportMemories {
    /// Id of the root workspace of the only org to export; all orgs without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org_id: Option<Uuid>,
}

/// A memory of `POST /admin/memories/import` and of `GET /admin/memories/export`, with the fields that an export of an
/// existing platform has. An import counts others as `ignored`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct ExportedMemory {
    /// Identifies the memory when the array is imported again. Without it, author, scope, team and content do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// Not blank, at most 64 KiB.
    pub content: String,
    pub scope: Scope,
    /// Only with TEAM: the leader of the team, which is the author or its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// The author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Uuid>,
    /// The author, if no workspace has `workspace_id` and one workspace of the server has this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_name: Option<String>,
    /// One line, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Label, at most 50 characters; `general` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
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
    /// Listed first; at most 20 per author.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pin: bool,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The time of the import by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
}

impl ExportedMemory {
    /// A memory of this author with defaults for all other fields.
    #[must_use]
    pub fn new(content: String, scope: Scope, workspace: Uuid) -> Self {
        Self {
            id: None,
            content,
            scope,
            team: None,
            workspace_id: Some(workspace),
            workspace_name: None,
            title: None,
            namespace: None,
            kind: None,
            source: None,
            confidence: None,
            tags: Vec::new(),
            metadata: None,
            subject: None,
            session_id: None,
            session_only: false,
            pin: false,
            expires_at: None,
            created_at: None,
        }
    }
}

/// Outcome of `POST /admin/memories/import`, or with `dry_run` the predicted outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MemoriesImport {
    /// True if nothing was changed.
    pub dry_run: bool,
    /// Memories of the array.
    pub total: usize,
    pub imported: usize,
    /// Memories that exist already, or existed and were redacted.
    pub skipped: usize,
    /// Memories that were not imported. The others are.
    pub errors: Vec<ImportError>,
    /// Fields of the array that a memory does not have.
    pub ignored: Vec<IgnoredField>,
    /// Credentials replaced before storage; fields are paths in the array, such as `[2].content`.
    pub redactions: Vec<Redaction>,
}

/// A memory that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportError {
    /// The position in the array, from 0.
    pub index: usize,
    /// The fault and a remedy.
    pub error: String,
}

/// A field that a memory does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IgnoredField {
    pub field: String,
    /// Number of memories with this field.
    pub count: usize,
}

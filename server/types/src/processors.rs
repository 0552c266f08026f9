//! Processors: definitions that distil rows into facts, their runs, and the facts for the files of a change.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Memory, Object};

/// `POST /workspaces/{id}/processors`: a processor to define, or to define again.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DefineProcessor {
    /// The definition; see docs/spec/processors.md.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub definition: Option<Object>,
    /// The name of a built-in definition instead, such as `bug-import`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_in: Option<String>,
    /// Fields that differ from the definition, such as `collection` or `scope`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub set: Option<Object>,
}

/// A processor of a workspace, or a built-in definition that it can activate.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Processor {
    /// Unique in the workspace.
    pub name: String,
    /// The collection whose rows it reads.
    pub collection: String,
    /// Whether it runs; a built-in definition runs once it is activated.
    pub active: bool,
    /// The definition.
    #[schema(value_type = Object)]
    pub definition: Object,
    /// 1 for a new processor; incremented by each change of the definition; 0 for one that is not active.
    pub revision: i64,
    /// The next scheduled run; in the past if it was missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_run_at: Option<DateTime<Utc>>,
    /// The start of the last run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<DateTime<Utc>>,
}

/// Why a run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunCause {
    /// The schedule.
    Schedule,
    /// `POST …/run`.
    #[default]
    Request,
}

/// What happened to the fact of a group in a dry run.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct PlannedFact {
    /// `inserted`, `updated` or `rolled_back`.
    pub change: String,
    /// The values of the dimensions.
    pub dimensions: Vec<String>,
    /// The wording, or the reason why the fact would go.
    pub text: String,
    /// Absent for a fact that would go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The number of rows.
    pub rows: u64,
}

/// A run of a processor.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct ProcessorRun {
    /// Absent for a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    pub cause: RunCause,
    pub dry_run: bool,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub started_at: DateTime<Utc>,
    /// Milliseconds.
    pub duration_ms: i64,
    /// Rows that were read.
    pub read: i64,
    /// Rows of them that belong to a group.
    pub grouped: i64,
    /// New facts.
    pub inserted: i64,
    /// New versions of facts.
    pub updated: i64,
    /// Facts that were superseded, because too few rows remain.
    pub rolled_back: i64,
    /// Touched groups whose fact remained as it was.
    pub untouched: i64,
    /// Facts whose text was cut to `max_fact_length`.
    pub cut_texts: i64,
    /// The limit that ended the run; the next run continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped: Option<String>,
    /// Why the run ended early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The first 20 changes of a dry run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<PlannedFact>,
}

/// `GET …/processors/{name}/runs`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListProcessorRuns {
    /// Page size; 20 by default, at most 100.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `POST /workspaces/{id}/patterns`: the files of a change, by path or as a unified diff.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FindPatterns {
    /// Paths of changed files.
    pub paths: Vec<String>,
    /// A unified diff, whose files are added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A fact that bears on a change.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Pattern {
    /// The files of the change that it bears on; the first 20.
    pub files: Vec<String>,
    /// The fact, with its confidence, and with its sources in the metadata.
    pub memory: Memory,
}

/// The facts that bear on a change, the most confident first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
pub struct Patterns {
    /// The files that were considered.
    pub files: usize,
    /// At most 50.
    pub patterns: Vec<Pattern>,
    /// Whether there are more.
    pub more: bool,
}

//! Scrubbing of stored text with changed rules.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// `POST /admin/scrub`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ScrubQuery {
    /// Change nothing; count what would be replaced.
    pub dry_run: bool,
    /// `next` of an earlier response; the first rows without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Outcome of `POST /admin/scrub` for some hundred rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScrubResponse {
    /// True if nothing was changed.
    pub dry_run: bool,
    /// The org of the rows; the nil id for those of the server itself.
    pub org_id: Uuid,
    /// Number of examined rows.
    pub rows: u64,
    /// Number of changed rows.
    pub changed: u64,
    /// Replaced credentials.
    pub replaced: Vec<ScrubCount>,
    /// Credentials in text that cannot be changed: keys of entries, and rows of the sealed audit log.
    pub remaining: Vec<ScrubCount>,
    /// The cursor of the next rows; absent after the last ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Credentials of one kind in one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScrubCount {
    /// `memories`, `memory_versions`, `episodes` and others.
    pub table: String,
    /// Kind of credential; `[REDACTED:<KIND>]` replaces it.
    pub kind: String,
    pub count: u64,
}

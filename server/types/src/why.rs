//! Counting memories, and why one is found or not.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{ListMemories, Source};

/// `GET …/memories/count`: the filters of the search.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct CountMemories {
    /// One scope; without it everything the workspace can read.
    pub scope: Option<Scope>,
    /// The query; without it everything is counted.
    pub q: Option<String>,
    /// Filed under this label.
    pub namespace: Option<String>,
    /// Of this kind.
    pub kind: Option<String>,
    /// From this source.
    pub source: Option<Source>,
    /// With this tag.
    pub tag: Option<String>,
    /// Written by this workspace.
    pub author: Option<Uuid>,
    /// About this end user.
    pub subject: Option<String>,
    /// Made in this session.
    pub session_id: Option<String>,
    /// Belonging to this run.
    pub run_id: Option<Uuid>,
    /// Belonging to this profile of the workspace.
    pub profile_id: Option<Uuid>,
    /// Committed at this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Committed before this instant.
    pub until: Option<DateTime<Utc>>,
    /// With at least this confidence.
    pub min_confidence: Option<f64>,
}

impl From<CountMemories> for ListMemories {
    fn from(count: CountMemories) -> Self {
        Self {
            scope: count.scope,
            q: count.q,
            namespace: count.namespace,
            kind: count.kind,
            source: count.source,
            tag: count.tag,
            author: count.author,
            subject: count.subject,
            session_id: count.session_id,
            run_id: count.run_id,
            profile_id: count.profile_id,
            since: count.since,
            until: count.until,
            min_confidence: count.min_confidence,
            ..Self::default()
        }
    }
}

/// How many memories the workspace can read that match.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct MemoryCount {
    /// So many.
    pub count: usize,
}

/// What the caller may do to a memory, acting as the workspace that it reads as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Can {
    /// Edit it.
    pub edit: bool,
    /// Delete it.
    pub delete: bool,
    /// Redact it.
    pub redact: bool,
    /// Why not, where not.
    #[serde(default, skip_serializing_if = "WhyNot::is_empty")]
    pub why_not: WhyNot,
}

/// The reasons of what is not allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct WhyNot {
    /// Why it may not be edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<String>,
    /// Why it may not be deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delete: Option<String>,
    /// Why it may not be redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redact: Option<String>,
}

impl WhyNot {
    /// Whether all is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edit.is_none() && self.delete.is_none() && self.redact.is_none()
    }
}

/// `GET …/memories/{mid}/why`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct WhyQuery {
    /// The query that it is or is not found by; without it, whether it is listed at all.
    pub q: Option<String>,
}

/// The one cause for which a memory is found or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhyCause {
    /// It is readable, and found by the query.
    Found,
    /// It is readable, and the query does not find it.
    NotFound,
    /// The workspace is not in its reach.
    NotReadable,
    /// The isolation of the workspace's profile keeps it away.
    Isolated,
    /// The workspace's profile excludes its kind.
    KindExcluded,
    /// It has expired.
    Expired,
    /// It was redacted.
    Redacted,
    /// It was deleted.
    Deleted,
    /// Another memory replaces it.
    Superseded,
    /// It waits for its run to end well.
    Pending,
}

/// Why a memory is found or not, by one workspace and one query.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Why {
    /// The memory.
    pub memory_id: Uuid,
    /// Whether the workspace can read it now.
    pub readable: bool,
    /// The cause.
    pub cause: WhyCause,
    /// The same as a sentence.
    pub reason: String,
    /// By which way it is in reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// At which place of all that is found it stands, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// How many are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<usize>,
    /// How well it matches; only to be compared within one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The memory that replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Uuid>,
    /// The run that it waits in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Since when it is so: when it expired or was redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
}

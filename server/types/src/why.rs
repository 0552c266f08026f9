//! Counting memories, and why one is found or not.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{ListMemories, Mode, Source};

/// `GET …/memories/count`: the query, the mode and the filters of the search.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct CountMemories {
    /// One scope; without it everything the workspace can read.
    pub scope: Option<Scope>,
    /// The query; without it everything is counted.
    pub q: Option<String>,
    /// How to search; `auto` when not given.
    pub mode: Option<Mode>,
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
            mode: count.mode,
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

/// Why a search gives a memory where it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Explanation {
    /// Where it stands among all that is found, from 1.
    pub rank: usize,
    /// What its score is made of: the values add up to it. Empty where nothing was searched for, and nothing scored.
    pub parts: Vec<ScorePart>,
}

/// One part of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct ScorePart {
    /// What it comes from.
    pub part: ScoredFor,
    /// What it adds; below 0 it holds back.
    pub value: f64,
}

/// What a part of a score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoredFor {
    /// The words and phrases of the query in its best passage; the name of its author is among its words.
    Words,
    /// Words of the query that stand next to each other there.
    Pairs,
    /// It means something like the query.
    Meaning,
    /// In a question in the first person its author does not sound like who asks: this holds it back.
    Voice,
    /// The query names its author, and not all of them.
    NamedAuthor,
    /// The query names the time when it was made.
    Date,
    /// The memories before it in its session match.
    Before,
    /// The memory after it in its session matches.
    After,
    /// The best memory of its session matches.
    Session,
    /// It is of a late sitting.
    Recency,
    /// It is certain.
    Confidence,
    /// It is pinned.
    Pin,
}

impl ScoredFor {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Pairs => "pairs",
            Self::Meaning => "meaning",
            Self::Voice => "voice",
            Self::NamedAuthor => "named_author",
            Self::Date => "date",
            Self::Before => "before",
            Self::After => "after",
            Self::Session => "session",
            Self::Recency => "recency",
            Self::Confidence => "confidence",
            Self::Pin => "pin",
        }
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
    /// What the score is made of: the values add up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ScorePart>,
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

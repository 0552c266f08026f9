//! The explanation of search results.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Via;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Operations on a memory that the caller may perform as the reading workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct MemoryPermissions {
    pub edit: bool,
    pub delete: bool,
    pub redact: bool,
    /// Reasons of the refused operations.
    #[serde(default, skip_serializing_if = "DenialReasons::is_empty")]
    pub why_not: DenialReasons,
}

/// Reasons of the refused operations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct DenialReasons {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delete: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redact: Option<String>,
}

impl DenialReasons {
    /// Whether every operation is permitted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edit.is_none() && self.delete.is_none() && self.redact.is_none()
    }
}

/// Rank and score of a search result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Explanation {
    /// Position among all results, from 1.
    pub rank: usize,
    /// Parts of the score; the values add up to it. Empty without a query.
    pub parts: Vec<ScorePart>,
    /// The earlier result with the same content, or with nearly the same words of the same author, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Uuid>,
    /// Its place in the order of a reranker; absent where the order is that of the scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranked: Option<Reranked>,
}

/// The effect of a reranker on a search result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Reranked {
    /// Score of the reranker, on its own scale; absent on later pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Position among all results before reranking, from 1.
    pub from_rank: usize,
}

/// One part of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct ScorePart {
    pub part: ScoreFactor,
    /// Contribution to the score; may be negative.
    pub value: f64,
}

/// Origin of a part of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoreFactor {
    /// Words and phrases of the query in the best passage; the author's name counts as a word of it.
    Words,
    /// Adjacent words of the query in the best passage.
    Pairs,
    /// Semantic similarity to the query.
    Meaning,
    /// Deduction in questions in the first person: the author does not write in the caller's voice.
    Voice,
    /// The query names the author, but not every author.
    NamedAuthor,
    /// The query names the time of the memory.
    Date,
    /// Matches of earlier memories of the session.
    Before,
    /// Match of the next memory of the session.
    After,
    /// Match of the best memory of the session.
    Session,
    /// The session is recent.
    Recency,
    /// Confidence of the memory.
    Confidence,
    /// The memory is pinned.
    Pin,
    /// Another version of what it says is newer or older, and the newest comes first.
    Version,
    /// Deduction: an earlier result has the same content.
    Repetition,
}

impl ScoreFactor {
    /// The name in JSON.
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
            Self::Version => "version",
            Self::Repetition => "repetition",
        }
    }
}

/// `GET …/memories/{mid}/why`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct RecallQuery {
    /// Query to explain; without it, whether the memory is listed at all.
    pub q: Option<String>,
    /// Explain a search with `collapse=true`.
    pub collapse: Option<bool>,
}

/// Why a search finds a memory or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecallCause {
    /// Readable, and the query matches.
    Found,
    /// Readable, and the query does not match.
    NotFound,
    /// Readable, and the query matches with a score below the minimum.
    BelowMinimum,
    /// Readable, and named in an earlier result with the same content; only with `collapse`.
    Collapsed,
    /// Outside the reach of the workspace.
    NotReadable,
    /// The isolation of the workspace's profile excludes it.
    Isolated,
    /// The workspace's profile excludes its kind.
    KindExcluded,
    Expired,
    Redacted,
    Deleted,
    /// Another memory replaces it.
    Superseded,
    /// Its run has not completed.
    Pending,
}

/// Why a workspace finds a memory with a query, or does not.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct RecallExplanation {
    pub memory_id: Uuid,
    /// Whether the workspace can read the memory now.
    pub readable: bool,
    pub cause: RecallCause,
    /// The cause as a sentence.
    pub reason: String,
    /// Why it is in reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// Position among all results, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Number of results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<usize>,
    /// Comparable only within one response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Parts of the score; the values add up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ScorePart>,
    /// The earlier result with the same content, or with nearly the same words of the same author, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Uuid>,
    /// The memory that replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Uuid>,
    /// The open run of a pending memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Time of the expiry or the redaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    /// Of an expired memory: `expires_at`, `retention.max_age_seconds` or `retention.max_entries`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

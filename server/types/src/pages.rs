//! Pages: the compressed view of a workspace's episodes.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CheckedClaim, Episode};

/// What a search says about a page besides its text.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct FoundPage {
    pub tier: Tier,
    /// Size of the content; four bytes of UTF-8 count as one.
    pub tokens: i64,
    /// The last declared outcome of the episodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Time of the first episode.
    pub first_at: DateTime<Utc>,
    /// Time of the last episode.
    pub last_at: DateTime<Utc>,
    /// Time of the last change of the page.
    pub compacted_at: DateTime<Utc>,
    /// Maker of the text: `extractive`.
    pub made_by: String,
    /// Number of episodes.
    pub source_count: usize,
}

/// How much text of a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Near-verbatim, for every turn.
    Hot,
    /// A sentence or two, on demand.
    Warm,
    /// No text: outcome, times and sources, for audits.
    Cold,
}

/// `GET /workspaces/{id}/pages`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListPages {
    /// Only this person or thing.
    pub subject: Option<String>,
    /// Only this tier; hot and warm pages if absent.
    pub tier: Option<Tier>,
    /// Only this session.
    pub session_id: Option<String>,
    /// Query: the best matches come first, as one page.
    pub q: Option<String>,
    /// Minimum confidence, 0 to 1.
    pub min_confidence: Option<f64>,
    /// Include the parts of the confidence.
    pub explain: Option<bool>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// A compressed view of neighbouring episodes about one subject.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Page {
    pub id: Uuid,
    /// The workspace of the episodes.
    pub workspace_id: Uuid,
    /// The person or thing it is about; absent for the workspace's own work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Session, or correlation id, of the episodes.
    pub session_id: String,
    pub tier: Tier,
    /// In the words of the episodes; empty for a cold page.
    pub content: String,
    /// What its episodes state about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    /// From 0 to 1.
    pub confidence: f64,
    /// Size of the content; four bytes of UTF-8 count as one.
    pub tokens: i64,
    /// The last declared outcome of the episodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Time of the first episode.
    pub first_at: DateTime<Utc>,
    /// Time of the last episode.
    pub last_at: DateTime<Utc>,
    /// Time of the last change of the page.
    pub compacted_at: DateTime<Utc>,
    /// Grows with every change of the page.
    pub version: i64,
    /// Maker of the text: `extractive`.
    pub made_by: String,
    /// Number of episodes.
    pub source_count: usize,
    /// The parts of the confidence, with `explain=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<PageConfidence>,
}

/// The parts of a confidence: 0.5 recency + 0.3 density + 0.2 outcome.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct PageConfidence {
    /// One half for every 30 days since the last supporting episode.
    pub recency: f64,
    /// 0 for one session, a third for each further one, at most 1.
    pub density: f64,
    /// Share of successes among the outcomes.
    pub outcome: f64,
    /// Sessions that support the page.
    pub sessions: i64,
    pub successes: i64,
    pub failures: i64,
    /// Time of the last supporting episode.
    pub effective_at: DateTime<Utc>,
}

/// The episodes that a page was made of, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PageSources {
    pub page_id: Uuid,
    pub sources: Vec<Episode>,
}

/// `GET /workspaces/{id}/pages/{pid}/why`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ExplainPage {
    /// The subject of the working set; that of the page if absent.
    pub subject: Option<String>,
    /// Size of the working set; 1500 by default.
    pub token_budget: Option<u64>,
}

/// Why a page is in the working set or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageCause {
    Included,
    /// Its confidence is below the gate.
    Gate,
    /// Other pages used the budget.
    Budget,
    /// It is not hot.
    Tier,
    /// It is about another subject.
    Subject,
    /// A record contradicts it, and a person decided that the record is right.
    Stale,
    /// No record answers one of its claims.
    Unverified,
    /// It has episodes of an excluded kind.
    Excluded,
}

/// The place of a page in the working set.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PageExplanation {
    pub page_id: Uuid,
    pub in_working_set: bool,
    pub cause: PageCause,
    /// The cause as a sentence.
    pub reason: String,
    pub confidence: f64,
    /// Pages below this confidence are not in the working set.
    pub gate: f64,
    pub parts: PageConfidence,
}

/// `POST /workspaces/{id}/pages/compact`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CompactPages {
    /// Only this person or thing; the whole workspace if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// `POST /workspaces/{id}/pages/compact`: parameters.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct CompactQuery {
    /// Only report what would change.
    pub dry_run: bool,
}

/// The report of a compaction.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct CompactionReport {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Episodes read.
    pub read: usize,
    /// Episodes that reached no page, by reason: `redacted`, `server`, `superseded`, `no_provenance`, `no_kind`,
    /// `excluded_kind`.
    pub left_out: BTreeMap<String, usize>,
    /// Pages written, new or changed.
    pub written: usize,
    /// Pages removed.
    pub removed: usize,
    /// Pages in another tier than before.
    pub moved: usize,
    /// Pages by tier.
    pub pages: TierCounts,
    /// Tokens by tier.
    pub tokens: TierCounts,
    /// Hot and warm pages whose confidence is below the gate.
    pub below_gate: usize,
}

/// Counts by tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TierCounts {
    pub hot: usize,
    pub warm: usize,
    pub cold: usize,
}

/// A page in a context block, and its episodes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WorkingPage {
    pub page: Page,
    /// Ids of the episodes, oldest first.
    pub sources: Vec<Uuid>,
}

//! Searches of memories, and memories as a workspace reads them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    CheckedClaim, Explanation, FoundPage, ItemType, MemoryPermissions, Object, PassagePlace, ReadSessions, Role, Source,
};

/// `GET /workspaces/{id}/memories`: readable memories, best first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListMemories {
    /// What to search, in one ranking: `memories` (default), `pages`, `documents` (their passages), or several with commas.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    #[param(rename = "in")]
    pub items: Option<SearchedItems>,
    /// Only this scope; all readable memories if absent.
    pub scope: Option<Scope>,
    /// Query. Without it the newest come first, after pinned ones.
    pub q: Option<String>,
    /// Search mode; `auto` by default.
    pub mode: Option<Mode>,
    /// Only this namespace.
    pub namespace: Option<String>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only this source.
    pub source: Option<Source>,
    /// Only memories with this tag.
    pub tag: Option<String>,
    /// Only memories of this workspace.
    pub author: Option<Uuid>,
    /// Only this end user.
    pub subject: Option<String>,
    /// Only this session.
    pub session_id: Option<String>,
    /// `granted`: also memories of other sessions that grants show.
    pub sessions: Option<ReadSessions>,
    /// Only this tier; `knowledge` searches passages of documents.
    pub tier: Option<MemoryTier>,
    /// Only this run.
    pub run_id: Option<Uuid>,
    /// Only this profile of the workspace.
    pub profile_id: Option<Uuid>,
    /// Earliest commit, inclusive.
    pub since: Option<DateTime<Utc>>,
    /// Latest commit, exclusive.
    pub until: Option<DateTime<Utc>>,
    /// Minimum confidence, 0 to 1.
    pub min_confidence: Option<f64>,
    /// Only pinned memories (`true`), or only others (`false`).
    pub pinned: Option<bool>,
    /// Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`.
    pub metadata: Option<String>,
    /// Only these memories: 1 to 50 ids, separated by commas.
    pub ids: Option<String>,
    /// `relevance` by default with a query, otherwise `recent`.
    pub order: Option<Order>,
    /// Quote text by other workspaces, as for an agent. Agents always receive it quoted.
    pub quoted: Option<bool>,
    /// Include the rank and the parts of the score.
    pub explain: Option<bool>,
    /// Name repetitions of a result in that result instead of listing them.
    pub collapse: Option<bool>,
    /// Include this many memories committed before and after in the same session, 0 to 5.
    pub neighbours: Option<u8>,
    /// Page size; 50 by default and at most.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// What a search is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
pub enum SearchedItems {
    /// Memories.
    #[default]
    #[serde(rename = "memories")]
    Memories,
    /// Passages of documents.
    #[serde(rename = "documents")]
    Documents,
    /// Pages.
    #[serde(rename = "pages")]
    Pages,
    /// Several in one ranking.
    #[serde(rename = "memories,documents", alias = "documents,memories")]
    MemoriesAndDocuments,
    #[serde(rename = "memories,pages", alias = "pages,memories")]
    MemoriesAndPages,
    #[serde(rename = "pages,documents", alias = "documents,pages")]
    PagesAndDocuments,
    #[serde(
        rename = "memories,pages,documents",
        alias = "memories,documents,pages",
        alias = "pages,memories,documents",
        alias = "pages,documents,memories",
        alias = "documents,memories,pages",
        alias = "documents,pages,memories"
    )]
    All,
}

/// How long an item lives, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryTier {
    /// Until the end of its session.
    Session,
    /// Across the sessions of one end user.
    User,
    /// Across end users.
    Tenant,
    /// A passage of a document.
    Knowledge,
}

/// Search mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The best mode that the configuration supports.
    #[default]
    Auto,
    /// By keywords.
    Keyword,
    /// By meaning; needs an embedder.
    Semantic,
    /// By keywords and meaning; needs an embedder.
    Hybrid,
}

/// Sort order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Best match first.
    Relevance,
    /// Pinned first, then newest first.
    Recent,
    /// Highest confidence first, then newest.
    Confidence,
}

/// A memory as a workspace reads it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Memory {
    /// Present in a search with documents or pages: a memory, a passage of a document, or a page.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub item_type: Option<ItemType>,
    pub id: Uuid,
    /// The author.
    pub workspace_id: Uuid,
    /// Current name of the author.
    pub workspace_name: String,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub namespace: String,
    pub kind: String,
    /// As claimed by the author.
    pub source: Source,
    /// Role of the writer, from the token.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    pub tags: Vec<String>,
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The grant without which the memory would not be readable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_by: Option<Uuid>,
    /// How long it lives, and for whom.
    pub tier: MemoryTier,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// Profile of the author; absent means the author's current default profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
    /// Whether it is listed first.
    pub pin: bool,
    /// For agents, text by other workspaces is quoted.
    pub content: String,
    /// The document of a passage, and where the passage is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<PassagePlace>,
    /// What a page was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<FoundPage>,
    /// What it states about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    /// 1 for a new memory, increased by every change.
    pub version: i64,
    /// When it happened: `occurred_at` of its author, or the time of the commit.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Time of the latest change.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// Exclusive end of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// The memory that this one replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Uuid>,
    /// Why it is in reach.
    pub via: Via,
    /// Operations permitted to the caller; only in REST responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can: Option<MemoryPermissions>,
    /// Higher is better; comparable only within one response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Cosine of the vectors of query and memory, -1 to 1; absent for keyword matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity_score: Option<f64>,
    /// Only with `explain=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// Words of the query that no readable memory has, and the words of this one that they were understood as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub understood: Option<BTreeMap<String, String>>,
    /// The newest result that says the same with another value, in order of relevance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outdated_by: Option<Uuid>,
    /// Only with `collapse=true`: the results with the same content that are not listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collapsed: Option<Collapsed>,
    /// Only with `neighbours`: readable memories committed just before and after in the same session, in that order.
    /// Filters do not apply to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Vec<Neighbour>>,
}

/// Results that repeat the content of another one: they differ only in case, diacritics, inflection, white space and
/// punctuation without meaning.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
pub struct Collapsed {
    pub count: usize,
    /// The first 100, in the order of the results.
    pub ids: Vec<Uuid>,
}

/// A memory committed close to another one in the same session.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
pub struct Neighbour {
    /// Distance in memories; negative before the other one.
    pub offset: i32,
    pub id: Uuid,
    /// The author.
    pub workspace_id: Uuid,
    /// Current name of the author.
    pub workspace_name: String,
    /// The caller's role.
    pub role: Role,
    /// For agents, text by other workspaces is quoted.
    pub content: String,
    /// What it states about records, compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<CheckedClaim>>,
    /// The grant without which the memory would not be readable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_by: Option<Uuid>,
    /// Time of the commit.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
}

//! The arguments of the tools that commit, search and edit memories.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use orgmem_types::{self as wire, MemoryTier, Mode, Object, Order, Source};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::ToolArguments;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct CommitMemory {
    /// One fact, decision or observation, understandable without context.
    pub content: String,
    /// One line; searchable.
    pub title: Option<String>,
    /// LOCAL (default): only you read it. TEAM: your parent, children and siblings too. GLOBAL: everyone; only the root
    /// writes it.
    pub scope: Option<Scope>,
    /// With TEAM: id of its lead, you or your parent.
    pub team: Option<Uuid>,
    /// Label; `general` by default.
    pub namespace: Option<String>,
    /// `fact` (default), `summary`, `checkpoint` or another word.
    pub kind: Option<String>,
    pub source: Option<Source>,
    /// 0 to 1; 0.5 by default.
    pub confidence: Option<f64>,
    pub tags: Option<Vec<String>>,
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    pub subject: Option<String>,
    pub session_id: Option<String>,
    /// Forget it when that session ends.
    pub session_only: Option<bool>,
    /// Open run, until whose end it is pending.
    pub run_id: Option<Uuid>,
    /// Commit at once if `run_id` names no open run.
    pub ungated: Option<bool>,
    pub profile_id: Option<Uuid>,
    /// List it first.
    pub pin: Option<bool>,
    pub expires_at: Option<DateTime<Utc>>,
    pub ttl_seconds: Option<i64>,
    /// Own memory that it replaces.
    pub supersedes: Option<Uuid>,
    /// Id of your choice; an existing one is replaced.
    pub id: Option<Uuid>,
    /// What it states about records (prices, stock); compared with them in every read.
    pub claims: Option<Vec<wire::Claim>>,
    pub occurred_at: Option<DateTime<Utc>>,
}

impl ToolArguments for CommitMemory {}

impl From<CommitMemory> for wire::CommitMemory {
    fn from(sent: CommitMemory) -> Self {
        Self {
            title: sent.title,
            team: sent.team,
            namespace: sent.namespace,
            kind: sent.kind.as_deref().map(lower_case),
            source: sent.source,
            confidence: sent.confidence,
            tags: sent.tags.unwrap_or_default(),
            metadata: sent.metadata,
            subject: sent.subject,
            session_id: sent.session_id,
            session_only: sent.session_only.unwrap_or_default(),
            run_id: sent.run_id,
            ungated: sent.ungated.unwrap_or_default(),
            profile_id: sent.profile_id,
            pin: sent.pin.unwrap_or_default(),
            expires_at: sent.expires_at,
            ttl_seconds: sent.ttl_seconds,
            supersedes: sent.supersedes,
            id: sent.id,
            claims: sent.claims,
            occurred_at: sent.occurred_at,
            ..Self::new(sent.content, sent.scope.unwrap_or(Scope::Local))
        }
    }
}

/// Kinds are lower-case words, so the letter case is not ambiguous.
pub(super) fn lower_case(kind: &str) -> String {
    kind.trim().to_lowercase()
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct SearchMemory {
    /// Question or words. Without it: the newest.
    pub query: Option<String>,
    /// What to search, in one ranking. Default: memories.
    #[serde(rename = "in")]
    pub items: Option<wire::SearchedItems>,
    pub scope: Option<Scope>,
    pub namespaces: Option<Vec<String>>,
    pub kinds: Option<Vec<String>>,
    pub source: Option<Source>,
    pub tag: Option<String>,
    /// A `workspace_id`, which `explain` adds.
    pub author: Option<Uuid>,
    pub subject: Option<String>,
    pub session_id: Option<String>,
    /// `granted`: also other sessions of the end user, as agreed.
    pub sessions: Option<wire::ReadSessions>,
    /// `session`, `user` (with a subject) or `tenant`; `knowledge`: documents.
    pub tier: Option<MemoryTier>,
    pub run_id: Option<Uuid>,
    pub profile_id: Option<Uuid>,
    pub since: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    pub min_confidence: Option<f64>,
    pub mode: Option<Mode>,
    pub order: Option<Order>,
    /// Add authors' ids, ranks and scores.
    pub explain: Option<bool>,
    /// Add up to 5 memories before and after, of the same session.
    pub neighbours: Option<u8>,
    /// Name repetitions in the first result.
    pub collapse: Option<bool>,
    pub pinned: Option<bool>,
    /// Default 10, at most 50.
    pub limit: Option<u64>,
    /// `next` of the previous page.
    pub cursor: Option<String>,
}

impl ToolArguments for SearchMemory {
    const OTHER_NAMES: &[(&str, &str)] = &[("q", "query"), ("namespace", "namespaces"), ("kind", "kinds")];
}

impl From<SearchMemory> for crate::app::MemorySearch {
    fn from(sent: SearchMemory) -> Self {
        let request = wire::ListMemories {
            items: sent.items,
            q: sent.query,
            scope: sent.scope,
            source: sent.source,
            tag: sent.tag,
            author: sent.author,
            subject: sent.subject,
            session_id: sent.session_id,
            sessions: sent.sessions,
            tier: sent.tier,
            run_id: sent.run_id,
            profile_id: sent.profile_id,
            since: sent.since,
            until: sent.until,
            min_confidence: sent.min_confidence,
            mode: sent.mode,
            order: sent.order,
            explain: sent.explain,
            neighbours: sent.neighbours,
            collapse: sent.collapse,
            pinned: sent.pinned,
            limit: sent.limit.or(Some(10)),
            cursor: sent.cursor,
            ..wire::ListMemories::default()
        };
        let kinds = sent.kinds.unwrap_or_default();
        Self {
            request,
            namespaces: sent.namespaces.unwrap_or_default(),
            kinds: kinds.iter().map(|kind| lower_case(kind)).collect(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct EditMemory {
    pub memory_id: Uuid,
    pub content: Option<String>,
    pub title: Option<String>,
    pub namespace: Option<String>,
    pub kind: Option<String>,
    pub source: Option<Source>,
    pub confidence: Option<f64>,
    pub tags: Option<Vec<String>>,
    pub metadata: Option<Object>,
    pub claims: Option<Vec<wire::Claim>>,
    pub subject: Option<String>,
    pub session_id: Option<String>,
    pub session_only: Option<bool>,
    pub pin: Option<bool>,
    pub expires_at: Option<DateTime<Utc>>,
    pub ttl_seconds: Option<i64>,
    /// Fields to empty.
    pub clear: Option<Vec<ClearedField>>,
    pub if_match_version: Option<i64>,
}

// `null` empties no field, because models send it for absent arguments
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::mcp) enum ClearedField {
    Title,
    Metadata,
    Subject,
    SessionId,
    ExpiresAt,
    Tags,
    Claims,
}

impl ToolArguments for EditMemory {}

impl From<EditMemory> for wire::PatchMemory {
    /// A new value takes precedence over `clear`.
    fn from(sent: EditMemory) -> Self {
        let cleared = sent.clear.unwrap_or_default();
        let clears = |field| cleared.contains(&field);
        Self {
            content: sent.content,
            title: sent.title.map(Some).or(clears(ClearedField::Title).then_some(None)),
            namespace: sent.namespace,
            kind: sent.kind.as_deref().map(lower_case),
            source: sent.source,
            confidence: sent.confidence,
            tags: sent.tags.or_else(|| clears(ClearedField::Tags).then(Vec::new)),
            metadata: sent.metadata.map(Some).or(clears(ClearedField::Metadata).then_some(None)),
            claims: sent.claims.map(Some).or(clears(ClearedField::Claims).then_some(None)),
            subject: sent.subject.map(Some).or(clears(ClearedField::Subject).then_some(None)),
            session_only: sent.session_only,
            session_id: sent.session_id.map(Some).or(clears(ClearedField::SessionId).then_some(None)),
            pin: sent.pin,
            expires_at: sent.expires_at.map(Some).or(clears(ClearedField::ExpiresAt).then_some(None)),
            ttl_seconds: sent.ttl_seconds,
        }
    }
}

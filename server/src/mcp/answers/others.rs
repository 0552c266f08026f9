//! Results besides memories.

use chrono::{DateTime, Utc};
use orgmem_types::{self as wire, Entry, Json, SessionHit, SessionHitKind};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::ToolResult;
use super::memories::{claims_text, replaced};
use super::text::{self, Head};
use crate::app::Listing;

/// Recent activity.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct RecentActivity {
    /// Episodes and memories.
    items: Vec<RecentItem>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RecentItem {
    kind: SessionHitKind,
    id: Uuid,
    label: String,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<Vec<wire::CheckedClaim>>,
    #[serde(serialize_with = "text::serialize_seconds")]
    created_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    request_body: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    response_body: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<Uuid>,
}

impl From<Listing<SessionHit>> for RecentActivity {
    fn from(page: Listing<SessionHit>) -> Self {
        let item = |hit: SessionHit| RecentItem {
            kind: hit.kind,
            id: hit.id,
            label: hit.label,
            content: hit.content,
            claims: hit.claims,
            created_at: hit.created_at,
            method: Some(hit.method).filter(|method| !method.is_empty()),
            status: Some(hit.status).filter(|status| !status.is_empty()),
            request_body: hit.request_body,
            response_body: hit.response_body,
            session_id: hit.session_id,
            run_id: hit.run_id,
        };
        Self { items: page.items.into_iter().map(item).collect(), next: page.next }
    }
}

impl ToolResult for RecentActivity {
    fn text(&self) -> String {
        let line = |item: &RecentItem| {
            let head = Head::default().word(&item.id.to_string()).word(&text::seconds(&item.created_at));
            let head = head.word(&item.label).field("method", item.method.as_deref());
            let head = head.field("status", item.status.as_deref());
            let head = head.field("claims", claims_text(item.claims.as_deref()));
            let head = head.field("request", item.request_body.as_ref()).field("response", item.response_body.as_ref());
            head.content(&item.content)
        };
        text::list(self.items.iter().map(line), "no activity matches", self.next.as_deref())
    }
}

impl ToolResult for Entry {
    fn text(&self) -> String {
        let head = Head::default().word(&self.key).word(&format!("version={}", self.version));
        head.field("expires_at", self.expires_at.as_ref().map(text::seconds)).content(&self.value.to_string())
    }
}

/// Entries by key.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct EntryList {
    /// One page, at most `limit` entries.
    entries: Vec<Entry>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl From<Listing<Entry>> for EntryList {
    fn from(page: Listing<Entry>) -> Self {
        Self { entries: page.items, next: page.next }
    }
}

impl ToolResult for EntryList {
    fn text(&self) -> String {
        text::list(self.entries.iter().map(Entry::text), "no keys match", self.next.as_deref())
    }
}

impl ToolResult for wire::PutEntryResponse {
    fn text(&self) -> String {
        let head = Head::default().word(&self.key).word(&format!("version={}", self.version));
        head.end() + &replaced(&self.redactions)
    }
}

impl ToolResult for wire::Deleted {
    fn text(&self) -> String {
        "deleted".to_owned()
    }
}

/// Pages.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct PageList {
    pages: Vec<PageItem>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PageItem {
    id: Uuid,
    content: String,
    confidence: f64,
    #[serde(serialize_with = "text::serialize_seconds")]
    last_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
}

impl From<Listing<wire::Page>> for PageList {
    fn from(found: Listing<wire::Page>) -> Self {
        let item = |page: wire::Page| PageItem {
            id: page.id,
            content: page.content,
            confidence: page.confidence,
            last_at: page.last_at,
            outcome: page.outcome,
        };
        Self { pages: found.items.into_iter().map(item).collect() }
    }
}

impl ToolResult for PageList {
    fn text(&self) -> String {
        let line = |page: &PageItem| {
            let head = Head::default().word(&page.id.to_string()).word(&text::seconds(&page.last_at));
            head.field("outcome", page.outcome.as_deref()).content(&page.content)
        };
        text::list(self.pages.iter().map(line), "no pages", None)
    }
}

/// The text to put before a prompt.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct PromptBlock {
    block: String,
    /// The memories in the block, in its order.
    memory_ids: Vec<Uuid>,
    tokens: usize,
    /// Number of the best candidates that the block omits, at most 50.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl From<wire::Context> for PromptBlock {
    fn from(context: wire::Context) -> Self {
        Self {
            block: context.block,
            memory_ids: context.entries.iter().map(|memory| memory.id).collect(),
            tokens: context.tokens,
            left_out: context.left_out.len(),
        }
    }
}

impl ToolResult for PromptBlock {
    fn text(&self) -> String {
        if self.block.is_empty() { "no memories for the context".to_owned() } else { self.block.clone() }
    }
}

/// Why a search finds a memory or does not.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct WhyAnswer(wire::RecallExplanation);

impl From<wire::RecallExplanation> for WhyAnswer {
    fn from(explanation: wire::RecallExplanation) -> Self {
        Self(explanation)
    }
}

impl ToolResult for WhyAnswer {
    fn text(&self) -> String {
        let parts = self.0.parts.iter().map(|part| format!("{}={:.3}", part.part.as_str(), part.value));
        let parts = parts.collect::<Vec<_>>().join(" ");
        if parts.is_empty() { self.0.reason.clone() } else { format!("{}; score: {parts}", self.0.reason) }
    }
}

/// A run. Members with their default value are absent.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct RunState {
    run_id: Uuid,
    status: wire::RunStatus,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::serialize_optional_seconds")]
    times_out_at: Option<DateTime<Utc>>,
    write_count: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_count: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redactions: Vec<wire::Redaction>,
}

impl From<wire::Run> for RunState {
    fn from(run: wire::Run) -> Self {
        Self {
            run_id: run.run_id,
            status: run.status,
            times_out_at: Some(run.times_out_at).filter(|_| run.status == wire::RunStatus::Open),
            write_count: run.write_count,
            dropped_count: Some(run.dropped_count).filter(|count| *count != 0),
            redactions: run.redactions,
        }
    }
}

impl ToolResult for RunState {
    fn text(&self) -> String {
        let status = serde_json::to_value(self.status).unwrap_or_default();
        let head = Head::default().word(&self.run_id.to_string()).word(status.as_str().unwrap_or_default());
        let head = head.field("times_out_at", self.times_out_at.as_ref().map(text::seconds));
        let head = head.field("write_count", Some(self.write_count)).field("dropped_count", self.dropped_count);
        head.end() + &replaced(&self.redactions)
    }
}

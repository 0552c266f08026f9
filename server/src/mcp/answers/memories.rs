//! Memories as models read them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::ToolResult;
use super::text::{self, Head};
use crate::app::Listing;

const NAMESPACE: &str = "general";
const KIND: &str = "fact";
const CONFIDENCE: f64 = 0.5;

/// Matching memories, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct FoundMemories {
    /// Words of the query that no readable memory has, and what they were understood as.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    understood: BTreeMap<String, String>,
    memories: Vec<FoundMemory>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A memory. Members with their default value are absent.
#[derive(Debug, Serialize, JsonSchema)]
struct FoundMemory {
    id: Uuid,
    scope: Scope,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    content: String,
    #[serde(serialize_with = "text::serialize_seconds")]
    created_at: DateTime<Utc>,
    /// The author; absent for the reader's own memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<wire::Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<wire::Role>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<wire::Object>,
    /// What it states about records; a stale one is wrong, and its `record` is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<Vec<wire::CheckedClaim>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// The grant that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    granted_by: Option<Uuid>,
    /// Absent for `tenant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<wire::MemoryTier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile_id: Option<Uuid>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pin: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i64>,
    /// Absent if it never changed.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::serialize_optional_seconds")]
    updated_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::serialize_optional_seconds")]
    expires_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    supersedes: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity_score: Option<f64>,
    /// The newest memory that says the same with another value.
    #[serde(skip_serializing_if = "Option::is_none")]
    outdated_by: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbours: Option<Vec<Neighbour>>,
    #[serde(flatten)]
    details: ScoreDetails,
}

/// Only with `explain`.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct ScoreDetails {
    /// The author.
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<Via>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<wire::Explanation>,
}

/// A memory of the same session, before it with a negative offset.
#[derive(Debug, Serialize, JsonSchema)]
struct Neighbour {
    offset: i32,
    id: Uuid,
    content: String,
    #[serde(serialize_with = "text::serialize_seconds")]
    created_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace_name: Option<String>,
}

impl FoundMemories {
    /// A page of a search as `reader`.
    pub(in crate::mcp) fn new(page: Listing<wire::Memory>, reader: Uuid) -> Self {
        let understood = page.items.iter().filter_map(|memory| memory.understood.clone()).flatten().collect();
        let memories = page.items.into_iter().map(|memory| FoundMemory::new(memory, reader)).collect();
        Self { understood, memories, next: page.next }
    }
}

impl FoundMemory {
    fn new(memory: wire::Memory, reader: Uuid) -> Self {
        let is_other = memory.workspace_id != reader;
        let details = match memory.explanation {
            Some(explanation) => {
                let (workspace_id, via) = (Some(memory.workspace_id), Some(memory.via));
                ScoreDetails { workspace_id, via, score: memory.score, explanation: Some(explanation) }
            }
            None => ScoreDetails::default(),
        };
        Self {
            id: memory.id,
            scope: memory.scope,
            title: memory.title,
            content: memory.content,
            created_at: memory.created_at,
            workspace_name: is_other.then_some(memory.workspace_name),
            team: memory.team,
            namespace: Some(memory.namespace).filter(|namespace| namespace != NAMESPACE),
            kind: Some(memory.kind).filter(|kind| kind != KIND),
            source: Some(memory.source).filter(|source| *source != wire::Source::Agent),
            role: Some(memory.role).filter(|role| *role != wire::Role::Agent),
            confidence: Some(memory.confidence).filter(|confidence| (confidence - CONFIDENCE).abs() > f64::EPSILON),
            tags: memory.tags,
            claims: memory.claims,
            metadata: memory.metadata.filter(|metadata| !metadata.is_empty()),
            subject: memory.subject,
            session_id: memory.session_id,
            granted_by: memory.granted_by,
            tier: Some(memory.tier).filter(|tier| *tier != wire::MemoryTier::Tenant),
            run_id: memory.run_id,
            profile_id: memory.profile_id,
            pin: memory.pin,
            version: Some(memory.version).filter(|version| *version != 1),
            updated_at: Some(memory.updated_at).filter(|at| *at != memory.created_at),
            expires_at: memory.expires_at,
            supersedes: memory.supersedes,
            similarity_score: memory.similarity_score.map(|score| (score * 1e3).round() / 1e3),
            outdated_by: memory.outdated_by,
            neighbours: memory
                .neighbours
                .map(|near| near.into_iter().map(|near| Neighbour::new(near, reader)).collect()),
            details,
        }
    }

    fn line(&self) -> String {
        let is_framed = is_framed(&self.content, self.id);
        let head = match is_framed {
            true => Head::default(),
            false => Head::default().word(&self.id.to_string()).word(self.scope.as_str()),
        };
        let head = head.word(&text::date(&self.created_at));
        let head = if is_framed { head } else { head.field("from", self.workspace_name.as_deref()) };
        let tags = (!self.tags.is_empty()).then(|| self.tags.join(","));
        let head = head
            .field("namespace", self.namespace.as_deref())
            .field("kind", self.kind.as_deref())
            .field("confidence", self.confidence)
            .field("tags", tags)
            .field("subject", self.subject.as_deref())
            .field("session_id", self.session_id.as_deref())
            .field("granted_by", self.granted_by)
            .field("version", self.version)
            .field("expires_at", self.expires_at.as_ref().map(text::seconds))
            .field("outdated_by", self.outdated_by)
            .field("claims", claims_text(self.claims.as_deref()));
        let head = if self.pin { head.word("pinned") } else { head };
        let line = if is_framed { head.framed(&self.content) } else { head.content(&self.content) };
        let near = self.neighbours.iter().flatten().map(Neighbour::line);
        std::iter::once(line).chain(near).collect::<Vec<_>>().join("\n")
    }
}

/// The claims that do not agree with the records, and what the records say.
pub(super) fn claims_text(claims: Option<&[wire::CheckedClaim]>) -> Option<String> {
    let differing = claims?.iter().filter_map(|claim| {
        let (entity, field) = (&claim.entity, &claim.field);
        match (claim.status, &claim.record) {
            (wire::ClaimStatus::Agrees, _) => None,
            (wire::ClaimStatus::Stale, Some(record)) => {
                let unit = record.unit.as_deref().unwrap_or_default();
                Some(
                    format!("STALE, the record of {entity} says {field}={} {unit}", record.value).trim_end().to_owned(),
                )
            }
            _ => Some(format!("unverified {entity} {field}")),
        }
    });
    let texts: Vec<String> = differing.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

impl Neighbour {
    fn new(near: wire::Neighbour, reader: Uuid) -> Self {
        let is_other = near.workspace_id != reader;
        Self {
            offset: near.offset,
            id: near.id,
            content: near.content,
            created_at: near.created_at,
            workspace_name: is_other.then_some(near.workspace_name),
        }
    }

    fn line(&self) -> String {
        let head = Head::default().word(&format!("  {:+}", self.offset));
        match is_framed(&self.content, self.id) {
            true => head.framed(&self.content),
            false => {
                let head = head.word(&self.id.to_string()).field("from", self.workspace_name.as_deref());
                head.content(&self.content)
            }
        }
    }
}

/// Whether the content is quoted in a frame with the id, the scope and the author. Stored text cannot imitate a frame.
fn is_framed(content: &str, id: Uuid) -> bool {
    content.strip_prefix("[MEMORY id=").is_some_and(|rest| rest.starts_with(&id.to_string()))
}

impl ToolResult for FoundMemories {
    fn text(&self) -> String {
        let understood = self.understood.iter().map(|(word, meant)| format!("{word} as {meant}"));
        let understood = understood.collect::<Vec<_>>().join("; ");
        let head = (!understood.is_empty()).then(|| Head::default().word("understood").word(&understood).end());
        let lines = head.into_iter().chain(self.memories.iter().map(FoundMemory::line));
        text::list(lines, "no memories match", self.next.as_deref())
    }
}

/// A committed or edited memory. Members with their default value are absent.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct Committed {
    id: Uuid,
    scope: Scope,
    namespace: String,
    version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::serialize_optional_seconds")]
    expires_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<Uuid>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redactions: Vec<wire::Redaction>,
}

impl From<wire::CommittedMemory> for Committed {
    fn from(memory: wire::CommittedMemory) -> Self {
        Self {
            id: memory.id,
            scope: memory.scope,
            namespace: memory.namespace,
            version: memory.version,
            kind: Some(memory.kind).filter(|kind| kind != KIND),
            team: memory.team,
            expires_at: memory.expires_at,
            run_id: memory.run_id,
            pending: memory.pending,
            redactions: memory.redactions,
        }
    }
}

impl ToolResult for Committed {
    fn text(&self) -> String {
        let head = Head::default().word(&self.id.to_string()).word(self.scope.as_str());
        let head = head.field("version", Some(self.version).filter(|version| *version > 1));
        let head = if self.pending { head.word("pending until the run completes") } else { head.word("committed") };
        head.end() + &replaced(&self.redactions)
    }
}

/// Which credentials were replaced.
pub(super) fn replaced(redactions: &[wire::Redaction]) -> String {
    let each = redactions.iter().map(|redaction| {
        let wire::Redaction { field, kind, count } = redaction;
        format!("{count} {kind} in {field}")
    });
    match redactions {
        [] => String::new(),
        _ => format!("; replaced credentials: {}", each.collect::<Vec<_>>().join(", ")),
    }
}

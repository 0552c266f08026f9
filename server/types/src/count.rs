//! Counts of memories.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{ListMemories, MemoryTier, Mode, ReadSessions, Source};

/// `GET …/memories/count`: query, mode and filters as in a search.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct CountMemories {
    /// Only this scope; all readable memories if absent.
    pub scope: Option<Scope>,
    /// Query; without it every readable memory counts.
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
    /// Only this tier.
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
    /// Count repetitions of one content as one.
    pub collapse: Option<bool>,
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
            sessions: count.sessions,
            tier: count.tier,
            run_id: count.run_id,
            profile_id: count.profile_id,
            since: count.since,
            until: count.until,
            min_confidence: count.min_confidence,
            pinned: count.pinned,
            metadata: count.metadata,
            ids: count.ids,
            collapse: count.collapse,
            ..Self::default()
        }
    }
}

/// Response to a count.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct MemoryCount {
    /// Number of readable memories that match.
    pub count: usize,
}

//! What the tools are told: documented structs, from which the input schemas are made. Models write `null` for what they
//! leave out, so whatever is optional takes it.

use orgmem_hierarchy::Scope;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

/// Commit one memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommitMemory {
    /// What to remember: one fact, decision or observation that makes sense on its own.
    pub content: String,
    /// LOCAL, also when not given: you alone. TEAM: your parent, children and siblings. GLOBAL: everyone in the
    /// organisation; only the root may write it.
    pub scope: Option<Scope>,
    /// A label to file it by, at most 50 characters; `general` when not given.
    pub namespace: Option<String>,
    /// `fact` when not given, `summary`, `checkpoint`, or another lower-case word.
    pub kind: Option<String>,
    /// How sure you are, 0 to 1; 0.5 when not given.
    pub confidence: Option<f64>,
    /// At most 32.
    pub tags: Option<Vec<String>>,
    /// The gated run it belongs to.
    pub run_id: Option<Uuid>,
}

/// Search what you can read.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchMemory {
    /// A question or some words; any of them may match, more is better. Without it the newest, pinned before.
    pub query: Option<String>,
    /// One scope; without it everything you can read.
    pub scope: Option<Scope>,
    /// Filed under any of these labels.
    pub namespaces: Option<Vec<String>>,
    /// Of any of these kinds.
    pub kinds: Option<Vec<String>>,
    /// At most this many; 10 when not given, at most 50.
    pub limit: Option<u64>,
    /// Each brings so many along that were committed before it in its session, and as many after; none when not given, at
    /// most 5.
    pub neighbours: Option<u8>,
}

/// Delete one memory of your own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteMemory {
    /// Its id, as `commit_memory` or `search_memory` told it.
    pub memory_id: Uuid,
    /// Delete it only if it is filed under this label.
    pub namespace: Option<String>,
}

/// Look at what just happened.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionSearch {
    /// Words, prefixes or parts of words, all of which must be there; everything when not given.
    pub q: Option<String>,
    /// At most this many; 20 when not given, at most 200.
    pub limit: Option<u64>,
}

/// Put one key.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemorySet {
    /// 1 to 256 bytes, such as `task/current`.
    pub key: String,
    /// Any JSON up to 256 KiB.
    pub value: serde_json::Value,
    /// Seconds until it is absent; without it an earlier end is cleared.
    pub ttl_seconds: Option<i64>,
    /// Write on this version alone; 0 means "must not exist".
    pub if_match_version: Option<i64>,
}

/// Read or drop one key.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryKey {
    /// The key.
    pub key: String,
}

/// List keys.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryList {
    /// Keys that begin with this.
    pub prefix: Option<String>,
    /// At most this many; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// Where to go on, from `next` of the answer before.
    pub cursor: Option<String>,
}

//! The arguments of the tools. Input schemas, with descriptions for the model, are generated from these structs. Models
//! often send `null` for absent arguments, so every optional argument accepts it.

use orgmem_hierarchy::Scope;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

/// Commit one memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommitMemory {
    /// The memory: one fact, decision or observation that is understandable without context.
    pub content: String,
    /// Who can read it. LOCAL (default): only you. TEAM: your parent, children and siblings. GLOBAL: everyone in the
    /// organisation; only the root workspace may write it.
    pub scope: Option<Scope>,
    /// A label for grouping memories, at most 50 characters. Default: `general`.
    pub namespace: Option<String>,
    /// `fact` (default), `summary`, `checkpoint`, or another lower-case word.
    pub kind: Option<String>,
    /// Your confidence in it, 0 to 1. Default: 0.5.
    pub confidence: Option<f64>,
    /// At most 32 tags.
    pub tags: Option<Vec<String>>,
    /// The open run that it belongs to; it is pending until the run completes.
    pub run_id: Option<Uuid>,
    /// `true`: commit it at once where `run_id` names no open run.
    pub ungated: Option<bool>,
}

/// Search the memories that you can read.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchMemory {
    /// A question or words. Memories match with any of the words and rank higher with more. Without a query: the newest
    /// memories, pinned ones first.
    pub query: Option<String>,
    /// Only this scope. Default: all scopes.
    pub scope: Option<Scope>,
    /// Only memories with one of these labels.
    pub namespaces: Option<Vec<String>>,
    /// Only memories of one of these kinds.
    pub kinds: Option<Vec<String>>,
    /// Maximum number of results. Default: 10, at most 50.
    pub limit: Option<u64>,
    /// For each result, also return this many memories committed before it in the same session, and as many after it.
    /// Default: 0, at most 5.
    pub neighbours: Option<u8>,
}

/// Delete one memory of your own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteMemory {
    /// Its id, from `commit_memory` or `search_memory`.
    pub memory_id: Uuid,
    /// Delete it only if it has this label.
    pub namespace: Option<String>,
}

/// Search your recent activity.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionSearch {
    /// Words or parts of words, which must all occur. Default: everything.
    pub q: Option<String>,
    /// Maximum number of results. Default: 20, at most 200.
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
    /// Seconds until the key expires. Without it, the key does not expire.
    pub ttl_seconds: Option<i64>,
    /// Write only if the key has this version; 0 means "must not exist".
    pub if_match_version: Option<i64>,
    /// Id of the end user that it is about.
    pub subject: Option<String>,
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
    /// Only keys with this prefix.
    pub prefix: Option<String>,
    /// Maximum number of keys. Default: 50, at most 200.
    pub limit: Option<u64>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
}

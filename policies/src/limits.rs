//! Limits and their defaults. Source: docs/spec/memories.md, docs/spec/runs.md, docs/spec/profiles.md.

/// Pinned live memories per author.
pub const MAX_PINS: i64 = 20;

/// Pending memories per run.
pub const MAX_PENDING_PER_RUN: i64 = 1000;

/// Profiles per workspace.
pub const MAX_PROFILES: usize = 50;

/// Skills of a workspace, withdrawn ones included.
pub const MAX_SKILLS: usize = 200;

/// Collections of rows per workspace.
pub const MAX_COLLECTIONS: i64 = 100;

/// Processors per workspace.
pub const MAX_PROCESSORS: i64 = 50;

/// Grants of a workspace that have not expired.
pub const MAX_GRANTS: i64 = 10_000;

/// The limits that a deployment may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftLimits {
    /// Bytes of a memory's content.
    pub content_bytes: usize,
    /// Bytes of an entry's value as JSON.
    pub value_bytes: usize,
}

impl Default for DraftLimits {
    fn default() -> Self {
        Self { content_bytes: 64 * 1024, value_bytes: 256 * 1024 }
    }
}

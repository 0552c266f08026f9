//! Sample responses for tests.

use chrono::{DateTime, Utc};
use orgmem_types::{MemoryCounts, PathStep, Workspace, WorkspaceStatus};
use uuid::Uuid;

/// 2026-11-20 08:00 UTC.
pub(crate) fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_161_600, 0).expect("a time")
}

/// A workspace with `number` as its id. The last part of `path` is its name.
pub(crate) fn workspace(number: u128, path: &[&str]) -> Workspace {
    let (name, ancestors) = path.split_last().expect("a name");
    let step = |name: &&str| PathStep { id: Uuid::nil(), name: (*name).to_owned() };
    Workspace {
        id: Uuid::from_u128(number),
        name: (*name).to_owned(),
        parent_id: (!ancestors.is_empty()).then(Uuid::nil),
        org_id: Uuid::nil(),
        role: None,
        metadata: None,
        status: WorkspaceStatus::Live,
        path: ancestors.iter().map(step).collect(),
        child_count: 0,
        descendant_count: 0,
        memories: MemoryCounts::default(),
        last_write_at: None,
        budget: None,
        created_at: now(),
        updated_at: now(),
        redactions: Vec::new(),
    }
}

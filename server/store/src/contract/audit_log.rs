//! The access log: reading it, and its chain.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::Role;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::{ChainFault, RowHash, Seal};
use uuid::Uuid;

use super::{Actor, AuditRecord};

/// A row of the access log.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessRow {
    /// Its number: rows of an org are counted in the order of their commits, without a gap.
    pub seq: i64,
    /// When it was done.
    pub at: DateTime<Utc>,
    /// What was done.
    pub action: AuditAction,
    /// Who did it: the subject of the token.
    pub subject: String,
    /// In which role.
    pub role: Role,
    /// With which token; none for what the server did itself.
    pub token: Option<Uuid>,
    /// As which workspace, or to which; nil for the server as a whole.
    pub workspace: WorkspaceId,
    /// In which run.
    pub run: Option<Uuid>,
    /// SHA-256 of the content that it was about.
    pub content_hash: Option<Vec<u8>>,
    /// Which memories, in which versions.
    pub memories: Vec<(Uuid, i64)>,
    /// What else there is to know: a JSON object.
    pub context: String,
    /// Whether it is part of the chain.
    pub sealed: bool,
}

/// Which rows are asked for; all of these hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessFilter {
    /// About this memory.
    pub memory: Option<Uuid>,
    /// In this run.
    pub run: Option<Uuid>,
    /// By this subject.
    pub subject: Option<String>,
    /// This was done.
    pub action: Option<AuditAction>,
    /// At this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this instant.
    pub until: Option<DateTime<Utc>>,
}

/// Rows, newest first, and where to go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccessPage {
    /// The rows; they may be few, or none, though there are more.
    pub rows: Vec<AccessRow>,
    /// What is before this number was not looked at yet; none at the end.
    pub next: Option<i64>,
}

/// Who got what some memories say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryReads {
    /// How often each was read, by which workspace and in which run.
    pub counts: BTreeMap<(Uuid, WorkspaceId, Option<Uuid>), u64>,
    /// Whether older rows were not looked at.
    pub partial: bool,
}

/// Rows that wait to be sealed: the next stretch of the chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsealed {
    /// The seal to go on from; none for a chain that begins.
    pub after: Option<Seal>,
    /// Numbers and hashes of the rows.
    pub rows: Vec<(i64, RowHash)>,
    /// What is kept of the memories that they name.
    pub named: Vec<u8>,
    /// The workspaces whose rows are among them.
    pub workspaces: BTreeSet<Uuid>,
    /// The tokens issued here that they tell of, and when each was last used.
    pub used: Vec<(Uuid, DateTime<Utc>)>,
}

/// A stretch of the chain, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPart {
    /// How many rows are as they were sealed.
    pub sealed: usize,
    /// How many rows wait for their seal; where they do they follow the sealed ones without a gap.
    pub unsealed: usize,
    /// The last row that was looked at.
    pub last: i64,
    /// The seal to go on from; none once all was looked at.
    pub more: Option<Seal>,
    /// What is not as it was.
    pub fault: Option<ChainFault>,
}

/// What was read: a deed that is told after it was done.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingAuditEntry {
    /// On whose behalf.
    pub actor: Actor,
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub record: AuditRecord,
}

impl PendingAuditEntry {
    /// Whether it tells of reads that are lost.
    #[must_use]
    pub fn is_gap(&self) -> bool {
        self.record.action == AuditAction::LoseReads
    }

    /// The workspace in whose activity it leaves an episode.
    #[must_use]
    pub fn episode_workspace(&self) -> Option<WorkspaceId> {
        self.record.episode.is_some().then_some(self.record.workspace)
    }
}

//! Reads of the audit log, and its hash chain.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::Role;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::{ChainFault, RowHash, Seal};
use uuid::Uuid;

use super::{Actor, AuditRecord};

/// A row of the audit log.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessRow {
    /// Number in the log of the org, in the order of commits and without gaps.
    pub seq: i64,
    /// Time of the operation.
    pub at: DateTime<Utc>,
    /// Kind of the operation.
    pub action: AuditAction,
    /// Subject of the caller's token.
    pub subject: String,
    /// Role of the caller.
    pub role: Role,
    /// Id of the caller's token; none for the server's own operations.
    pub token: Option<Uuid>,
    /// The workspace that acted or was acted on; nil for the server as a whole.
    pub workspace: WorkspaceId,
    /// Run of the written memory, or the run named by the request.
    pub run: Option<Uuid>,
    /// SHA-256 of the content written or removed.
    pub content_hash: Option<Vec<u8>>,
    /// Ids and versions of the memories.
    pub memories: Vec<(Uuid, i64)>,
    /// Further facts: a JSON object as text.
    pub context: String,
    /// Whether the row is part of the chain yet.
    pub sealed: bool,
}

/// Conditions on rows; all of them must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessFilter {
    /// Rows about this memory.
    pub memory: Option<Uuid>,
    /// Rows of this run.
    pub run: Option<Uuid>,
    /// Rows of this subject.
    pub subject: Option<String>,
    /// Rows of people, or rows of agents.
    pub by_people: Option<bool>,
    /// Rows of this action.
    pub action: Option<AuditAction>,
    /// Inclusive start of the period.
    pub since: Option<DateTime<Utc>>,
    /// Exclusive end of the period.
    pub until: Option<DateTime<Utc>>,
}

/// A page of rows, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccessPage {
    /// The rows. A page may have few or no rows although more follow.
    pub rows: Vec<AccessRow>,
    /// Rows below this number were not searched yet; none at the end of the log.
    pub next: Option<i64>,
}

/// The readers of some memories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryReads {
    /// Number of reads by memory, workspace and run.
    pub counts: BTreeMap<(Uuid, WorkspaceId, Option<Uuid>), ReadsByRole>,
    /// Whether older rows were not searched.
    pub partial: bool,
}

/// Numbers of reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadsByRole {
    /// By role `agent`.
    pub agents: u64,
    /// By every other role.
    pub people: u64,
}

impl ReadsByRole {
    pub(crate) fn count(&mut self, role: Role) {
        match role.is_person() {
            true => self.people += 1,
            false => self.agents += 1,
        }
    }
}

impl AddAssign for ReadsByRole {
    fn add_assign(&mut self, other: Self) {
        self.agents += other.agents;
        self.people += other.people;
    }
}

/// Rows to be sealed: the next range of the chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsealed {
    /// The last seal; none if the chain has no seal yet.
    pub after: Option<Seal>,
    /// Numbers and hashes of the rows.
    pub rows: Vec<(i64, RowHash)>,
    /// The last 8 bytes of the ids of the memories in the rows, sorted and distinct.
    pub named: Vec<u8>,
    /// The workspaces of the rows.
    pub workspaces: BTreeSet<Uuid>,
    /// The tokens in the rows that were issued here, each with its last use.
    pub used: Vec<(Uuid, DateTime<Utc>)>,
}

/// A sealed range with old rows of reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRange {
    /// The seal of the range.
    pub seal: Seal,
    /// Numbers and hashes of its rows.
    pub rows: Vec<(i64, RowHash)>,
    /// The numbers of the rows of reads.
    pub reads: Vec<i64>,
}

/// The reads that delete old rows of reads.
pub(crate) mod old_reads {
    use chrono::{DateTime, Utc};
    use orgmem_hierarchy::OrgId;

    use super::SealedRange;
    use crate::StoreError;

    transaction! {
        forward_old_reads

        /// The sealed ranges with old rows of reads.
        pub trait OldReads {
            /// The orgs with a sealed row.
            ///
            /// # Errors
            /// [`StoreError`], as for every call of a transaction.
            fn orgs_with_seals(&mut self) -> Result<Vec<OrgId>, StoreError>;

            /// The next ranges after the row `after` that were sealed before `before` and not looked through yet.
            fn old_reads(
                &mut self,
                org: OrgId,
                before: DateTime<Utc>,
                after: i64,
            ) -> Result<Vec<SealedRange>, StoreError>;
        }
    }
}

/// The result of the verification of a part of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPart {
    /// Number of rows that match their seals.
    pub sealed: usize,
    /// Number of rows without a seal. They follow the sealed rows without a gap.
    pub unsealed: usize,
    /// Number of the last verified row.
    pub last: i64,
    /// The seal to continue after; none at the end of the chain.
    pub more: Option<Seal>,
    /// The first fault.
    pub fault: Option<ChainFault>,
}

/// An operation that is recorded after the fact, usually a read.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingAuditEntry {
    /// The caller, or the server itself.
    pub actor: Actor,
    /// Time of the operation.
    pub at: DateTime<Utc>,
    /// The record without actor and time.
    pub record: AuditRecord,
}

impl PendingAuditEntry {
    /// Whether the entry records lost reads.
    #[must_use]
    pub fn is_gap(&self) -> bool {
        self.record.action == AuditAction::LoseReads
    }

    /// The workspace whose activity log gets an episode; none without an episode.
    #[must_use]
    pub fn episode_workspace(&self) -> Option<WorkspaceId> {
        self.record.episode.is_some().then_some(self.record.workspace)
    }
}

//! The two kinds of transaction.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::TokenStatus;
use uuid::Uuid;

use super::{
    ReadAnswers, ReadAuditLog, ReadDue, ReadEmbeddings, ReadEntries, ReadEpisodes, ReadEvents, ReadListing,
    ReadMemories, ReadProfiles, ReadRedactions, ReadRuns, ReadSession, ReadTokens, ReadVersions, ReadWorkspaces,
    TreeRef, WriteAnswers, WriteAudit, WriteAuditLog, WriteDue, WriteEmbeddings, WriteEntries, WriteEpisodes,
    WriteEvents, WriteMemories, WriteProfiles, WriteRedactions, WriteRuns, WriteTokens, WriteVersions, WriteWorkspaces,
};
use crate::StoreError;

/// What a read will cost, said beforehand: it decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPlan {
    /// What is mostly kept in memory. Where that is so, and no other server may have changed it, the database is not
    /// asked; else like `PointLookup`.
    Cached,
    /// A few rows by their keys. On SQLite it costs less than changing threads, and runs where it is called.
    PointLookup,
    /// That shows on looking: mostly little, and then like `PointLookup`; where it is much, it begins anew like `Scan`.
    Adaptive,
    /// Anything else.
    Scan,
}

/// One snapshot of the store. All that is read through it is of the same instant.
pub trait ReadTx:
    ReadWorkspaces
    + ReadListing
    + ReadMemories
    + ReadVersions
    + ReadRedactions
    + ReadRuns
    + ReadProfiles
    + ReadEntries
    + ReadEpisodes
    + ReadSession
    + ReadTokens
    + ReadAnswers
    + ReadDue
    + ReadEmbeddings
    + ReadAuditLog
    + ReadEvents
{
    /// The time of this transaction, whole microseconds; what expires by then is absent.
    fn now(&self) -> DateTime<Utc>;

    /// The org of a workspace, live or removed; none where there never was such a workspace.
    ///
    /// # Errors
    /// [`StoreError`]; so for every call of a transaction.
    fn org_of(&mut self, workspace: WorkspaceId) -> Result<Option<OrgId>, StoreError>;

    /// The tree of `org` at this snapshot; an empty one where there is no such org.
    ///
    /// # Complexity
    /// One row by its key, unless the tree changed since it was last asked for or is not in memory.
    fn tree(&mut self, org: OrgId) -> Result<TreeRef<'_>, StoreError>;

    /// How the token `jti`, bound to `workspace`, stands at this snapshot.
    ///
    /// # Complexity
    /// As for [`ReadTx::tree`].
    fn token_status(&mut self, workspace: Option<WorkspaceId>, jti: Uuid) -> Result<TokenStatus, StoreError>;
}

/// One change of the store. It shares its commit with its neighbours, and neither harms the other: when the job that it
/// was handed to fails, what it wrote is undone.
pub trait WriteTx:
    ReadTx
    + WriteWorkspaces
    + WriteMemories
    + WriteVersions
    + WriteRedactions
    + WriteRuns
    + WriteProfiles
    + WriteEntries
    + WriteEpisodes
    + WriteTokens
    + WriteAnswers
    + WriteAuditLog
    + WriteEvents
    + WriteAudit
    + WriteDue
    + WriteEmbeddings
{
    /// A new id, UUID v7; ids sort as they were made.
    fn new_id(&mut self) -> Uuid;
}

//! What a store promises: the calls of a transaction and the rows they give, the same for both databases.

mod audit_log;
mod audit_record;
mod embeddings;
mod entries;
mod episodes;
mod events;
mod idempotency;
mod listing;
mod memories;
mod profiles;
mod redaction;
mod runs;
mod session;
mod sweep;
mod tokens;
mod tree_ref;
mod tx;
mod versions;
mod workspaces;

pub use audit_log::{
    AccessFilter, AccessPage, AccessRow, CheckedPart, MemoryReads, PendingAuditEntry, ReadAuditLog, Unsealed,
    WriteAuditLog,
};
pub(crate) use audit_record::AuditEpisode;
pub use audit_record::{Actor, AuditRecord, WriteAudit, key_hash};
pub use embeddings::{Behind, Embedded, EmbeddingModel, ReadEmbeddings, Unembedded, WaitingText, WriteEmbeddings};
pub use entries::{Entry, ReadEntries, VersionConflict, WriteEntries};
pub use episodes::{Episode, EpisodeFilter, EpisodePlace, ReadEpisodes, WriteEpisodes};
pub use events::{Event, EventPage, ReadEvents, WriteEvents};
pub use idempotency::{ReadAnswers, Remembered, WriteAnswers};
pub use listing::{OrgSummary, ReadListing, Stats, WorkspaceFilter, WorkspacePlace};
pub use memories::{
    Committed, Explanation, ForgetOutcome, Found, FoundMemory, InProfile, Memory, MemoryCounts, MemoryLocation,
    MemoryState, NearMemory, PartitionCount, Ranked, ReadMemories, ReadyMemory, Search, Status, WriteMemories,
};
pub use profiles::{Excess, MAX_PROFILES, Profile, ProfileTotals, ReadProfiles, WriteProfiles};
pub use redaction::{Erased, ErasedCounts, Erasure, ReadRedactions, Redacted, RedactionRecord, WriteRedactions};
pub use runs::{MAX_PENDING_PER_RUN, PendingMemory, PendingMemoryRef, ReadRuns, Run, RunFilter, WriteRuns};
pub use session::{ReadSession, SessionKind, SessionOrder, SessionPlace, SessionQuery, SessionRow};
pub use sweep::{Due, ReadDue, WriteDue};
pub use tokens::{KnownToken, ReadTokens, SERVER, TokenRecord, WriteTokens};
pub use tree_ref::TreeRef;
pub(crate) use tree_ref::TreeSource;
pub use tx::{ReadPlan, ReadTx, WriteTx};
pub(crate) use versions::Analysed;
pub use versions::{EditOutcome, Edited, History, MemoryVersion, ReadVersions, ReadyEdit, WriteVersions};
pub use workspaces::{ReadWorkspaces, Workspace, WriteWorkspaces};

//! What a store promises: the calls of a transaction and the rows they give, the same for both databases.

mod access;
mod deeds;
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

pub use access::{
    AccessFilter, AccessPage, AccessRow, CheckedPart, MemoryReads, ReadAccess, Told, Unsealed, WriteAccess,
};
pub(crate) use deeds::Noted;
pub use deeds::{By, Deed, WriteDeeds, key_hash};
pub use embeddings::{Behind, Embedded, EmbeddingModel, ReadEmbeddings, Unembedded, WaitingText, WriteEmbeddings};
pub use entries::{Entry, ReadEntries, VersionConflict, WriteEntries};
pub use episodes::{Episode, EpisodeFilter, EpisodePlace, ReadEpisodes, WriteEpisodes};
pub use events::{Event, EventPage, ReadEvents, WriteEvents};
pub use idempotency::{ReadAnswers, Remembered, WriteAnswers};
pub use listing::{OrgSummary, ReadListing, Stats, WorkspaceFilter, WorkspacePlace};
pub use memories::{
    Committed, Explanation, ForgetOutcome, Found, FoundMemory, InProfile, Memory, MemoryCounts, MemoryPlace,
    MemoryState, NearMemory, Ranked, ReadMemories, ReadyMemory, Search, ShelfCount, Status, WriteMemories,
};
pub use profiles::{Excess, MAX_PROFILES, Profile, ProfileTotals, ReadProfiles, WriteProfiles};
pub use redaction::{Erased, ErasedCounts, Erasure, ReadRedactions, Redacted, Redaction, WriteRedactions};
pub use runs::{HeldMemory, HeldPlace, MAX_HELD, ReadRuns, Run, RunFilter, WriteRuns};
pub use session::{ReadSession, SessionKind, SessionOrder, SessionPlace, SessionQuery, SessionRow};
pub use sweep::{Due, ReadDue, WriteDue};
pub use tokens::{KeptToken, KnownToken, ReadTokens, SERVER, WriteTokens};
pub(crate) use tree_ref::Held;
pub use tree_ref::TreeRef;
pub use tx::{Cost, ReadTx, WriteTx};
pub(crate) use versions::Analysed;
pub use versions::{EditOutcome, Edited, History, MemoryVersion, ReadVersions, ReadyEdit, WriteVersions};
pub use workspaces::{ReadWorkspaces, Workspace, WriteWorkspaces};

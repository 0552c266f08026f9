//! The contract of a store: [`ReadTx`], [`WriteTx`] and the values that they exchange, the same for both databases.
//!
//! The calls are in `read.rs` and `write.rs`. Both databases implement them by methods of the same name in
//! `tx/queries/`, with one file for each area.

/// Defines a trait and, for the transaction of each database, a macro that forwards each call to the method of the same
/// name.
macro_rules! transaction {
    (
        $forward:ident
        $(#[$meta:meta])*
        pub trait $name:ident $(: $base:ident $(+ $other:ident)*)? {
            $($(#[$method_meta:meta])* fn $method:ident(&mut self $(, $arg:ident: $type:ty)* $(,)?) $(-> $output:ty)?;)*
        }
    ) => {
        $(#[$meta])*
        pub trait $name $(: $base $(+ $other)*)? {
            $($(#[$method_meta])* fn $method(&mut self $(, $arg: $type)*) $(-> $output)?;)*
        }

        macro_rules! $forward {
            ($tx:ty) => {
                impl $name for $tx {
                    $(fn $method(&mut self $(, $arg: $type)*) $(-> $output)? {
                        <$tx>::$method(self $(, $arg)*)
                    })*
                }
            };
        }
        pub(crate) use $forward;
    };
}

mod audit_log;
mod audit_record;
mod budgets;
mod documents;
mod embeddings;
mod entries;
mod episodes;
mod events;
mod export_reads;
mod grants;
mod idempotency;
mod listing;
mod lookup;
mod memories;
mod metadata;
mod pages;
mod plugin;
mod processors;
mod profiles;
mod providers;
mod read;
mod read_pages;
mod read_plan;
mod records;
mod redaction;
mod removals;
mod reviews;
mod rows;
mod runs;
mod segments;
mod session;
mod session_end;
mod skills;
mod sweep;
mod texts;
mod tokens;
mod tree_ref;
mod turns;
mod versions;
mod workspaces;
mod write;

pub(crate) use audit_log::old_reads::forward_old_reads;
pub use audit_log::{
    AccessFilter, AccessPage, AccessRow, CheckedPart, MemoryReads, PendingAuditEntry, ReadsByRole, SealedRange,
    Unsealed, old_reads::OldReads,
};
pub(crate) use audit_record::AuditEpisode;
pub use audit_record::{Actor, AuditRecord, key_hash};
pub(crate) use budgets::forward_budget_reads;
pub use budgets::{BudgetReads, Budgets, MovedSize};
pub use documents::{
    DocumentCursor, DocumentFilter, DocumentPart, DocumentReads, DocumentWrites, PassageRef, ReadyDocument,
    StoredDocument, StoredPassage, WrittenDocument,
};
pub(crate) use documents::{ReadyPassage, forward_document_reads, forward_document_writes};
pub use embeddings::{Embedded, EmbeddingBacklog, EmbeddingModel, Unembedded, WaitingText};
pub use entries::{Entry, VersionConflict};
pub use episodes::{Episode, EpisodeCursor, EpisodeFilter, RedactedEpisode};
pub use events::{Event, EventPage};
pub use export_reads::ExportReads;
pub(crate) use export_reads::forward_export_reads;
pub use grants::{GrantReads, GrantWrites, StoredGrant};
pub(crate) use grants::{forward_grant_reads, forward_grant_writes};
pub use idempotency::Remembered;
pub use listing::{OrgDay, OrgSummary, Stats, WorkspaceCursor, WorkspaceFilter};
pub use lookup::{Located, LocatedKind};
pub use memories::{
    Committed, Explanation, ForgetOutcome, Found, FoundMemory, ItemType, Memory, MemoryCounts, MemoryLabels, Miss,
    NearMemory, PartitionCount, ProfileFilter, Ranked, ReadyMemory, Search, SearchedItems, Touch,
};
pub(crate) use metadata::forward_metadata_reads;
pub use metadata::{FoundValue, MetadataReads};
pub use orgmem_policies::rules::{Expiry, ExpiryRule, MemoryLocation, MemoryState, MemoryStatus};
pub use pages::{
    PageChange, PageCursor, PageFacts, PageFilter, PagePlacement, PageThreads, PageWork, PageWrite, StoredPage,
    UncorrelatedEpisodes,
};
pub(crate) use plugin::forward_plugin_reads;
pub use plugin::{PluginNamespace, PluginReads};
pub use processors::{
    GroupRow, ProcessorReads, ProcessorRun, ProcessorWrites, RowAssignment, SettledGroup, StoredGroup, StoredProcessor,
};
pub(crate) use processors::{forward_processor_reads, forward_processor_writes};
pub use profiles::{Profile, ProfileTotals, RetentionExcess};
pub use providers::{
    HeldItem, MAX_QUERY_AGE, OutboxDone, OutboxLimits, OutboxRow, OutboxSize, OutboxWork, ProvidedContent,
    ProvidedItem, ProvidedKind, ProvidedQuery, ProvidedSources, ProviderReads, ProviderSurface, ProviderWrites,
    SentBatch, WITHDRAWN_FOR,
};
pub(crate) use providers::{forward_provider_reads, forward_provider_writes};
pub use read::ReadTx;
pub(crate) use read::forward_read_tx;
pub use read_pages::ReadPages;
pub(crate) use read_pages::forward_read_pages;
pub use read_plan::{ReadPlan, Requester};
pub(crate) use records::forward_read_records;
pub use records::{ReadRecords, StoredRecord};
pub use redaction::{
    Erased, ErasedCounts, Erasure, Redacted, RedactionCursor, RedactionPage, RedactionRecord, Tombstone,
};
pub use removals::{ErasedPart, Removal, Removed, Repeated};
pub(crate) use reviews::forward_read_reviews;
pub use reviews::{Difference, ReadReviews, Review, ReviewFilter, ReviewedKind};
pub use rows::{RowReads, RowWrites, StoredCollection, StoredRow, WrittenRows};
pub(crate) use rows::{forward_row_reads, forward_row_writes};
pub use runs::{PendingMemory, PendingMemoryRef, Run, RunFilter};
pub(crate) use segments::{PartitionUpdate, PartitionWork, SegmentState, StoredSegment};
pub use segments::{SegmentUpdate, SegmentWork};
pub use session::{SessionCursor, SessionKind, SessionOrder, SessionQuery, SessionRow};
pub use session_end::{OpenSession, SessionReads, SessionWrites};
pub(crate) use session_end::{forward_session_reads, forward_session_writes};
pub use skills::{
    Approval, OutcomeReport, SkillFilter, SkillReads, SkillWrites, SourceRef, StoredSkill, StoredSkillVersion,
    StoredUse,
};
pub(crate) use skills::{forward_skill_reads, forward_skill_writes};
pub use sweep::Due;
pub(crate) use texts::{NewBlock, TextChange, TextCoverage, WorkspaceTexts, forward_text_reads, forward_text_writes};
pub use texts::{TextReads, TextUpdate, TextWrites};
pub use tokens::{KnownToken, SERVER, TokenRecord};
pub use tree_ref::TreeRef;
pub(crate) use tree_ref::TreeSource;
pub use turns::{AttemptStart, StoredTurn, TurnReads, TurnResult, TurnWrites};
pub(crate) use turns::{forward_turn_reads, forward_turn_writes};
pub(crate) use versions::{Analysed, searchable};
pub use versions::{Edited, History, MemoryVersion, NoEdit, ReadyEdit, VersionChange};
pub use workspaces::Workspace;
pub use write::WriteTx;
pub(crate) use write::forward_write_tx;

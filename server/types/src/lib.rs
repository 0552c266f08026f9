//! Request and response types of REST, MCP and the command line.
//!
//! Times are RFC 3339 in UTC, ids are UUIDs. Requests with unknown fields are refused.
//!
//! Source: `docs/spec/rest.md`.

// a description that only repeats the name of a field helps nobody who reads the OpenAPI document
#![allow(missing_docs)]

mod admin;
mod audit_log;
mod budgets;
mod console;
mod context;
mod count;
mod documents;
mod entries;
mod episodes;
mod erasures;
mod events;
mod grants;
mod json;
mod lookup;
mod memories;
mod memory_import;
mod memory_tool;
mod metadata_values;
mod namespaces;
mod orgs;
mod page;
mod pages;
mod plugin;
mod preview;
mod problem;
mod processors;
mod profiles;
mod providers;
mod reach;
mod records;
mod redactions;
mod registry;
mod removal;
mod reviews;
mod rows;
mod runs;
mod scrub;
mod search;
mod search_orgs;
mod server;
mod session;
mod skills;
mod time;
mod tokens;
mod turns;
mod versions;
mod why;
mod workspaces;

pub use admin::{
    AdminTree, AdminTreeQuery, Attention, AttentionKind, EmbedderStats, OrgDay, OrgSummary, RerankerStats, ServerStats,
};
pub use audit_log::{
    AuditRow, AuditVerification, AuditedMemory, Callers, ListAuditRows, ListMemoryAuditRows, VerifyAuditLog,
};
pub use budgets::{Budget, BudgetLimits, BudgetUsage, WorkspaceBudget};
pub use console::OpenSession;
pub use context::{Context, InjectContext, OmissionCause, OmittedCandidate, ProfileSummary, SummaryMethod};
pub use count::{CountMemories, MemoryCount};
pub use documents::{
    AddDocument, Document, DocumentContent, DocumentPassage, ItemType, ListDocuments, PassagePlace, PatchDocument,
    ReadDocumentContent, RedactedDocument, UploadDocument, WrittenDocument,
};
pub use entries::{Entry, EntryListing, ListEntries, PutEntry, PutEntryResponse, PutStatus};
pub use episodes::{ActivityType, AppendEpisode, Claim, Episode, ListEpisodes, LoggedEpisode, LoggedStatus};
pub use erasures::{Erase, ErasedKind, ListErasures, Receipt};
pub use events::{Event, WatchEvents};
pub use grants::{
    AllSessions, GiveGrant, GivenGrant, Grant, GrantReader, GrantedSessions, ListGrants, ReadMemoryQuery, ReadSessions,
};
pub use json::Json;
pub use lookup::{Located, LocatedKind};
pub use memories::{BatchItem, BatchResponse, CommitBatch, CommitMemory, CommittedMemory, Redaction, Source};
pub use memory_import::{ExportMemories, ExportedMemory, IgnoredField, ImportError, MemoriesImport};
pub use memory_tool::{MemoryToolCommand, MemoryToolResult, MemoryToolVerb};
pub use metadata_values::{
    ListMetadataValues, MetadataValue, TouchMemories, TouchMemory, TouchedMemories, TouchedMemory,
};
pub use namespaces::{
    CommitToNamespace, CommittedToNamespace, ListNamespaceMemories, NamespaceInfo, NamespaceKind, NamespaceMemories,
    NamespaceMemory, Namespaces,
};
pub use orgs::{
    ImportEpisode, ImportMemory, ImportNode, ImportQuery, ImportResponse, ImportTemplate, OrgTemplate, RelativeTeam,
};
pub use page::PageQuery;
pub use pages::{
    CompactPages, CompactQuery, CompactionReport, ExplainPage, FoundPage, ListPages, Page, PageCause, PageConfidence,
    PageExplanation, PageSources, Tier, TierCounts, WorkingPage,
};
pub use plugin::{
    ForgetPluginMemory, PatchPluginNamespace, PluginCapability, PluginError, PluginErrorCode, PluginHealth,
    PluginMemories, PluginMemory, PluginNamespace, PutPluginNamespace, SearchPlugin, WritePluginMemory,
    WrittenPluginMemory,
};
pub use preview::{
    AffectedAuthor, AffectedWorkspace, ChangedProfile, DryRun, PatchedWorkspace, ProfilePreview, RemovedWorkspace,
    TreePreview, UnsharedMemories,
};
pub use problem::{Problem, ProblemCode};
pub use processors::{
    DefineProcessor, FindPatterns, ListProcessorRuns, Pattern, Patterns, PlannedFact, Processor, ProcessorRun, RunCause,
};
pub use profiles::{
    CreateProfile, Injection, Isolation, PatchInjection, PatchProfile, PatchRetention, Profile, Retention, Sharing,
    Strategy,
};
pub use providers::{
    ChangeProvider, ProviderFigures, ProviderList, ProviderOutbox, ProviderReport, ProviderState, ProviderSurface,
    ProviderThresholds,
};
pub use reach::{ReachDirection, ReachQuery, ReachResponse, ReachRow, ReachTotal, RelationResponse, RelationRow};
pub use records::{
    CheckedClaim, ClaimStatus, DeleteRecord, ListRecords, NewRecordValue, PatchRecord, PushRecords, PutRecord, Record,
    RecordField, RecordLine, RecordValue, RecordWriteStatus, WrittenRecord, WrittenRecords,
};
pub use redactions::{
    MemoryReader, ReadMemory, RedactMemories, RedactMemory, RedactedEpisode, RedactedMemory, RedactionEntry,
    RedactionItem, RedactionResponse, Tombstone,
};
pub use registry::{CheckAccess, CheckAccessResponse};
pub use removal::{ChildrenRemoval, RemoveWorkspace, WorkspaceRemoval};
pub use reviews::{
    DecideReview, DecidedReview, ListReviews, Review, ReviewDecision, ReviewRemedy, ReviewStatus, ReviewedKind,
};
pub use rows::{Collection, ListRows, NewRow, PutCollection, RemovedRows, Row, RowFault, WithdrawRows, WrittenRows};
pub use runs::{
    FinishRun, ListRuns, PendingMemory, ReadRun, Run, RunDetail, RunEnding, RunOutput, RunStatus, StagedOutput,
    StartRun,
};
pub use scrub::{ScrubCount, ScrubQuery, ScrubResponse};
pub use search::{Collapsed, ListMemories, Memory, MemoryTier, Mode, Neighbour, Order, SearchedItems};
pub use search_orgs::{OrgMatches, SearchOrgs};
pub use server::{Health, HealthStatus, Version};
pub use session::{EndedSession, SessionHit, SessionHitKind, SessionOrder, SessionSearch};
pub use skills::{
    ApproveSkill, CountedEvidence, DiffSkill, DraftSkill, Evidence, ListSkills, ReadSkill, ReportOutcome,
    ReportedOutcome, Skill, SkillApproval, SkillDetail, SkillDiff, SkillFile, SkillRule, SkillSource, SkillStatus,
    SkillUser, SkillVersion, UseNote, UseOutcome, UsePoint, VersionEvidence,
};
pub use tokens::{IssueToken, IssuedToken, Me, RevocationPreview, RevokedToken, RevokedTokens, Role, TokenInfo};
pub use turns::{AddTurn, Turn, TurnMessage, TurnRole, TurnState};
pub use versions::{ListVersions, MemoryVersion, PatchMemory, RestoreMemory, RestoredMemory};
pub use why::{
    DenialReasons, Explanation, MemoryPermissions, RecallCause, RecallExplanation, RecallQuery, Reranked, ScoreFactor,
    ScorePart,
};
pub use workspaces::{
    CreateWorkspace, ListWorkspaces, MemoryCounts, PatchWorkspace, PathStep, TreeNode, TreeQuery, Workspace,
    WorkspaceStatus,
};

/// Response to a deletion.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema, schemars::JsonSchema)]
pub struct Deleted {
    /// Always `deleted`.
    pub status: DeletedStatus,
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeletedStatus {
    Deleted,
}

impl Deleted {
    #[must_use]
    pub fn done() -> Self {
        Self { status: DeletedStatus::Deleted }
    }
}

/// A JSON object.
pub type Object = serde_json::Map<String, serde_json::Value>;

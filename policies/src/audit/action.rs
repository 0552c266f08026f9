//! Audited actions.

use std::fmt;
use std::str::FromStr;

macro_rules! verbs {
    ($($(#[$doc:meta])* $action:ident = $word:literal,)*) => {
        /// The `action` of a row of the audit log.
        ///
        /// Source: `docs/spec/access-log.md`, "Actions".
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditAction {
            $($(#[$doc])* $action,)*
        }

        impl AuditAction {
            /// All actions.
            pub const ALL: &[Self] = &[$(Self::$action),*];

            /// The name in storage and JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$action => $word,)*
                }
            }
        }
    };
}

verbs! {
    /// A memory was created or replaced.
    CommitMemory = "commit_memory",
    /// A memory was staged in a run.
    HoldMemory = "hold_memory",
    /// A memory was edited.
    EditMemory = "edit_memory",
    /// An earlier version of a memory was restored.
    RestoreMemory = "restore_memory",
    /// The end of life of memories was postponed without a new version.
    TouchMemories = "touch_memories",
    /// A memory was deleted.
    ForgetMemory = "forget_memory",
    /// A memory was redacted.
    RedactMemory = "redact_memory",
    /// Redactions were listed.
    ListRedactions = "list_redactions",
    /// A changed rule file removed credentials from a memory.
    ScrubMemory = "scrub_memory",
    /// The server removed memories by a rule, which the context names.
    ExpireMemories = "expire_memories",
    /// The server removed earlier versions of memories by a rule.
    ExpireVersions = "expire_versions",
    /// One memory was read.
    ReadMemory = "read_memory",
    /// Memories were searched or listed.
    SearchMemories = "search_memories",
    /// The history of a memory was read.
    ReadHistory = "read_history",
    /// A search result was explained.
    ExplainMemory = "explain_memory",
    /// Memories were counted.
    CountMemories = "count_memories",
    /// The values of a member of the metadata of memories were listed.
    ListValues = "list_values",
    /// Memories were injected into a context block.
    InjectMemories = "inject_memories",
    /// Memories were summarized.
    SummarizeMemories = "summarize_memories",
    /// Memories were exported.
    ExportMemories = "export_memories",
    /// An entry was written.
    PutEntry = "put_entry",
    /// An entry was deleted.
    DropEntry = "drop_entry",
    /// The server removed expired entries.
    ExpireEntries = "expire_entries",
    /// One entry was read.
    ReadEntry = "read_entry",
    /// Entries were listed.
    ListEntries = "list_entries",
    /// An episode was appended.
    AppendEpisode = "append_episode",
    /// The content of an episode was redacted.
    RedactEpisode = "redact_episode",
    /// Episodes were listed.
    ListEpisodes = "list_episodes",
    /// Pages were listed or searched.
    ListPages = "list_pages",
    /// One page, its sources or its place in the working set were read.
    ReadPage = "read_page",
    /// The pages of a workspace were compacted on request.
    CompactPages = "compact_pages",
    /// Records were replaced, changed or deleted.
    WriteRecords = "write_records",
    /// Records were read or listed.
    ReadRecords = "read_records",
    /// A document was created or changed.
    WriteDocument = "write_document",
    /// A document was deleted.
    DeleteDocument = "delete_document",
    /// A document was redacted.
    RedactDocument = "redact_document",
    /// The server removed expired documents.
    ExpireDocuments = "expire_documents",
    /// A document or a part of its text was read.
    ReadDocument = "read_document",
    /// Documents were listed.
    ListDocuments = "list_documents",
    /// A collection of rows was created, changed or deleted.
    WriteCollection = "write_collection",
    /// Rows were written, deleted or withdrawn.
    WriteRows = "write_rows",
    /// Collections or rows were read.
    ReadRows = "read_rows",
    /// A processor was defined or deleted.
    ChangeProcessor = "change_processor",
    /// A processor ran, or the server made its facts invalid.
    RunProcessor = "run_processor",
    /// Processors, their runs or the patterns of a change were read.
    ReadProcessors = "read_processors",
    /// Reviews were listed.
    ListReviews = "list_reviews",
    /// A review was decided.
    DecideReview = "decide_review",
    /// A grant was given.
    GiveGrant = "give_grant",
    /// A grant was revoked.
    RevokeGrant = "revoke_grant",
    /// The server removed grants that had expired.
    ExpireGrants = "expire_grants",
    /// Grants were listed.
    ListGrants = "list_grants",
    /// A session search over episodes and memories.
    SearchSession = "search_session",
    /// The evidence of a procedure was read.
    ReadEvidence = "read_evidence",
    /// The outcome of a use of a procedure was reported.
    ReportOutcome = "report_outcome",
    /// Skills were listed.
    ListSkills = "list_skills",
    /// A skill, its package or the difference of two versions was read.
    ReadSkill = "read_skill",
    /// A version of a skill was drafted.
    DraftSkill = "draft_skill",
    /// A version of a skill was approved.
    ApproveSkill = "approve_skill",
    /// A skill was withdrawn, or its evidence fell.
    WithdrawSkill = "withdraw_skill",
    /// The rule of an org was changed.
    ChangeSkillRule = "change_skill_rule",
    /// A workspace was created.
    CreateWorkspace = "create_workspace",
    /// A workspace was renamed, or its role or metadata changed.
    EditWorkspace = "edit_workspace",
    /// A workspace was moved.
    MoveWorkspace = "move_workspace",
    /// A workspace was removed.
    RemoveWorkspace = "remove_workspace",
    /// A workspace was removed and its content erased.
    PurgeWorkspace = "purge_workspace",
    /// The data of an end user or of an org was erased.
    Erase = "erase",
    /// A profile was created, changed or deleted.
    ChangeProfile = "change_profile",
    /// A run was started.
    StartRun = "start_run",
    /// A run ended in any state.
    FinishRun = "finish_run",
    /// The server removed the rows of runs that ended long ago.
    ExpireRuns = "expire_runs",
    /// A run and its pending memories were read.
    ReadRun = "read_run",
    /// A token was issued.
    IssueToken = "issue_token",
    /// A token was revoked.
    RevokeToken = "revoke_token",
    /// All tokens of a workspace were revoked.
    RevokeTokens = "revoke_tokens",
    /// An event stream delivered memories.
    WatchEvents = "watch_events",
    /// The audit log was read.
    ReadAccessLog = "read_access_log",
    /// Audit rows of reads were lost; the context contains their number.
    LoseReads = "lose_reads",
    /// Old audit rows were deleted; the context contains the last of them.
    TrimAccessLog = "trim_access_log",
    /// A provider returned an id that the reader may not see.
    DisqualifyProvider = "disqualify_provider",
    /// A provider answers the reads of a surface from now on.
    PromoteProvider = "promote_provider",
    /// The built-in provider answers the reads of a surface again.
    DemoteProvider = "demote_provider",
}

/// Invalid name of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown action of the audit log; `commit_memory`, `search_memories` and others are known")]
pub struct UnknownAuditAction;

impl AuditAction {
    /// Whether the action reveals content, so that its rows name the memories read. A match without a wildcard, because
    /// every new action needs a decision.
    ///
    /// Source: `docs/spec/access-log.md`, "Calls".
    #[must_use]
    pub const fn shows_memories(self) -> bool {
        match self {
            Self::ReadMemory
            | Self::SearchMemories
            | Self::ReadHistory
            | Self::InjectMemories
            | Self::SummarizeMemories
            | Self::ExportMemories
            | Self::SearchSession
            // the row names the document
            | Self::ReadDocument
            // the row names the facts
            | Self::ReadProcessors
            // the descriptions and the texts come from the procedures that the row names
            | Self::ListSkills
            | Self::ReadSkill
            | Self::ReadRun
            // one memory for each value
            | Self::ListValues
            | Self::WatchEvents => true,
            // writers know the content and receive only the id
            Self::CommitMemory
            | Self::HoldMemory
            | Self::EditMemory
            | Self::RestoreMemory
            | Self::TouchMemories
            | Self::ForgetMemory
            | Self::RedactMemory
            | Self::ScrubMemory
            // the reasons, never the content
            | Self::ListRedactions
            | Self::ExpireMemories
            | Self::ExpireVersions
            | Self::ExpireEntries
            | Self::ExpireRuns
            // only ranks, reasons and numbers
            | Self::ExplainMemory
            | Self::CountMemories
            | Self::PutEntry
            | Self::DropEntry
            | Self::ReadEntry
            | Self::ListEntries
            | Self::AppendEpisode
            | Self::RedactEpisode
            | Self::ListEpisodes
            // pages are named in the context
            | Self::ListPages
            | Self::ReadPage
            | Self::CompactPages
            // counts, never content
            | Self::ReadEvidence
            | Self::ReportOutcome
            | Self::DraftSkill
            | Self::ApproveSkill
            | Self::WithdrawSkill
            | Self::ChangeSkillRule
            // titles and other fields, never the text
            | Self::ListDocuments
            | Self::WriteDocument
            | Self::DeleteDocument
            | Self::RedactDocument
            | Self::ExpireDocuments
            // records are no memories
            | Self::WriteRecords
            | Self::ReadRecords
            // neither are rows; the facts of a processor have rows of their own
            | Self::WriteCollection
            | Self::WriteRows
            | Self::ReadRows
            | Self::ChangeProcessor
            | Self::RunProcessor
            | Self::ListReviews
            | Self::DecideReview
            // ids of grants, never the evidence
            | Self::GiveGrant
            | Self::RevokeGrant
            | Self::ExpireGrants
            | Self::ListGrants
            | Self::CreateWorkspace
            | Self::EditWorkspace
            | Self::MoveWorkspace
            | Self::RemoveWorkspace
            | Self::PurgeWorkspace
            | Self::Erase
            | Self::ChangeProfile
            | Self::StartRun
            | Self::FinishRun
            | Self::IssueToken
            | Self::RevokeToken
            | Self::RevokeTokens
            | Self::ReadAccessLog
            | Self::LoseReads
            | Self::TrimAccessLog
            | Self::DisqualifyProvider
            | Self::PromoteProvider
            | Self::DemoteProvider => false,
        }
    }

    /// Whether the action recalls memories for its caller: the reads that figures count. Watching and listing of other data
    /// are not among them.
    #[must_use]
    pub const fn recalls_memories(self) -> bool {
        matches!(
            self,
            Self::ReadMemory
                | Self::SearchMemories
                | Self::ReadHistory
                | Self::InjectMemories
                | Self::SummarizeMemories
                | Self::SearchSession
        )
    }

    /// Whether a run that performs the action uses the procedures among the memories it returns.
    ///
    /// Source: `docs/spec/skills.md`, "Evidence".
    #[must_use]
    pub const fn uses_procedures(self) -> bool {
        matches!(self, Self::ReadMemory | Self::SearchMemories | Self::InjectMemories | Self::ReadSkill)
    }
}

impl fmt::Display for AuditAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for AuditAction {
    type Err = UnknownAuditAction;

    fn from_str(text: &str) -> Result<Self, UnknownAuditAction> {
        Self::ALL.iter().copied().find(|action| action.as_str() == text).ok_or(UnknownAuditAction)
    }
}

//! What can be done, as the access log names it.

use std::fmt;
use std::str::FromStr;

use super::EventKind;

macro_rules! verbs {
    ($($(#[$doc:meta])* $action:ident = $word:literal,)*) => {
        /// Something that was done: the `action` of a row of the access log.
        ///
        /// Source: product.md, section 4.5.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditAction {
            $($(#[$doc])* $action,)*
        }

        impl AuditAction {
            /// Every verb.
            pub const ALL: &[Self] = &[$(Self::$action),*];

            /// The word in storage and on the wire.
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
    /// A memory was committed, new or in place of its earlier form.
    CommitMemory = "commit_memory",
    /// A memory was held back for the end of its run.
    HoldMemory = "hold_memory",
    /// A memory was edited.
    EditMemory = "edit_memory",
    /// An earlier form of a memory was restored.
    RestoreMemory = "restore_memory",
    /// A memory was forgotten: taken away by its author, or by an operator.
    ForgetMemory = "forget_memory",
    /// A memory was redacted, with a reason.
    RedactMemory = "redact_memory",
    /// Credentials were taken out of a memory by a changed rule file.
    ScrubMemory = "scrub_memory",
    /// One memory was read.
    ReadMemory = "read_memory",
    /// Memories were searched or listed.
    SearchMemories = "search_memories",
    /// The earlier forms of a memory were read.
    ReadHistory = "read_history",
    /// It was asked why a memory is found or not.
    ExplainMemory = "explain_memory",
    /// Memories were counted.
    CountMemories = "count_memories",
    /// Memories were put into a block for a prompt.
    InjectMemories = "inject_memories",
    /// Memories were summarized.
    SummarizeMemories = "summarize_memories",
    /// Memories were exported.
    ExportMemories = "export_memories",
    /// An entry was put.
    PutEntry = "put_entry",
    /// An entry was dropped.
    DropEntry = "drop_entry",
    /// One entry was read.
    ReadEntry = "read_entry",
    /// Entries were listed.
    ListEntries = "list_entries",
    /// An episode was appended.
    AppendEpisode = "append_episode",
    /// Episodes were listed.
    ListEpisodes = "list_episodes",
    /// Episodes and memories were searched for what just happened.
    SearchSession = "search_session",
    /// A workspace was created.
    CreateWorkspace = "create_workspace",
    /// A workspace was renamed, or its role or metadata changed.
    EditWorkspace = "edit_workspace",
    /// A workspace was moved.
    MoveWorkspace = "move_workspace",
    /// A workspace was removed.
    RemoveWorkspace = "remove_workspace",
    /// A workspace was removed and erased.
    PurgeWorkspace = "purge_workspace",
    /// What is stored about an end user, or in a whole tree, was erased.
    Erase = "erase",
    /// A profile was created, changed or deleted.
    ChangeProfile = "change_profile",
    /// A run was started.
    StartRun = "start_run",
    /// A run ended, well or not.
    FinishRun = "finish_run",
    /// What a run did so far was read.
    ReadRun = "read_run",
    /// A token was issued.
    IssueToken = "issue_token",
    /// A token was revoked.
    RevokeToken = "revoke_token",
    /// All tokens of a workspace were revoked.
    RevokeTokens = "revoke_tokens",
    /// Somebody who watches was told of memories.
    WatchEvents = "watch_events",
    /// The access log was read.
    ReadAccessLog = "read_access_log",
    /// Rows of reads could not be written and are lost; the row says how many.
    LoseReads = "lose_reads",
    /// Old rows of the access log were reclaimed; the row says up to which.
    TrimAccessLog = "trim_access_log",
}

/// A text that names no verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown action of the access log; `commit_memory`, `search_memories` and others are known")]
pub struct UnknownAuditAction;

impl AuditAction {
    /// Whether somebody gets by it what memories say, so that its rows name those who have seen them. A match without a
    /// wildcard: a new verb asks to be answered.
    ///
    /// Source: product.md, section 4.5: who has seen this memory.
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
            | Self::ReadRun
            | Self::WatchEvents => true,
            // who writes a memory knows what it says, and gets no more than its id back
            Self::CommitMemory
            | Self::HoldMemory
            | Self::EditMemory
            | Self::RestoreMemory
            | Self::ForgetMemory
            | Self::RedactMemory
            | Self::ScrubMemory
            // ranks, reasons and numbers
            | Self::ExplainMemory
            | Self::CountMemories
            | Self::PutEntry
            | Self::DropEntry
            | Self::ReadEntry
            | Self::ListEntries
            | Self::AppendEpisode
            | Self::ListEpisodes
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
            | Self::TrimAccessLog => false,
        }
    }

    /// The event that announces it to those who watch; none for reads and for what is nobody's to watch.
    ///
    /// Source: product.md, section 4.8.
    #[must_use]
    pub const fn event_kind(self) -> Option<EventKind> {
        Some(match self {
            Self::CommitMemory => EventKind::MemoryCommitted,
            Self::EditMemory | Self::RestoreMemory | Self::ScrubMemory => EventKind::MemoryEdited,
            Self::ForgetMemory => EventKind::MemoryDeleted,
            Self::RedactMemory => EventKind::MemoryRedacted,
            Self::InjectMemories => EventKind::MemoryInjected,
            Self::PutEntry | Self::DropEntry => EventKind::KvChanged,
            Self::AppendEpisode => EventKind::ActivityLogged,
            Self::CreateWorkspace => EventKind::WorkspaceCreated,
            Self::EditWorkspace => EventKind::WorkspaceEdited,
            Self::MoveWorkspace => EventKind::WorkspaceMoved,
            Self::RemoveWorkspace | Self::PurgeWorkspace => EventKind::WorkspaceRemoved,
            Self::ChangeProfile => EventKind::ProfileChanged,
            Self::StartRun => EventKind::RunStarted,
            Self::HoldMemory => EventKind::RunChanged,
            Self::FinishRun => EventKind::RunFinished,
            Self::ReadMemory
            | Self::SearchMemories
            | Self::ReadHistory
            | Self::ExplainMemory
            | Self::CountMemories
            | Self::SummarizeMemories
            | Self::ExportMemories
            | Self::ReadEntry
            | Self::ListEntries
            | Self::ListEpisodes
            | Self::SearchSession
            | Self::Erase
            | Self::ReadRun
            | Self::IssueToken
            | Self::RevokeToken
            | Self::RevokeTokens
            | Self::WatchEvents
            | Self::ReadAccessLog
            | Self::LoseReads
            | Self::TrimAccessLog => return None,
        })
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

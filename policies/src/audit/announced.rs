//! The events that announce audited actions.

use super::{AuditAction, EventKind};

impl AuditAction {
    /// The event that announces the action; `None` for reads and other actions without an event.
    ///
    /// Source: `docs/spec/events.md`, "Kinds".
    #[must_use]
    pub const fn event_kind(self) -> Option<EventKind> {
        Some(match self {
            Self::CommitMemory => EventKind::MemoryCommitted,
            Self::EditMemory | Self::RestoreMemory | Self::ScrubMemory => EventKind::MemoryEdited,
            Self::ForgetMemory | Self::ExpireMemories => EventKind::MemoryDeleted,
            Self::RedactMemory => EventKind::MemoryRedacted,
            Self::InjectMemories => EventKind::MemoryInjected,
            Self::PutEntry | Self::DropEntry | Self::ExpireEntries => EventKind::KvChanged,
            Self::AppendEpisode => EventKind::ActivityLogged,
            Self::RedactEpisode => EventKind::ActivityRedacted,
            Self::WriteRecords => EventKind::RecordChanged,
            Self::WriteCollection | Self::WriteRows => EventKind::RowsChanged,
            Self::RunProcessor => EventKind::ProcessorRan,
            Self::WriteDocument | Self::DeleteDocument | Self::RedactDocument => EventKind::DocumentChanged,
            Self::CreateWorkspace => EventKind::WorkspaceCreated,
            Self::EditWorkspace => EventKind::WorkspaceEdited,
            Self::MoveWorkspace => EventKind::WorkspaceMoved,
            Self::RemoveWorkspace | Self::PurgeWorkspace => EventKind::WorkspaceRemoved,
            Self::ChangeProfile => EventKind::ProfileChanged,
            Self::StartRun => EventKind::RunStarted,
            Self::HoldMemory => EventKind::RunChanged,
            Self::FinishRun => EventKind::RunFinished,
            Self::DraftSkill => EventKind::SkillChanged,
            Self::ApproveSkill => EventKind::SkillPromoted,
            Self::WithdrawSkill => EventKind::SkillWithdrawn,
            Self::DisqualifyProvider => EventKind::ProviderDisqualified,
            Self::ReadMemory
            | Self::SearchMemories
            | Self::ReadHistory
            | Self::ExplainMemory
            | Self::CountMemories
            | Self::ListValues
            // reads cause it
            | Self::TouchMemories
            | Self::SummarizeMemories
            | Self::ExportMemories
            | Self::ReadEntry
            | Self::ListEntries
            | Self::ListEpisodes
            | Self::ListPages
            | Self::ReadPage
            | Self::ReadRecords
            | Self::ReadDocument
            | Self::ListDocuments
            | Self::ReadRows
            | Self::ReadProcessors
            // its facts have events of their own
            | Self::ChangeProcessor
            // each document has an event of its own
            | Self::ExpireDocuments
            | Self::ListReviews
            // an event only where the record is disputed
            | Self::DecideReview
            // consent concerns one end user
            | Self::GiveGrant
            | Self::RevokeGrant
            | Self::ExpireGrants
            | Self::ListGrants
            // each subject has an event of its own
            | Self::CompactPages
            | Self::ReadEvidence
            | Self::ReportOutcome
            | Self::ListSkills
            | Self::ReadSkill
            | Self::ChangeSkillRule
            | Self::SearchSession
            | Self::Erase
            | Self::ListRedactions
            | Self::ExpireVersions
            | Self::ExpireRuns
            | Self::ReadRun
            | Self::IssueToken
            | Self::RevokeToken
            | Self::RevokeTokens
            | Self::WatchEvents
            | Self::ReadAccessLog
            | Self::LoseReads
            | Self::TrimAccessLog
            // changes of the server, which has no event stream
            | Self::PromoteProvider
            | Self::DemoteProvider => return None,
        })
    }
}

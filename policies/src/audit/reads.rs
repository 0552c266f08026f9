//! The actions that only read.

use super::AuditAction;

impl AuditAction {
    /// Whether the action only reads. Rows of reads are retained for a shorter time than those of writes.
    ///
    /// Source: `docs/spec/access-log.md`, "Retention".
    #[must_use]
    pub const fn is_read(self) -> bool {
        match self {
            Self::ReadMemory
            | Self::SearchMemories
            | Self::ReadHistory
            | Self::ExplainMemory
            | Self::CountMemories
            | Self::ListValues
            | Self::InjectMemories
            | Self::SummarizeMemories
            | Self::ExportMemories
            | Self::ListRedactions
            | Self::ReadEntry
            | Self::ListEntries
            | Self::ListEpisodes
            | Self::ListPages
            | Self::ReadPage
            | Self::ReadEvidence
            | Self::ListSkills
            | Self::ReadSkill
            | Self::ReadRecords
            | Self::ReadDocument
            | Self::ListDocuments
            | Self::ReadRows
            | Self::ReadProcessors
            | Self::ListReviews
            | Self::ListGrants
            | Self::SearchSession
            | Self::ReadRun
            | Self::WatchEvents
            | Self::ReadAccessLog => true,
            Self::CommitMemory
            | Self::HoldMemory
            | Self::EditMemory
            | Self::RestoreMemory
            | Self::TouchMemories
            | Self::ForgetMemory
            | Self::RedactMemory
            | Self::ScrubMemory
            | Self::ExpireMemories
            | Self::ExpireVersions
            | Self::PutEntry
            | Self::DropEntry
            | Self::ExpireEntries
            | Self::AppendEpisode
            | Self::RedactEpisode
            | Self::CompactPages
            | Self::ReportOutcome
            | Self::DraftSkill
            | Self::ApproveSkill
            | Self::WithdrawSkill
            | Self::ChangeSkillRule
            | Self::WriteRecords
            | Self::WriteDocument
            | Self::DeleteDocument
            | Self::RedactDocument
            | Self::ExpireDocuments
            | Self::WriteCollection
            | Self::WriteRows
            | Self::ChangeProcessor
            | Self::RunProcessor
            | Self::DecideReview
            | Self::GiveGrant
            | Self::RevokeGrant
            | Self::ExpireGrants
            | Self::CreateWorkspace
            | Self::EditWorkspace
            | Self::MoveWorkspace
            | Self::RemoveWorkspace
            | Self::PurgeWorkspace
            | Self::Erase
            | Self::ChangeProfile
            | Self::StartRun
            | Self::FinishRun
            | Self::ExpireRuns
            | Self::IssueToken
            | Self::RevokeToken
            | Self::RevokeTokens
            | Self::DisqualifyProvider
            | Self::PromoteProvider
            | Self::DemoteProvider
            // they record what is missing in the log itself
            | Self::LoseReads
            | Self::TrimAccessLog => false,
        }
    }
}

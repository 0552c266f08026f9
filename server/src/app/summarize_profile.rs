//! Summaries of the memories of a profile.

use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::corrected;
use orgmem_store::{AuditRecord, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::claims::{Claimed, is_unverified};
use super::wire::counts;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Maximum number of memories in a summary; the newest are used.
const MAX_MEMORIES: usize = 200;

impl App {
    /// The number of the workspace's own memories in a profile, and a summary of them. The response has the method: the
    /// server extracts sentences itself if the language model fails.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an unknown profile.
    ///
    /// # Source
    /// `docs/spec/profiles.md`.
    pub async fn summarize_profile(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::ProfileSummary, AppError> {
        let reading = self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.reads(call.workspace)?;
            let profile = call.profile(profile)?;
            let totals = call.tx.profile_totals(&pass, &profile, MAX_MEMORIES)?;
            let seen = totals.newest.iter().map(|memory| (memory.id, memory.version));
            let record = AuditRecord::new(AuditAction::SummarizeMemories, call.workspace).about(seen);
            let record = record.context_field("profile_id", profile.id.to_string());
            let checked = call.check_claims(totals.newest.iter().map(Claimed::memory))?;
            Ok(((totals, checked), record))
        });
        let (totals, checked) = reading.await?;
        // a summary is for agents: it asserts only what records do not contradict
        let texts = totals.newest.into_iter().zip(checked).filter(|(_, checked)| !is_unverified(checked));
        let texts: Vec<(f64, String)> = texts
            .map(|(memory, checked)| {
                let authored = memory.authored;
                (authored.confidence, corrected(&authored.content, &checked).into_owned())
            })
            .collect();
        let summary = self.summarizer.summarize(&texts).await;
        Ok(wire::ProfileSummary {
            count: totals.counts.local + totals.counts.team + totals.counts.global,
            scopes: counts(&totals.counts),
            last_written_at: totals.counts.last_write_at,
            summary: summary.text,
            made_by: match summary.model {
                Some(_) => wire::SummaryMethod::Model,
                None => wire::SummaryMethod::Extractive,
            },
            model: summary.model,
            fell_back: summary.fell_back,
            considered: texts.len(),
        })
    }
}

//! What the memories of a profile say, in short.

use orgmem_policies::audit::AuditAction;
use orgmem_store::{AuditRecord, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::wire::counts;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Memories that are looked at, the newest.
const CONSIDERED: usize = 200;

impl App {
    /// How many memories of its own the workspace has in a profile, and what they say in short.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; [`AppError::NotFound`] where the workspace has no such
    /// profile. A language model that fails is no error: the answer says who made the summary, and why.
    ///
    /// # Source
    /// product.md, section 4.6.
    pub async fn summarize_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::ProfileSummary, AppError> {
        let looking = self.read_audited(who.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.reads(call.workspace)?;
            let profile = call.profile(profile)?;
            let totals = call.tx.profile_totals(&pass, &profile, CONSIDERED)?;
            let seen = totals.newest.iter().map(|memory| (memory.id, memory.version));
            let record = AuditRecord::new(AuditAction::SummarizeMemories, call.workspace).about(seen);
            let record = record.context_field("profile_id", profile.id.to_string());
            Ok((totals, record))
        });
        let totals = looking.await?;
        let texts: Vec<(f64, String)> =
            totals.newest.into_iter().map(|memory| (memory.confidence, memory.content)).collect();
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

//! Redaction of single episodes.

use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::{ActPass, Permission};
use orgmem_types as wire;
use uuid::Uuid;

use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Removes the content of an episode permanently, and redacts the memories with facts of it. Its type, time and corrections
    /// remain. A repetition changes nothing.
    ///
    /// # Errors
    /// [`AppError`]: an invalid reason; [`AppError::NotFound`] for an episode of another workspace.
    ///
    /// # Source
    /// `docs/spec/activity.md`, "Redaction".
    pub async fn redact_episode(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        episode: Uuid,
        request: wire::RedactMemory,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::RedactedEpisode, AppError> {
        let reason = ReasonDraft::check(&request.reason, self.scrubber)?;
        self.flush_episodes(auth, workspace).await;
        self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::RedactMemories, tree, id))?;
            let redacted = call.tx.redact_episode(&pass, episode, &reason)?.ok_or(AppError::EPISODE_NOT_FOUND)?;
            Ok(wire::RedactedEpisode {
                id: episode,
                redacted_at: redacted.at,
                already: redacted.before,
                memories: redacted.facts,
                redactions: redactions(reason.redactions()),
                older_backups: super::erase::older_backups(redacted.at),
            })
        })
        .await
    }
}

//! Appends to the activity log of a workspace.

use orgmem_policies::drafts::{EpisodeDraft, EpisodeInput};
use orgmem_policies::{ActPass, Permission};
use orgmem_types as wire;
use uuid::Uuid;

use super::list_episodes::episode;
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Appends an episode. Episodes are immutable; a correction is a new episode that supersedes the old one.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, an unknown activity type, a `source_id` other than the workspace itself.
    pub async fn append_episode(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::AppendEpisode,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::LoggedEpisode, AppError> {
        if request.source_id.is_some_and(|source| source != workspace) {
            return Err(AppError::Field { field: "source_id", expected: "the workspace itself, or absent".into() });
        }
        let draft = EpisodeDraft::check(episode_input(request), &self.episode_types, self.scrubber)?;
        self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            let wire::Episode { id, workspace_id, activity, created_at } =
                episode(call.tx.append_episode(&pass, &draft, None)?);
            Ok(wire::LoggedEpisode {
                id,
                workspace_id,
                activity: wire::AppendEpisode { status: None, ..activity },
                status: wire::LoggedStatus::Logged,
                created_at,
                redactions: redactions(&draft.fields().redactions),
            })
        })
        .await
    }
}

pub(super) fn episode_input(request: wire::AppendEpisode) -> EpisodeInput {
    EpisodeInput {
        activity_type: request.activity_type,
        method: request.method,
        summary: request.summary,
        target_id: request.target_id,
        status: request.status,
        error_detail: request.error_detail,
        duration_ms: request.duration_ms,
        request_body: request.request_body,
        response_body: request.response_body,
        metadata: request.metadata,
        actor: request.actor,
        channel: request.channel,
        correlation_id: request.correlation_id,
        session_id: request.session_id,
        kind: request.kind,
        outcome: request.outcome,
        supersedes: request.supersedes,
    }
}

//! Appends to the activity log of a workspace.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_policies::drafts::{ClaimInput, EpisodeDraft, EpisodeFields, EpisodeInput};
use orgmem_policies::scrub::{Scrubbed, ScrubbedJson};
use orgmem_policies::{ActPass, Permission};
use orgmem_store::ProvidedKind;
use orgmem_types as wire;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::drafting::Drafting;
use super::wire::{claims_of, redactions};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Appends an episode. Episodes are immutable; a correction is a new episode that supersedes the old one.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, an unknown activity type, a `source_id` other than the workspace itself;
    /// [`AppError::NotFound`] when `supersedes` is no episode of the workspace.
    pub async fn append_episode(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        mut request: wire::AppendEpisode,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::LoggedEpisode, AppError> {
        auth.writer().fill(&mut request.subject, &mut request.session_id)?;
        if request.source_id.is_some_and(|source| source != workspace) {
            return Err(AppError::Field { field: "source_id", expected: "the workspace itself, or absent".into() });
        }
        let now = self.store.now();
        let make = move |request, with: &Drafting| {
            Ok(EpisodeDraft::check(episode_input(request), &with.episode_types, with.scrubber, now)?)
        };
        let draft = self.draft(auth, workspace, Permission::AppendActivity, request, make).await?;
        let draft = Arc::new(draft);
        let fields = Arc::clone(&draft);
        let appending = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            call.spend_writes(Permission::AppendActivity, 1, false)?;
            let appended = call.tx.append_episode(&pass, &draft, None)?.ok_or(AppError::EPISODE_NOT_FOUND)?;
            Ok(AppendReceipt { id: appended.id, created_at: appended.created_at, recorded_at: appended.recorded_at })
        });
        let receipt = appending.await?;
        let channel = fields.fields().channel.as_ref().map(|channel| channel.as_str().to_owned());
        self.note_item(workspace, ProvidedKind::Episode, receipt.id, channel);
        Ok(receipt.into_wire(workspace, fields.fields()))
    }
}

/// The outcome of an append, stored for the idempotency key. It outlives the content of the episode, so it contains
/// none; the response takes the fields from the repeated request.
#[derive(Debug, Serialize, Deserialize)]
struct AppendReceipt {
    id: Uuid,
    created_at: DateTime<Utc>,
    #[serde(default)]
    recorded_at: Option<DateTime<Utc>>,
}

impl AppendReceipt {
    fn into_wire(self, workspace: Uuid, fields: &EpisodeFields) -> wire::LoggedEpisode {
        let text = |text: &Option<Scrubbed>| text.as_ref().map(|text| text.as_str().to_owned());
        let json = |json: &Option<ScrubbedJson>| json.as_ref().map(|json| json.as_value().clone());
        wire::LoggedEpisode {
            id: self.id,
            workspace_id: workspace,
            activity: wire::AppendEpisode {
                activity_type: fields.activity_type.to_string(),
                method: text(&fields.method),
                summary: text(&fields.summary),
                target_id: fields.target_id,
                source_id: Some(workspace),
                status: None,
                error_detail: text(&fields.error_detail),
                duration_ms: fields.duration_ms,
                request_body: json(&fields.request_body),
                response_body: json(&fields.response_body),
                metadata: fields.metadata.as_ref().and_then(|metadata| metadata.as_value().as_object().cloned()),
                actor: text(&fields.actor),
                channel: text(&fields.channel),
                correlation_id: text(&fields.correlation_id),
                session_id: text(&fields.session_id),
                kind: text(&fields.kind),
                outcome: fields.outcome.map(|outcome| outcome.name().to_owned()),
                salience: fields.salience,
                claims: fields.claims.as_ref().and_then(|claims| claims_of(&claims.to_string())),
                supersedes: fields.supersedes,
                subject: text(&fields.subject),
                occurred_at: None,
            },
            status: wire::LoggedStatus::Logged,
            created_at: self.created_at,
            recorded_at: self.recorded_at,
            redactions: redactions(&fields.redactions),
        }
    }
}

pub(super) fn claim_input(claim: wire::Claim) -> ClaimInput {
    ClaimInput { entity: claim.entity, field: claim.field, value: claim.value }
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
        salience: request.salience,
        claims: request.claims.map(|claims| claims.into_iter().map(claim_input).collect()),
        supersedes: request.supersedes,
        subject: request.subject,
        occurred_at: request.occurred_at,
    }
}

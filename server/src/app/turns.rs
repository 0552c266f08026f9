//! Turns of conversations: write, and read what became of them.

use std::sync::Arc;

use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{MessageInput, Speaker, TurnDraft, TurnInput};
use orgmem_policies::turns::TurnState;
use orgmem_policies::{ActPass, Permission, ViewPass};
use orgmem_store::{AuditRecord, ProvidedKind, ReadPlan, StoredTurn};
use orgmem_types as wire;
use uuid::Uuid;

use super::drafting::Drafting;
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Stores a turn: each message as an episode, all in one transaction. With a language model its facts are extracted
    /// afterwards.
    ///
    /// # Errors
    /// [`AppError`] for an invalid field; nothing is stored then.
    ///
    /// # Source
    /// `docs/spec/turns.md`.
    pub async fn add_turn(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        mut request: wire::AddTurn,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Turn, AppError> {
        auth.writer().fill(&mut request.subject, &mut request.session_id)?;
        let now = self.store.now();
        let make = move |request, with: &Drafting| {
            Ok(TurnDraft::check(turn_input(request), Uuid::new_v4(), &with.episode_types, with.scrubber, now)?)
        };
        let draft = Arc::new(self.draft(auth, workspace, Permission::AppendActivity, request, make).await?);
        let (fields, extraction) = (Arc::clone(&draft), self.extraction.clone());
        let adding = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            call.spend_writes(Permission::AppendActivity, draft.messages().len(), false)?;
            let mut episodes = Vec::with_capacity(draft.messages().len());
            for message in draft.messages() {
                let appended = call.tx.append_episode(&pass, message, None)?.ok_or(AppError::EPISODE_NOT_FOUND)?;
                episodes.push(appended.id);
            }
            let state = extraction.first_state(call.tx, call.org, id, draft.kind())?;
            let stored = call.tx.add_turn(&pass, draft.id(), &episodes, state)?;
            Ok(turn(workspace, stored))
        });
        let added: wire::Turn = adding.await?;
        for (episode, message) in added.episodes.iter().zip(fields.messages()) {
            let channel = message.fields().channel.as_ref().map(|channel| channel.as_str().to_owned());
            self.note_item(workspace, ProvidedKind::Episode, *episode, channel);
        }
        Ok(wire::Turn { redactions: redactions(&fields.redactions()), ..added })
    }

    /// What became of a turn.
    ///
    /// # Errors
    /// [`AppError::NotFound`], also for a turn of another end user where end users are apart.
    pub async fn read_turn(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        turn_id: Uuid,
    ) -> Result<wire::Turn, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadActivity, tree, id))?;
            let stored = call.tx.turn(&pass, turn_id)?.ok_or(AppError::TURN_NOT_FOUND)?;
            let record = AuditRecord::new(AuditAction::ListEpisodes, id)
                .context_field("turn_id", turn_id.to_string())
                .context_field("episodes", stored.episodes.len());
            Ok((turn(workspace, stored), record))
        })
        .await
    }
}

fn turn_input(request: wire::AddTurn) -> TurnInput {
    let wire::AddTurn { session_id, subject, channel, kind, messages } = request;
    let message = |wire::TurnMessage { role, content, at }: wire::TurnMessage| {
        let speaker = match role {
            wire::TurnRole::User => Speaker::User,
            wire::TurnRole::Assistant => Speaker::Assistant,
            wire::TurnRole::Tool => Speaker::Tool,
            wire::TurnRole::System => Speaker::System,
        };
        MessageInput { speaker, content, at }
    };
    let messages = messages.into_iter().map(message).collect();
    TurnInput { session_id: session_id.unwrap_or_default(), subject, channel, kind, messages }
}

fn turn(workspace: Uuid, stored: StoredTurn) -> wire::Turn {
    let (state, explanation) = match stored.state {
        TurnState::Stored => (
            wire::TurnState::Stored,
            "its messages are stored; no facts are extracted, because no language model is configured (`extractor.endpoint`)",
        ),
        TurnState::Excluded => {
            (wire::TurnState::Excluded, "its messages are stored; its kind is excluded, so no language model reads it")
        }
        TurnState::Queued => (wire::TurnState::Queued, "its messages are stored; its facts are not extracted yet"),
        TurnState::Done => (wire::TurnState::Done, "its facts are extracted"),
        TurnState::Failed => {
            (wire::TurnState::Failed, "its messages are stored; all attempts at its extraction failed")
        }
    };
    wire::Turn {
        id: stored.id,
        workspace_id: workspace,
        state,
        explanation: explanation.to_owned(),
        episodes: stored.episodes,
        memories: stored.result.memories,
        unchanged: stored.result.unchanged,
        refused: stored.result.refused,
        attempts: stored.attempts,
        next_attempt_at: stored.due_at,
        model: stored.result.model,
        error: stored.result.error,
        created_at: stored.created_at,
        ended_at: stored.ended_at,
        redactions: Vec::new(),
    }
}

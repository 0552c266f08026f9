//! Lists the activity of a workspace.

use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::CheckedClaim;
use orgmem_policies::{Permission, ViewPass};
use orgmem_store::{AuditRecord, EpisodeFilter, ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::Call;
use super::claims::{Claimed, claims_to_wire};
use super::wire::{claims_of, json, make_episode_visible, object};
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

impl App {
    /// The workspace's episodes, newest first.
    pub async fn list_episodes(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListEpisodes,
    ) -> Result<Listing<wire::Episode>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after = cursor::decode("activity", request.cursor.as_deref())?;
        let filter = EpisodeFilter {
            activity_type: request.activity_type,
            session_id: request.session_id,
            subject: request.subject,
            since: request.since,
            until: request.until,
        };
        self.flush_episodes(auth, workspace).await;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            call.name(filter.subject.as_deref(), filter.session_id.as_deref())?;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadActivity, tree, id))?;
            let rows = call.tx.list_episodes(&pass, &filter, after, limit + 1)?;
            let Listing { items, next } = Listing::cut(rows, limit, "activity", orgmem_store::Episode::place);
            let page = Listing { items: episodes(call, items)?, next };
            let record = AuditRecord::new(AuditAction::ListEpisodes, id).context_field("episodes", page.items.len());
            Ok((page, record))
        })
        .await
    }
}

/// Episodes with their claims compared with the records; for an agent nothing in them is hidden.
pub(super) fn episodes<Tx: ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    rows: Vec<orgmem_store::Episode>,
) -> Result<Vec<wire::Episode>, AppError> {
    let checked = call.check_claims(rows.iter().map(Claimed::episode))?;
    let is_person = call.caller.role().is_person();
    let to_wire = |(row, checked): (orgmem_store::Episode, Vec<CheckedClaim>)| {
        let mut episode = episode(row);
        if !is_person {
            make_episode_visible(&mut episode.activity);
        }
        wire::Episode { checked_claims: claims_to_wire(&checked, is_person), ..episode }
    };
    Ok(rows.into_iter().zip(checked).map(to_wire).collect())
}

fn episode(row: orgmem_store::Episode) -> wire::Episode {
    wire::Episode {
        id: row.id,
        workspace_id: row.workspace.uuid(),
        activity: wire::AppendEpisode {
            activity_type: row.activity_type,
            method: row.method,
            summary: row.summary,
            target_id: row.target_id,
            source_id: Some(row.workspace.uuid()),
            status: row.status,
            error_detail: row.error_detail,
            duration_ms: row.duration_ms,
            request_body: row.request_body.as_deref().and_then(json),
            response_body: row.response_body.as_deref().and_then(json),
            metadata: row.metadata.as_deref().and_then(object),
            actor: row.actor,
            channel: row.channel,
            correlation_id: row.correlation_id,
            session_id: row.session_id,
            kind: row.kind,
            outcome: row.outcome,
            salience: row.salience,
            claims: row.claims.as_deref().and_then(claims_of),
            supersedes: row.supersedes,
            subject: row.subject,
            occurred_at: None,
        },
        checked_claims: None,
        created_at: row.created_at,
        recorded_at: row.recorded_at,
        superseded_by: row.superseded_by,
        is_redacted: row.redacted_at.is_some(),
        redacted_at: row.redacted_at,
    }
}

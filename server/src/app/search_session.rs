//! Search in the activity and memories of a workspace.

use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::{CheckedClaim, corrected};
use orgmem_policies::rules::BudgetLimit;
use orgmem_policies::{Permission, ReadPass, ViewPass, quote};
use orgmem_store::{AuditRecord, ReadPlan, SessionCursor, SessionKind, SessionOrder, SessionQuery, SessionRow};
use orgmem_types as wire;
use uuid::Uuid;

use super::claims::{Claimed, claims_to_wire};
use super::wire::{json, make_visible};
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

impl App {
    /// Episodes and own memories of the workspace in one list, newest first or best first.
    pub async fn search_session(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::SessionSearch,
    ) -> Result<Listing<wire::SessionHit>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after = cursor::decode_timed("session", request.cursor.as_deref(), SessionCursor::created_at)?;
        let query = SessionQuery {
            q: request.q.unwrap_or_default(),
            kind: request.kind.map(|kind| match kind {
                wire::SessionHitKind::Activity => SessionKind::Activity,
                wire::SessionHitKind::Memory => SessionKind::Memory,
            }),
            session_id: request.session_id,
            order: match request.order.unwrap_or_default() {
                wire::SessionOrder::Recent => SessionOrder::Recent,
                wire::SessionOrder::Relevance => SessionOrder::Relevance,
            },
            since: request.since,
            until: request.until,
        };
        self.flush_episodes(auth, workspace).await;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Adaptive), move |call| {
            let id = call.workspace;
            call.name(None, query.session_id.as_deref())?;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadActivity, tree, id))?;
            let reads = call.reads(id)?;
            call.spend(Permission::ReadActivity, BudgetLimit::SearchesPerMinute, 1)?;
            let rows = call.tx.search_session(&pass, &reads, &query, after, limit + 1)?;
            let page = Listing::cut(rows, limit, "session", |row| row.place());
            let memories = page.items.iter().filter(|row| row.kind == SessionKind::Memory);
            let record = AuditRecord::new(AuditAction::SearchSession, id).about(memories.map(|row| (row.id, 0)));
            let record = record.context_field("rows", page.items.len());
            let name = call.names(&[id])?.stored(id);
            let is_person = call.caller.role().is_person();
            let checked = call.check_claims(page.items.iter().map(Claimed::session_row))?;
            let mut checked = checked.into_iter();
            let to_wire = |row| hit(&reads, &name, row, is_person, &checked.next().unwrap_or_default());
            Ok((page.map(to_wire), record))
        })
        .await
    }
}

/// A row for the caller. All rows are the workspace's own, so only GLOBAL ones are quoted for agents; an episode may be
/// the message of another agent.
fn hit(reads: &ReadPass, name: &str, row: SessionRow, is_person: bool, checked: &[CheckedClaim]) -> wire::SessionHit {
    let quoted_in = row.scope.filter(|&scope| reads.quotes(scope, row.workspace));
    let content = match quoted_in {
        Some(scope) => quote::quote(row.id, scope, name, &corrected(&row.content, checked)),
        None => row.content,
    };
    let is_of_others = quoted_in.is_some() || row.kind == SessionKind::Activity;
    let mut hit = wire::SessionHit {
        kind: match row.kind {
            SessionKind::Activity => wire::SessionHitKind::Activity,
            SessionKind::Memory => wire::SessionHitKind::Memory,
        },
        id: row.id,
        workspace_id: row.workspace.uuid(),
        label: row.label,
        content,
        claims: claims_to_wire(checked, is_person),
        method: row.method.unwrap_or_default(),
        status: row.status.unwrap_or_default(),
        request_body: row.request_body.and_then(wire::Json::from_text),
        response_body: row.response_body.and_then(wire::Json::from_text),
        memory_kind: row.memory_kind,
        session_id: row.session_id,
        run_id: row.run_id,
        target_id: row.target,
        superseded_by: row.superseded_by,
        created_at: row.created_at,
    };
    if is_of_others && !is_person {
        make_visible_in(&mut hit);
    }
    hit
}

/// Shows the hidden characters in the texts of a hit.
fn make_visible_in(hit: &mut wire::SessionHit) {
    let wire::SessionHit { label, content, method, status, memory_kind, session_id, .. } = hit;
    [label, content, method, status].into_iter().chain(memory_kind).chain(session_id).for_each(make_visible);
    for body in [&mut hit.request_body, &mut hit.response_body].into_iter().flatten() {
        let text = body.to_string();
        // JSON text spells hidden characters as themselves or as escapes
        if (!text.is_ascii() || text.contains('\\'))
            && let Some(mut value) = json(&text)
        {
            quote::visible_json(&mut value);
            *body = value.into();
        }
    }
}

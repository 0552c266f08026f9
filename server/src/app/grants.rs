//! Grants: give, list, revoke, and read under them.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Readable, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{GrantDraft, GrantInput};
use orgmem_policies::{Forbidden, GrantPass, Permission, ReadPass, SessionGrant, ViewPass, rules};
use orgmem_store::{AuditRecord, ReadPlan, ReadTx, StoredGrant};
use orgmem_types as wire;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::wire::{make_visible, redactions};
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Default and maximum size of a page of grants.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

/// Maximum number of grants in force that an audit row names.
const MAX_NAMED: usize = 100;

impl App {
    /// Records the consent of an end user that sessions of the workspace are read in other ones.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for an agent whose token is not bound to the end user; [`AppError::Draft`] and
    /// [`AppError::Field`] for an invalid field; [`AppError::Rule`] for too many grants.
    ///
    /// # Source
    /// `docs/spec/tiers.md`, "Grants".
    pub async fn give_grant(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::GiveGrant,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::GivenGrant, AppError> {
        let now = self.now();
        // no end user is looked up, and no text is scrubbed, for a caller who may give none
        self.read(auth.call(workspace), |call| call.manages_grants().map(drop)).await?;
        let permission =
            if auth.identity().user.is_bound() { Permission::WriteMemories } else { Permission::ManageGrants };
        let make = move |request: wire::GiveGrant, with: &super::drafting::Drafting| {
            let wire::GiveGrant { subject, sessions, to, expires_at, evidence } = request;
            let input = GrantInput {
                subject,
                sessions: match sessions {
                    wire::GrantedSessions::All(_) => None,
                    wire::GrantedSessions::These(sessions) => Some(sessions),
                },
                to_session: to.session,
                to_workspace: to.workspace.map(WorkspaceId::from),
                expires_at,
                evidence,
            };
            Ok(GrantDraft::check(input, workspace.into(), with.scrubber, now)?)
        };
        let draft = self.draft(auth, workspace, permission, request, make).await?;
        let (fields, redactions) = (draft.fields().clone(), redactions(draft.redactions()));
        let stored = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let pass = call.manages_grants()?;
            let fields = draft.fields();
            call.name(Some(fields.subject.as_str()), None)?;
            if !pass.is_about(fields.subject.as_str()) {
                return Err(AppError::Forbidden(Forbidden::OtherEndUser { field: "subject" }));
            }
            call.check_grant_reader(fields.to_workspace)?;
            call.spend_writes(permission, 1, false)?;
            let plan = rules::check_grants(call.tx.grant_count(call.org, call.workspace)?)?;
            let StoredGrant { grant, granted_by, created_at, .. } = call.tx.give_grant(&pass, plan, &draft)?;
            Ok(GivenParts { id: grant.id, granted_by, created_at })
        });
        let GivenParts { id, granted_by, created_at } = stored.await?;
        let grant = SessionGrant {
            id,
            workspace: workspace.into(),
            subject: fields.subject.as_str().to_owned(),
            sessions: fields.sessions,
            to_workspace: fields.to_workspace,
            to_session: fields.to_session.map(|session| session.as_str().to_owned()),
            expires_at: fields.expires_at,
        };
        let stored = StoredGrant { grant, evidence: fields.evidence.as_str().to_owned(), granted_by, created_at };
        Ok(wire::GivenGrant { grant: grant_to_wire(stored, false), redactions })
    }

    /// The grants of the workspace, newest first. An agent sees those of the end users whose memories it reads.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for a token that is bound to a session and to no end user.
    pub async fn list_grants(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListGrants,
    ) -> Result<Listing<wire::Grant>, AppError> {
        let limit = cursor::limit(request.limit, PAGE, PAGE_MAX);
        let before: Option<Uuid> = cursor::decode("grants", request.cursor.as_deref())?;
        let subject = request.subject;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            call.name(subject.as_deref(), None)?;
            if call.caller.user().bound().subject.is_none() {
                call.refuse_bound("list the grants of all end users")?;
            }
            let users = call.users()?;
            let rows = match users.subject().filter(|_| !call.caller.role().is_person()) {
                // no end user is named, and the grants of none are readable
                Some(None) => Vec::new(),
                Some(named) => call.tx.list_grants(&pass, named, before, limit + 1)?,
                None => call.tx.list_grants(&pass, subject.as_deref(), before, limit + 1)?,
            };
            let page = Listing::cut(rows, limit, "grants", |row| row.grant.id);
            let record = AuditRecord::new(AuditAction::ListGrants, id).context_field("grants", page.items.len());
            let is_agent = !call.caller.role().is_person();
            Ok((page.map(|row| grant_to_wire(row, is_agent)), record))
        })
        .await
    }

    /// Revokes a grant. No later read on any server is made under it.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] as for [`give_grant`](Self::give_grant); [`AppError::NotFound`] if the workspace has no such
    /// grant, or the token is bound to another end user.
    pub async fn revoke_grant(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        grant: Uuid,
    ) -> Result<wire::Deleted, AppError> {
        self.write(auth.call(workspace), move |call| {
            let pass = call.manages_grants()?;
            if call.tx.revoke_grant(&pass, grant)? { Ok(wire::Deleted::done()) } else { Err(AppError::GRANT_NOT_FOUND) }
        })
        .await
    }
}

impl WriteCall<'_> {
    /// Checks that a workspace reads memories of this one. Others are not distinguished from ones that do not exist.
    fn check_grant_reader(&mut self, reader: WorkspaceId) -> Result<(), AppError> {
        let author = self.workspace;
        let reads = reader == author || {
            let tree = self.tx.tree(self.org)?;
            tree.reach(reader).is_some_and(|reach| reach.parts().iter().map(Readable::author).any(|of| of == author))
        };
        if reads {
            return Ok(());
        }
        let expected = "the workspace of the path, or one that reads its memories".into();
        Err(AppError::Field { field: "to.workspace", expected })
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    fn manages_grants(&mut self) -> Result<GrantPass, AppError> {
        let workspace = self.workspace;
        self.pass(|caller, tree| GrantPass::grant(caller, tree, workspace))
    }

    /// The pass that also reads under the grants to this call, if the request asks for them.
    pub(super) fn under_grants(
        &mut self,
        pass: ReadPass,
        sessions: Option<wire::ReadSessions>,
    ) -> Result<ReadPass, AppError> {
        let subject = match (sessions, self.caller.user().subject()) {
            // where sessions are open, a grant has nothing to show
            (Some(wire::ReadSessions::Granted), Some(subject)) if pass.users().session().is_some() => subject,
            _ => return Ok(pass),
        };
        let grants = self.tx.grants_to(self.org, pass.reader(), subject)?;
        let now = self.tx.now();
        Ok(pass.under(&self.caller, &grants, now))
    }
}

/// The part of a response that is stored for a repeated request. The rest comes from that request, because the end user may be
/// erased meanwhile.
#[derive(Serialize, Deserialize)]
struct GivenParts {
    id: Uuid,
    granted_by: String,
    created_at: DateTime<Utc>,
}

/// A grant as a caller reads it: for an agent with visible escapes of hidden characters.
fn grant_to_wire(stored: StoredGrant, is_agent: bool) -> wire::Grant {
    let StoredGrant { grant, mut evidence, mut granted_by, created_at } = stored;
    let SessionGrant { id, workspace, mut subject, mut sessions, to_workspace, to_session: mut session, expires_at } =
        grant;
    if is_agent {
        let texts = [&mut evidence, &mut granted_by, &mut subject].into_iter();
        texts.chain(&mut session).chain(sessions.iter_mut().flatten()).for_each(make_visible);
    }
    wire::Grant {
        id,
        workspace_id: workspace.uuid(),
        subject,
        sessions: match sessions {
            None => wire::GrantedSessions::All(wire::AllSessions::All),
            Some(sessions) => wire::GrantedSessions::These(sessions),
        },
        to: wire::GrantReader { session, workspace: Some(to_workspace.uuid()) },
        expires_at,
        evidence,
        granted_by,
        created_at,
    }
}

/// Adds to the audit row which grants showed memories of the response, and which were in force.
pub(super) fn note_grants<'m>(
    record: AuditRecord,
    pass: &ReadPass,
    shown: impl IntoIterator<Item = &'m wire::Memory>,
) -> AuditRecord {
    let in_force = pass.users().grants();
    if in_force.is_empty() {
        return record;
    }
    let text = |ids: &[Uuid]| -> Vec<String> { ids.iter().take(MAX_NAMED).map(Uuid::to_string).collect() };
    let of_memory = |memory: &wire::Memory| -> Vec<Uuid> {
        let near = memory.neighbours.iter().flatten().filter_map(|near| near.granted_by);
        memory.granted_by.into_iter().chain(near).collect()
    };
    let mut used: Vec<Uuid> = shown.into_iter().flat_map(of_memory).collect();
    used.sort_unstable();
    used.dedup();
    record.context_field("granted_by", text(&used)).context_field("grants_in_force", text(&in_force))
}

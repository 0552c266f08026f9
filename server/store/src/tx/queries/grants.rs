//! Grants: the consent of end users that sessions are read.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{GrantDraft, GrantFields};
use orgmem_policies::rules::GrantPlan;
use orgmem_policies::scrub::Scrubbed;
use orgmem_policies::{GrantPass, SessionGrant, ViewPass};
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, StoredGrant};
use crate::engine::RowContext;
use crate::schema::grants;

const TABLE: &str = "grants";

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = grants, treat_none_as_default_value = false)]
struct GrantRow {
    org_id: Id,
    id: Id,
    workspace_id: Id,
    subject: String,
    sessions: Option<String>,
    to_workspace: Id,
    to_session: Option<String>,
    evidence: String,
    granted_by: String,
    created_at: Time,
    expires_at: Option<Time>,
    revoked_at: Option<Time>,
}

impl GrantRow {
    fn read(self) -> Result<StoredGrant, StoreError> {
        let unreadable = |_| StoreError::unreadable(TABLE, self.id.0, "the sessions are not a JSON array");
        let sessions: Option<Vec<String>> =
            self.sessions.as_deref().map(serde_json::from_str).transpose().map_err(unreadable)?;
        let grant = SessionGrant {
            id: self.id.0,
            workspace: self.workspace_id.workspace(),
            subject: self.subject,
            sessions,
            to_workspace: self.to_workspace.workspace(),
            to_session: self.to_session,
            expires_at: self.expires_at.map(|at| at.0),
        };
        let (evidence, granted_by) = (self.evidence, self.granted_by);
        Ok(StoredGrant { grant, evidence, granted_by, created_at: self.created_at.0 })
    }
}

impl Tx<'_> {
    pub(crate) fn grants_to(
        &mut self,
        org: OrgId,
        reader: WorkspaceId,
        subject: &str,
    ) -> Result<Vec<SessionGrant>, StoreError> {
        if holds_nul(subject) {
            return Ok(Vec::new());
        }
        let rows: Vec<GrantRow> = grants::table
            .filter(grants::org_id.eq(Id::from(org)))
            .filter(grants::revoked_at.is_null())
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(Time(self.now))))
            .filter(grants::to_workspace.eq(Id::from(reader)))
            .filter(grants::subject.eq(subject.to_owned()))
            .select(GrantRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, reader)?;
        rows.into_iter().map(|row| Ok(row.read()?.grant)).collect()
    }

    pub(crate) fn list_grants(
        &mut self,
        pass: &ViewPass,
        subject: Option<&str>,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredGrant>, StoreError> {
        if subject.is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let mut rows = grants::table
            .filter(grants::org_id.eq(Id::from(pass.org())))
            .filter(grants::revoked_at.is_null())
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(Time(self.now))))
            .filter(grants::workspace_id.eq(Id::from(pass.workspace())))
            .order(grants::id.desc())
            .limit(row_limit(limit))
            .select(GrantRow::as_select())
            .into_boxed();
        if let Some(subject) = subject {
            rows = rows.filter(grants::subject.eq(subject.to_owned()));
        }
        if let Some(before) = before {
            rows = rows.filter(grants::id.lt(Id(before)));
        }
        let rows: Vec<GrantRow> = rows.load(self.drained()?).row_context(TABLE, pass.workspace())?;
        rows.into_iter().map(GrantRow::read).collect()
    }

    pub(crate) fn grant_count(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<i64, StoreError> {
        let count = grants::table
            .filter(grants::org_id.eq(Id::from(org)))
            .filter(grants::revoked_at.is_null())
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(Time(self.now))))
            .filter(grants::workspace_id.eq(Id::from(workspace)))
            .count();
        count.get_result(self.drained()?).row_context(TABLE, workspace)
    }

    pub(crate) fn give_grant(
        &mut self,
        pass: &GrantPass,
        _: GrantPlan,
        draft: &GrantDraft,
    ) -> Result<StoredGrant, StoreError> {
        let GrantFields { subject, sessions, to_session, to_workspace, expires_at, evidence } = draft.fields();
        let row = GrantRow {
            org_id: pass.org().into(),
            id: Id(self.core.ids.next(self.now)),
            workspace_id: pass.workspace().into(),
            subject: subject.as_str().to_owned(),
            sessions: sessions.as_ref().map(|sessions| serde_json::Value::from(sessions.clone()).to_string()),
            to_workspace: (*to_workspace).into(),
            to_session: to_session.as_ref().map(Scrubbed::as_str).map(str::to_owned),
            evidence: evidence.as_str().to_owned(),
            granted_by: self.actor.subject.to_string(),
            created_at: Time(self.now),
            expires_at: expires_at.map(Time),
            revoked_at: None,
        };
        diesel::insert_into(grants::table).values(&row).execute(self.writing()?)?;
        self.touch(pass.org())?;
        // the row of the log outlives an erasure of the end user: it has only ids
        let record = AuditRecord::new(AuditAction::GiveGrant, pass.workspace())
            .context_field("grant_id", row.id.0.to_string())
            .context_field("to_workspace", to_workspace.to_string());
        self.record(record)?;
        row.read()
    }

    pub(crate) fn revoke_grant(&mut self, pass: &GrantPass, id: Uuid) -> Result<bool, StoreError> {
        let mut found = grants::table
            .filter(grants::org_id.eq(Id::from(pass.org())))
            .filter(grants::revoked_at.is_null())
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(Time(self.now))))
            .filter(grants::id.eq(Id(id)))
            .filter(grants::workspace_id.eq(Id::from(pass.workspace())))
            .select(grants::id)
            .into_boxed();
        if let Some(subject) = pass.subject() {
            found = found.filter(grants::subject.eq(subject.to_string()));
        }
        let found: Option<Id> = found.first(self.drained()?).optional().row_context(TABLE, id)?;
        if found.is_none() {
            return Ok(false);
        }
        self.empty_grant(pass.org(), pass.workspace(), id, self.now)?;
        Ok(true)
    }

    /// Revokes a grant that was revoked in another copy of the database. Returns false if it is not in force here.
    pub(crate) fn repeat_grant_revocation(
        &mut self,
        org: OrgId,
        id: Uuid,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let found: Option<Id> = grants::table
            .find((Id::from(org), Id(id)))
            .filter(grants::revoked_at.is_null())
            .select(grants::workspace_id)
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, id)?;
        let Some(workspace) = found else { return Ok(false) };
        self.empty_grant(org, workspace.workspace(), id, at)?;
        Ok(true)
    }

    /// Deletes the texts of a grant. The row remains as revoked, until the grant would have expired.
    fn empty_grant(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        id: Uuid,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let emptied = (
            grants::subject.eq(""),
            grants::sessions.eq(None::<String>),
            grants::to_session.eq(None::<String>),
            grants::evidence.eq(""),
            grants::granted_by.eq(""),
            grants::revoked_at.eq(Some(Time(at))),
        );
        diesel::update(grants::table.find((Id::from(org), Id(id)))).set(emptied).execute(self.writing()?)?;
        self.pending.deleted_from.push(TABLE);
        self.touch(org)?;
        let record = AuditRecord::new(AuditAction::RevokeGrant, workspace);
        self.record(record.context_field("grant_id", id.to_string()))?;
        Ok(())
    }

    /// Deletes the grants of an end user, with what the user agreed to.
    pub(crate) fn erase_grants_about(&mut self, org: Id, subject: &str) -> Result<(), StoreError> {
        let about = grants::table.filter(grants::org_id.eq(org)).filter(grants::subject.eq(subject.to_owned()));
        diesel::delete(about).execute(self.writing()?)?;
        self.pending.deleted_from.push(TABLE);
        Ok(())
    }

    /// At most `limit` grants that have expired.
    pub(crate) fn expired_grants(&mut self, limit: i64) -> Result<Vec<(OrgId, Uuid)>, StoreError> {
        let expired: Vec<(Id, Id)> = grants::table
            .filter(grants::expires_at.le(Time(self.now)))
            .limit(limit)
            .select((grants::org_id, grants::id))
            .load(self.conn()?)
            .row_context(TABLE, "expired")?;
        Ok(expired.into_iter().map(|(org, id)| (org.org(), id.0)).collect())
    }

    /// Deletes the grants that are still expired, with an audit row for each workspace.
    pub(crate) fn reclaim_grants(&mut self, org: OrgId, due: &[Uuid]) -> Result<(), StoreError> {
        let mut removed: BTreeMap<WorkspaceId, usize> = BTreeMap::new();
        for &id in due {
            let key = (Id::from(org), Id(id));
            let found: Option<(Id, Option<Time>)> = grants::table
                .find(key)
                .filter(grants::expires_at.le(Time(self.now)))
                .select((grants::workspace_id, grants::revoked_at))
                .first(self.drained()?)
                .optional()
                .row_context(TABLE, id)?;
            let Some((workspace, revoked_at)) = found else { continue };
            diesel::delete(grants::table.find(key)).execute(self.writing()?)?;
            if revoked_at.is_none() {
                *removed.entry(workspace.workspace()).or_default() += 1;
            }
        }
        for (workspace, grants) in removed {
            self.pending.deleted_from.push(TABLE);
            self.touch(org)?;
            self.record(AuditRecord::new(AuditAction::ExpireGrants, workspace).context_field("grants", grants))?;
        }
        Ok(())
    }
}

//! The token registry: issue, use and revocation.

use std::collections::HashMap;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ActPass, Role, ServerPass, TokenPass};
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{AuditRecord, KnownToken, SERVER, TokenRecord};
use crate::engine::RowContext;
use crate::schema::{access_log, revocations, tokens, workspaces};

/// Upper bound on the lifetime of a token: a year plus leeway.
const LONGEST_LIFE: TimeDelta = TimeDelta::days(367);

/// Upper bound on the leeway within which an expired token is still accepted.
pub(crate) const LEEWAY: TimeDelta = TimeDelta::hours(1);

/// How far `iat` may be in the future, so that it is after a revocation in the same second. A verifier rejects tokens that
/// were issued more than its leeway in the future.
const MAX_ISSUE_LEAD: TimeDelta = TimeDelta::seconds(5);

#[derive(Debug, Insertable)]
#[diesel(table_name = tokens)]
struct TokenRow<'t> {
    org_id: Id,
    jti: Id,
    workspace_id: Option<Id>,
    role: TextEnum<Role>,
    subject: &'t str,
    issued_at: Time,
    expires_at: Time,
    end_user: Option<&'t str>,
    session_id: Option<&'t str>,
}

/// Replaces the end user and the session of a token after the erasure of the end user: the token remains a bound one.
const ERASED: &str = "[erased]";

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = tokens)]
struct TokenColumns {
    jti: Id,
    role: TextEnum<Role>,
    subject: String,
    issued_at: Time,
    expires_at: Time,
    /// The last sealed use.
    last_used_at: Option<Time>,
    end_user: Option<String>,
    session_id: Option<String>,
}

impl Tx<'_> {
    pub(crate) fn token(&mut self, jti: Uuid) -> Result<Option<KnownToken>, StoreError> {
        Ok(self.token_and_expiry(jti)?.map(|(token, _)| token))
    }

    pub(crate) fn tokens_of(
        &mut self,
        pass: &ActPass,
        before: Option<(DateTime<Utc>, Uuid)>,
        most: usize,
    ) -> Result<Vec<TokenRecord>, StoreError> {
        let (org, workspace) = (Id::from(pass.org()), pass.workspace());
        let mut rows = tokens::table
            .filter(tokens::org_id.eq(org))
            .filter(tokens::workspace_id.eq(Id::from(workspace)))
            .filter(tokens::expires_at.gt(Time(self.now)))
            .into_boxed();
        if let Some((issued_at, jti)) = before {
            let is_older = tokens::issued_at.lt(Time(issued_at));
            rows = rows.filter(is_older.or(tokens::issued_at.eq(Time(issued_at)).and(tokens::jti.lt(Id(jti)))));
        }
        let rows: Vec<TokenColumns> = rows
            .order((tokens::issued_at.desc(), tokens::jti.desc()))
            .limit(row_limit(most))
            .select(TokenColumns::as_select())
            .load(self.conn()?)
            .row_context("tokens", workspace)?;
        let ids: Vec<Id> = rows.iter().map(|row| row.jti).collect();
        let revoked: Vec<(Id, Time)> = revocations::table
            .filter(revocations::org_id.eq(org))
            .filter(revocations::jti.eq_any(&ids))
            .select((revocations::jti, revocations::revoked_at))
            .load(self.conn()?)
            .row_context("revocations", workspace)?;
        let all = self.tokens_revoked_at(pass.org(), workspace)?;
        let unsealed = self.unsealed_uses(pass.org(), &ids)?;
        let record = |row: TokenColumns| {
            let TokenColumns { jti, role, subject, issued_at, expires_at, last_used_at, end_user, session_id } = row;
            let single = revoked.iter().find(|(id, _)| id.0 == jti.0).map(|(_, Time(at))| *at);
            let with_all = all.filter(|&at| issued_at.0 < first_unrevoked_second(at));
            let sealed = last_used_at.map(|Time(at)| at);
            TokenRecord {
                jti: jti.0,
                role: role.0,
                subject,
                end_user,
                session_id,
                issued_at: issued_at.0,
                expires_at: expires_at.0,
                revoked_at: single.or(with_all),
                last_used_at: sealed.max(unsealed.get(&jti.0).copied()),
            }
        };
        Ok(rows.into_iter().map(record).collect())
    }

    pub(crate) fn tokens_in_force(&mut self, pass: &ActPass) -> Result<i64, StoreError> {
        let (org, workspace) = (Id::from(pass.org()), pass.workspace());
        let all = self.tokens_revoked_at(pass.org(), workspace)?;
        let first = all.map_or(DateTime::UNIX_EPOCH, first_unrevoked_second);
        let revoked = revocations::table.filter(revocations::org_id.eq(org)).select(revocations::jti);
        tokens::table
            .filter(tokens::org_id.eq(org))
            .filter(tokens::workspace_id.eq(Id::from(workspace)))
            .filter(tokens::expires_at.gt(Time(self.now)))
            .filter(tokens::issued_at.ge(Time(first)))
            .filter(tokens::jti.ne_all(revoked))
            .count()
            .get_result(self.conn()?)
            .row_context("tokens", workspace)
    }

    pub(crate) fn token_time(&mut self, pass: &TokenPass) -> Result<DateTime<Utc>, StoreError> {
        let now = self.now.trunc_subsecs(0);
        let Some((org, workspace)) = pass.bound() else { return Ok(now) };
        let Some(revoked_at) = self.tokens_revoked_at(org, workspace)? else { return Ok(now) };
        let mut first = first_unrevoked_second(revoked_at);
        if first > now + MAX_ISSUE_LEAD {
            self.bring_revocation_forward(org, workspace, first)?;
            first = first_unrevoked_second(self.now);
        }
        Ok(now.max(first))
    }

    /// Replaces the revocation of all tokens of a workspace issued before `first`, which was recorded before the clock was
    /// set back, by one of all tokens up to now and by a revocation of each issued token.
    ///
    /// A token of another issuer that the registry lacks and whose `iat` is in the future stays invalid until then.
    fn bring_revocation_forward(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        first: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.note_revocation(org)?;
        let (org, workspace, now) = (Id::from(org), Id::from(workspace), Time(self.now));
        let issued: Vec<(Id, Time)> = tokens::table
            .filter(tokens::org_id.eq(org))
            .filter(tokens::workspace_id.eq(workspace))
            .filter(tokens::issued_at.lt(Time(first)))
            .filter(tokens::expires_at.gt(Time(self.now - LEEWAY)))
            .select((tokens::jti, tokens::expires_at))
            .load(self.drained()?)
            .row_context("tokens", workspace)?;
        let conn = self.writing()?;
        for (jti, expires_at) in issued {
            let row = (
                revocations::org_id.eq(org),
                revocations::jti.eq(jti),
                revocations::revoked_at.eq(now),
                revocations::expires_at.eq(expires_at),
            );
            diesel::insert_into(revocations::table).values(row).on_conflict_do_nothing().execute(conn)?;
        }
        diesel::update(workspaces::table.find((org, workspace)))
            .set(workspaces::tokens_revoked_at.eq(Some(now)))
            .execute(conn)?;
        Ok(())
    }

    pub(crate) fn record_token(
        &mut self,
        pass: &TokenPass,
        jti: Uuid,
        subject: &str,
        issued_at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let row = TokenRow {
            org_id: pass.bound().map_or(SERVER, |(org, _)| org).into(),
            jti: jti.into(),
            workspace_id: pass.bound().map(|(_, workspace)| workspace.into()),
            role: TextEnum(pass.role()),
            subject,
            issued_at: Time(issued_at),
            expires_at: Time(expires_at),
            end_user: pass.user().subject.as_deref(),
            session_id: pass.user().session.as_deref(),
        };
        diesel::insert_into(tokens::table).values(row).execute(self.writing()?)?;
        let bound = pass.bound().map_or(WorkspaceId::NIL, |(_, workspace)| workspace);
        let record = AuditRecord::new(AuditAction::IssueToken, bound)
            .context_field("jti", jti.to_string())
            .context_field("role", pass.role().as_str());
        self.record(record.context_field("subject", subject).context_field("expires_at", expires_at.to_rfc3339()))?;
        Ok(())
    }

    /// Removes an end user from the tokens that are bound to them.
    pub(crate) fn erase_tokens_of(&mut self, org: Id, subject: &str) -> Result<(), StoreError> {
        let bound = tokens::table.filter(tokens::org_id.eq(org)).filter(tokens::end_user.eq(subject.to_owned()));
        let sessions = diesel::update(bound.clone().filter(tokens::session_id.is_not_null()));
        sessions.set(tokens::session_id.eq(Some(ERASED))).execute(self.writing()?)?;
        if diesel::update(bound).set(tokens::end_user.eq(Some(ERASED))).execute(self.writing()?)? > 0 {
            self.pending.deleted_from.push("tokens");
        }
        Ok(())
    }

    pub(crate) fn revoke_token(&mut self, pass: &ActPass, jti: Uuid) -> Result<bool, StoreError> {
        let own = KnownToken { org: pass.org(), workspace: Some(pass.workspace()) };
        match self.token_and_expiry(jti)? {
            Some((token, expires_at)) if token == own => {
                self.revoke(own.org, jti, expires_at, pass.workspace()).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    pub(crate) fn revoke_any_token(&mut self, _: &ServerPass, jti: Uuid) -> Result<(), StoreError> {
        let known = self.token_and_expiry(jti)?.map(|(_, expires_at)| expires_at);
        self.revoke(SERVER, jti, known.unwrap_or(self.now + LONGEST_LIFE), WorkspaceId::NIL)
    }

    pub(crate) fn revoke_tokens_of(&mut self, pass: &ActPass) -> Result<(), StoreError> {
        let (org, workspace) = (pass.org(), pass.workspace());
        let last = self.tokens_revoked_at(org, workspace)?;
        self.note_revocation(org)?;
        self.record(AuditRecord::new(AuditAction::RevokeTokens, workspace))?;
        // a token issued since the last revocation may carry an `iat` in the future: it is revoked too
        let until = last.map_or(self.now, |at| self.now.max(first_unrevoked_second(at)));
        diesel::update(workspaces::table.find((Id::from(org), Id::from(workspace))))
            .set(workspaces::tokens_revoked_at.eq(Some(Time(until))))
            .execute(self.writing()?)?;
        Ok(())
    }

    /// The last use of each token in these rows of the access log. Skips tokens that the registry of the org lacks.
    pub(crate) fn tokens_used(
        &mut self,
        org: OrgId,
        rows: impl Iterator<Item = (Id, Time)>,
    ) -> Result<Vec<(Uuid, DateTime<Utc>)>, StoreError> {
        let mut used: HashMap<Uuid, DateTime<Utc>> = HashMap::new();
        for (Id(jti), Time(at)) in rows {
            let last = used.entry(jti).or_insert(at);
            *last = at.max(*last);
        }
        let issued: Vec<Id> = tokens::table
            .filter(tokens::org_id.eq(Id::from(org)))
            .filter(tokens::jti.eq_any(used.keys().copied().map(Id)))
            .select(tokens::jti)
            .load(self.drained()?)
            .row_context("tokens", org)?;
        Ok(issued.into_iter().filter_map(|Id(jti)| Some((jti, *used.get(&jti)?))).collect())
    }

    /// Raises `last_used_at` of tokens; later stored values remain.
    pub(crate) fn note_use(&mut self, org: OrgId, used: &[(Uuid, DateTime<Utc>)]) -> Result<(), StoreError> {
        for &(jti, at) in used {
            let at = Some(Time(at));
            diesel::update(tokens::table.find((Id::from(org), Id(jti))))
                .filter(tokens::last_used_at.is_null().or(tokens::last_used_at.lt(at)))
                .set(tokens::last_used_at.eq(at))
                .execute(self.writing()?)?;
        }
        Ok(())
    }

    /// The last use of each token in the unsealed rows of the access log.
    fn unsealed_uses(&mut self, org: OrgId, ids: &[Id]) -> Result<HashMap<Uuid, DateTime<Utc>>, StoreError> {
        let sealed = self.view(org)?.row.sealed_seq;
        let rows: Vec<(Option<Id>, Option<Time>)> = access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::seq.gt(sealed))
            .filter(access_log::token_id.eq_any(ids.iter().copied().map(Some)))
            .group_by(access_log::token_id)
            .select((access_log::token_id, diesel::dsl::max(access_log::at)))
            .load(self.drained()?)
            .row_context("access_log", org)?;
        Ok(rows.into_iter().filter_map(|(jti, at)| Some((jti?.0, at?.0))).collect())
    }

    /// A token and its expiry.
    fn token_and_expiry(&mut self, jti: Uuid) -> Result<Option<(KnownToken, DateTime<Utc>)>, StoreError> {
        let row: Option<(Id, Option<Id>, Time)> = tokens::table
            .filter(tokens::jti.eq(Id(jti)))
            .select((tokens::org_id, tokens::workspace_id, tokens::expires_at))
            .first(self.conn()?)
            .optional()
            .row_context("tokens", jti)?;
        let known = |(org, workspace, Time(expires_at)): (Id, Option<Id>, Time)| {
            (KnownToken { org: org.org(), workspace: workspace.map(Id::workspace) }, expires_at)
        };
        Ok(row.map(known))
    }

    fn revoke(
        &mut self,
        org: OrgId,
        jti: Uuid,
        expires_at: DateTime<Utc>,
        bound: WorkspaceId,
    ) -> Result<(), StoreError> {
        self.note_revocation(org)?;
        self.record(AuditRecord::new(AuditAction::RevokeToken, bound).context_field("jti", jti.to_string()))?;
        let row = (
            revocations::org_id.eq(Id::from(org)),
            revocations::jti.eq(Id(jti)),
            revocations::revoked_at.eq(Time(self.now)),
            revocations::expires_at.eq(Time(expires_at)),
        );
        diesel::insert_into(revocations::table).values(row).on_conflict_do_nothing().execute(self.writing()?)?;
        Ok(())
    }

    /// Revokes a token that was revoked in another copy of the database. Returns false if it is revoked here.
    pub(crate) fn repeat_revocation(
        &mut self,
        org: OrgId,
        jti: Uuid,
        at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let row = (
            revocations::org_id.eq(Id::from(org)),
            revocations::jti.eq(Id(jti)),
            revocations::revoked_at.eq(Time(at)),
            revocations::expires_at.eq(Time(expires_at)),
        );
        let written = diesel::insert_into(revocations::table).values(row).on_conflict_do_nothing();
        if written.execute(self.writing()?)? == 0 {
            return Ok(false);
        }
        self.note_revocation(org)?;
        let known = self.token_and_expiry(jti)?.and_then(|(token, _)| token.workspace);
        let about = known.unwrap_or(WorkspaceId::NIL);
        self.record(AuditRecord::new(AuditAction::RevokeToken, about).context_field("jti", jti.to_string()))?;
        Ok(true)
    }

    /// Revokes the tokens of a workspace up to a time. Returns false if they are revoked here.
    pub(crate) fn repeat_revocation_of_all(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let row = workspaces::table
            .filter(workspaces::org_id.eq(Id::from(org)))
            .filter(workspaces::id.eq(Id::from(workspace)))
            .filter(workspaces::tokens_revoked_at.is_null().or(workspaces::tokens_revoked_at.lt(Some(Time(at)))));
        let updated = diesel::update(row).set(workspaces::tokens_revoked_at.eq(Some(Time(at))));
        if updated.execute(self.writing()?)? == 0 {
            return Ok(false);
        }
        self.note_revocation(org)?;
        self.record(AuditRecord::new(AuditAction::RevokeTokens, workspace))?;
        Ok(true)
    }

    /// Marks the revocations of the org as changed, so that every server reloads them from the next transaction on.
    fn note_revocation(&mut self, org: OrgId) -> Result<(), StoreError> {
        self.touch(org)?;
        self.view(org)?.changes.revocations = true;
        Ok(())
    }

    fn tokens_revoked_at(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Option<DateTime<Utc>>, StoreError> {
        let at: Option<Option<Time>> = workspaces::table
            .find((Id::from(org), Id::from(workspace)))
            .select(workspaces::tokens_revoked_at)
            .first(self.conn()?)
            .optional()
            .row_context("workspaces", workspace)?;
        Ok(at.flatten().map(|at| at.0))
    }
}

/// The first `iat`, in whole seconds, that a revocation of all tokens until `revoked_at` does not cover.
fn first_unrevoked_second(revoked_at: DateTime<Utc>) -> DateTime<Utc> {
    revoked_at.trunc_subsecs(0) + TimeDelta::seconds(1)
}

//! The end of sessions: their session-only memories are removed as by expiry.

use chrono::{DateTime, Utc};
use diesel::dsl::max;
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ActPass;
use orgmem_policies::rules::ExpiryRule;

use super::memory_rows::MemoryRow;
use super::{Condition, Tx};
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::OpenSession;
use crate::engine::RowContext;
use crate::schema::{episodes, memories};

/// Memories that one transaction removes, and sessions that one read returns.
const BATCH: i64 = 200;

impl Tx<'_> {
    pub(crate) fn idle_sessions(&mut self, before: DateTime<Utc>) -> Result<Vec<(OrgId, OpenSession)>, StoreError> {
        let sessions: Vec<(Id, Id, Option<String>)> = memories::table
            // the literal condition of the partial index, which a bound value would not match
            .filter(Condition(super::SESSION_ONLY))
            .group_by((memories::org_id, memories::author_id, memories::session_id))
            .having(max(memories::updated_at).le(Time(before)))
            .select((memories::org_id, memories::author_id, memories::session_id))
            .load(self.conn()?)
            .row_context("memories", "sessions")?;
        let mut idle = Vec::new();
        for (org, workspace, session) in sessions {
            let session = OpenSession { workspace: workspace.workspace(), session: session.unwrap_or_default() };
            if !self.has_episodes_since(org.org(), &session, before)? {
                idle.push((org.org(), session));
                if idle.len() == BATCH as usize {
                    break;
                }
            }
        }
        Ok(idle)
    }

    pub(crate) fn end_session(&mut self, pass: &ActPass, session: &str) -> Result<usize, StoreError> {
        let subject = pass.user().bound().subject.as_deref();
        self.end(pass.org(), (pass.workspace(), session), subject, ExpiryRule::SessionEnd)
    }

    pub(crate) fn end_idle_session(
        &mut self,
        session: &OpenSession,
        before: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        let org = self.org;
        let latest: Option<Time> = memories::table
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::author_id.eq(Id::from(session.workspace)))
            .filter(memories::session_id.eq(Some(&session.session)))
            .filter(Condition(super::SESSION_ONLY))
            .select(max(memories::updated_at))
            .first(self.drained()?)
            .row_context("memories", &session.session)?;
        if latest.is_some_and(|latest| latest > Time(before)) || self.has_episodes_since(org, session, before)? {
            return Ok(0);
        }
        self.end(org, (session.workspace, &session.session), None, ExpiryRule::SessionIdle)
    }

    /// Removes a batch of the session-only memories, with `subject` only those of one end user.
    fn end(
        &mut self,
        org: OrgId,
        (author, session): (WorkspaceId, &str),
        subject: Option<&str>,
        rule: ExpiryRule,
    ) -> Result<usize, StoreError> {
        let mut rows = memories::table
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::author_id.eq(Id::from(author)))
            .filter(memories::session_id.eq(Some(session)))
            .filter(Condition(super::SESSION_ONLY))
            .limit(BATCH)
            .select(MemoryRow::as_select())
            .into_boxed();
        if let Some(subject) = subject {
            rows = rows.filter(memories::subject.eq(subject));
        }
        let rows: Vec<MemoryRow> = rows.load(self.drained()?).row_context("memories", session)?;
        self.expire_memories(&rows, rule, None)?;
        Ok(rows.len())
    }

    /// Whether the workspace has an episode of the session after this time.
    fn has_episodes_since(
        &mut self,
        org: OrgId,
        session: &OpenSession,
        since: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let (occurred, recorded): (Option<Time>, Option<Time>) = episodes::table
            .filter(episodes::org_id.eq(Id::from(org)))
            .filter(episodes::workspace_id.eq(Id::from(session.workspace)))
            .filter(episodes::session_id.eq(Some(&session.session)))
            .select((max(episodes::created_at), max(episodes::recorded_at)))
            .first(self.drained()?)
            .row_context("episodes", &session.session)?;
        // nothing is recorded before it happens
        Ok(occurred.max(recorded).is_some_and(|latest| latest > Time(since)))
    }
}

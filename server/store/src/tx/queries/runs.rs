//! Gated runs: start, list and end.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::RunDraft;
use orgmem_policies::rules::ExpiryRule;
use orgmem_policies::{ActPass, RunEnding, RunStatus, ViewPass};
use serde_json::Value;
use uuid::Uuid;

use super::{Condition, Tx};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, PendingMemory, PendingMemoryRef, Run, RunFilter};
use crate::engine::RowContext;
use crate::schema::runs;

/// Runs that one transaction deletes.
const BATCH: usize = 500;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = runs, treat_none_as_default_value = false)]
pub(crate) struct RunRow {
    pub(crate) org_id: Id,
    pub(crate) id: Id,
    pub(crate) workspace_id: Id,
    pub(crate) status: TextEnum<RunStatus>,
    pub(crate) session_id: Option<String>,
    label: Option<String>,
    started_by: String,
    started_at: Time,
    pub(crate) times_out_at: Time,
    pub(crate) finished_at: Option<Time>,
    pub(crate) write_count: i64,
    dropped_count: i64,
}

impl RunRow {
    fn read(self, now: DateTime<Utc>) -> Run {
        let status = self.status.0.at(now, self.times_out_at.0);
        // a timed-out run has dropped its memories, even before the sweep ends it
        let is_late = status == RunStatus::TimedOut && self.status.0 == RunStatus::Open;
        let (written, dropped) = if is_late { (0, self.write_count) } else { (self.write_count, self.dropped_count) };
        Run {
            id: self.id.0,
            workspace: self.workspace_id.workspace(),
            status,
            session_id: self.session_id,
            label: self.label,
            started_by: self.started_by,
            started_at: self.started_at.0,
            times_out_at: self.times_out_at.0,
            finished_at: if is_late { Some(self.times_out_at.0) } else { self.finished_at.map(|at| at.0) },
            written,
            dropped,
        }
    }
}

impl Tx<'_> {
    pub(crate) fn run(&mut self, org: OrgId, workspace: WorkspaceId, id: Uuid) -> Result<Option<Run>, StoreError> {
        let row = self.run_row(org, id)?.filter(|row| row.workspace_id == workspace.into());
        Ok(row.map(|row| row.read(self.now)))
    }

    pub(crate) fn runs(&mut self, pass: &ViewPass, filter: &RunFilter, most: usize) -> Result<Vec<Run>, StoreError> {
        if filter.session_id.as_deref().is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        let now = Time(self.now);
        let mut rows = runs::table
            .filter(runs::org_id.eq(Id::from(pass.org())))
            .filter(runs::workspace_id.eq(Id::from(pass.workspace())))
            .into_boxed();
        if let Some(before) = filter.before {
            rows = rows.filter(runs::id.lt(Id(before)));
        }
        if let Some(named) = users.session() {
            let own = named.filter(|named| !holds_nul(named)).unwrap_or_default().to_owned();
            rows = rows.filter(runs::session_id.is_null().or(runs::session_id.eq(own)));
        }
        if let Some(session) = &filter.session_id {
            rows = rows.filter(runs::session_id.eq(session));
        }
        let is_open = runs::status.eq(TextEnum(RunStatus::Open));
        rows = match filter.status {
            None => rows,
            Some(RunStatus::Open) => rows.filter(is_open.and(runs::times_out_at.gt(now))),
            Some(RunStatus::TimedOut) => {
                rows.filter(runs::status.eq(TextEnum(RunStatus::TimedOut)).or(is_open.and(runs::times_out_at.le(now))))
            }
            Some(status) => rows.filter(runs::status.eq(TextEnum(status))),
        };
        let rows: Vec<RunRow> = rows
            .order(runs::id.desc())
            .limit(row_limit(most))
            .select(RunRow::as_select())
            .load(self.conn()?)
            .row_context("runs", pass.workspace())?;
        Ok(rows.into_iter().map(|row| row.read(self.now)).collect())
    }

    pub(crate) fn pending_memories(
        &mut self,
        pass: &ViewPass,
        run: Uuid,
        after: i64,
        most: usize,
    ) -> Result<Vec<PendingMemory>, StoreError> {
        match self.run(pass.org(), pass.workspace(), run)? {
            Some(Run { status: RunStatus::Open, .. }) => self.pending_of_run(pass.org(), run, after, most),
            Some(_) | None => Ok(Vec::new()),
        }
    }

    pub(crate) fn orgs_with_old_runs(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        let orgs: Vec<Id> = runs::table
            .filter(runs::finished_at.is_not_null())
            .filter(runs::finished_at.lt(Time(before)))
            .select(runs::org_id)
            .distinct()
            .load(self.conn()?)
            .row_context("runs", "ended")?;
        Ok(orgs.into_iter().map(Id::org).collect())
    }

    pub(crate) fn pending_ref(&mut self, org: OrgId, memory: Uuid) -> Result<Option<PendingMemoryRef>, StoreError> {
        for pending in self.pending_by_memory(org, memory)? {
            let run = self.run(org, pending.author, pending.run)?;
            if run.is_some_and(|run| run.status == RunStatus::Open) {
                return Ok(Some(pending));
            }
        }
        Ok(None)
    }

    pub(crate) fn start_run(
        &mut self,
        pass: &ActPass,
        draft: &RunDraft,
        started_by: &str,
        times_out_at: DateTime<Utc>,
    ) -> Result<Run, StoreError> {
        let id = self.core.ids.next(self.now);
        self.touch(pass.org())?;
        let row = RunRow {
            org_id: pass.org().into(),
            id: Id(id),
            workspace_id: pass.workspace().into(),
            status: TextEnum(RunStatus::Open),
            session_id: draft.session_id().map(str::to_owned),
            label: draft.label().map(str::to_owned),
            started_by: started_by.to_owned(),
            started_at: Time(self.now),
            times_out_at: Time(crate::columns::whole_micros(times_out_at)),
            finished_at: None,
            write_count: 0,
            dropped_count: 0,
        };
        diesel::insert_into(runs::table).values(&row).execute(self.writing()?)?;
        let record = AuditRecord::new(AuditAction::StartRun, pass.workspace()).in_run(Some(id));
        self.record(record.event_field("run_id", id.to_string()))?;
        Ok(row.read(self.now))
    }

    pub(crate) fn finish_run(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        ending: RunEnding,
        committed: &[(Scope, Option<WorkspaceId>)],
    ) -> Result<(), StoreError> {
        let row = self.run_row(pass.org(), id)?.filter(|row| row.workspace_id == pass.workspace().into());
        let Some(row) = row else { return Ok(()) };
        let mut partitions: BTreeMap<(Scope, Option<WorkspaceId>), i64> = BTreeMap::new();
        for partition in committed {
            *partitions.entry(*partition).or_default() += 1;
        }
        // the events of the commits precede the event of the run's end
        for ((scope, team), count) in partitions {
            let details = [("run_id", id.to_string().into()), ("write_count", count.into())];
            self.announce(EventKind::MemoryCommitted, pass.workspace(), (scope, team), &details)?;
        }
        self.end_run(&row, ending.into(), i64::try_from(committed.len()).unwrap_or(i64::MAX))
    }

    pub(crate) fn drop_old_runs(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        let org = Id::from(self.org);
        let old: Vec<(Id, Id)> = runs::table
            .filter(runs::org_id.eq(org))
            .filter(runs::finished_at.is_not_null())
            .filter(runs::finished_at.lt(Time(before)))
            .limit(row_limit(BATCH))
            .select((runs::workspace_id, runs::id))
            .load(self.drained()?)
            .row_context("runs", "ended")?;
        let ids: Vec<Id> = old.iter().map(|(_, id)| *id).collect();
        let rows = runs::table.filter(runs::org_id.eq(org)).filter(runs::id.eq_any(&ids));
        let deleted = diesel::delete(rows).execute(self.writing()?)?;
        let mut by_workspace: BTreeMap<WorkspaceId, Vec<Value>> = BTreeMap::new();
        for (workspace, id) in old {
            by_workspace.entry(workspace.workspace()).or_default().push(id.0.to_string().into());
        }
        for (workspace, runs) in by_workspace {
            let record = AuditRecord::new(AuditAction::ExpireRuns, workspace);
            self.record(record.context_field("rule", "runs.keep_seconds").context_field("runs", runs))?;
        }
        Ok(deleted)
    }

    pub(crate) fn run_row(&mut self, org: OrgId, id: Uuid) -> Result<Option<RunRow>, StoreError> {
        runs::table
            .find((Id::from(org), Id(id)))
            .select(RunRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("runs", id)
    }

    /// Stores the number of pending memories of a run.
    pub(crate) fn count_pending(&mut self, row: &RunRow, pending: i64) -> Result<(), StoreError> {
        let counted = runs::table.find((row.org_id, row.id));
        diesel::update(counted).set(runs::write_count.eq(pending)).execute(self.writing()?)?;
        Ok(())
    }

    /// Ends a run. `written` of its pending memories were committed; the others are dropped.
    fn end_run(&mut self, row: &RunRow, status: RunStatus, written: i64) -> Result<(), StoreError> {
        let (org, id) = (row.org_id.org(), row.id.0);
        self.touch(org)?;
        let dropped = row.write_count - written;
        let dropped_ids = self.drop_pending(org, id, dropped > 0, written > 0)?;
        self.settle_uses(org, id, status)?;
        diesel::update(runs::table.find((row.org_id, row.id)))
            .set((
                runs::status.eq(TextEnum(status)),
                runs::finished_at.eq(Some(Time(self.now))),
                runs::write_count.eq(written),
                runs::dropped_count.eq(dropped),
            ))
            .execute(self.writing()?)?;
        let workspace = row.workspace_id.workspace();
        let mut record = AuditRecord::new(AuditAction::FinishRun, workspace)
            .in_run(Some(id))
            .about(dropped_ids.into_iter().map(|memory| (memory, 0)))
            .context_field("status", status.as_str())
            .context_field("write_count", written)
            .context_field("dropped_count", dropped)
            // the event never names a pending memory
            .event_kind(None);
        match status {
            RunStatus::TimedOut => record = record.context_field("rule", "runs.timeout_seconds"),
            RunStatus::Completed if dropped > 0 => {
                record = record.context_field("rule", ExpiryRule::ExpiresAt.as_str());
            }
            RunStatus::Open | RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => {}
        }
        self.record(record)?;
        let fields =
            [("run_id", id.to_string().into()), ("status", status.as_str().into()), ("write_count", written.into())];
        self.push_event(Time(self.now), EventKind::RunFinished, workspace, None, None, &fields)
    }

    /// Ends the open runs of removed workspaces and drops their pending memories, which no caller can commit any more.
    pub(crate) fn end_runs_of(&mut self, org: OrgId, removed: &[Id]) -> Result<(), StoreError> {
        let open: Vec<RunRow> = runs::table
            .filter(runs::org_id.eq(Id::from(org)))
            .filter(runs::workspace_id.eq_any(removed))
            // a literal, as the partial index does not match a bound parameter
            .filter(Condition("status = 'open'"))
            .order(runs::id)
            .select(RunRow::as_select())
            .load(self.drained()?)
            .row_context("runs", org)?;
        for row in open {
            let status = match row.status.0.at(self.now, row.times_out_at.0) {
                RunStatus::Open => RunStatus::Cancelled,
                timed_out => timed_out,
            };
            self.end_run(&row, status, 0)?;
        }
        Ok(())
    }

    /// Ends a run if it is open beyond its time-out.
    pub(crate) fn time_out(&mut self, org: OrgId, id: Uuid) -> Result<(), StoreError> {
        match self.run_row(org, id)? {
            Some(row) if row.status.0 == RunStatus::Open && row.times_out_at.0 <= self.now => {
                self.end_run(&row, RunStatus::TimedOut, 0)
            }
            Some(_) | None => Ok(()),
        }
    }
}

//! Events: reads within the permissions of a watcher, and deletion of old events.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::EventPass;

use super::Tx;
use super::audit_log::Below;
use super::audit_records::EventRow;
use crate::StoreError;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{Event, EventPage};
use crate::engine::RowContext;
use crate::schema::{events, orgs};

/// Maximum number of events deleted per call.
const DELETE_BATCH: i64 = 1000;

impl From<EventRow> for Event {
    fn from(row: EventRow) -> Self {
        Self {
            seq: row.seq,
            at: row.at.0,
            kind: row.kind.0,
            workspace: row.workspace_id.workspace(),
            memory: row.memory_id.map(|Id(id)| id),
            partition: row.scope.map(|scope| (scope.0, row.team_id.map(Id::workspace))),
            details: row.details,
        }
    }
}

impl Tx<'_> {
    pub(crate) fn last_event(&mut self, org: OrgId) -> Result<i64, StoreError> {
        Ok(self.view(org)?.row.event_seq)
    }

    pub(crate) fn events_after(&mut self, pass: &EventPass, after: i64, most: usize) -> Result<EventPage, StoreError> {
        let last = self.last_event(pass.org())?;
        let missed = EventPage { events: Vec::new(), until: last, more: false, missed: true };
        if after == last {
            return Ok(EventPage { missed: false, ..missed });
        }
        if after > last || after < 0 {
            return Ok(missed);
        }
        let rows: Vec<EventRow> = events::table
            .filter(events::org_id.eq(Id::from(pass.org())))
            .filter(events::seq.gt(after))
            .order(events::seq)
            .limit(row_limit(most))
            .select(EventRow::as_select())
            .load(self.conn()?)
            .row_context("events", pass.org())?;
        // sequence numbers have no gaps: a missing event was deleted
        if rows.iter().zip(after + 1..).any(|(row, seq)| row.seq != seq) || rows.is_empty() {
            return Ok(missed);
        }
        let until = rows.last().map_or(last, |row| row.seq);
        let mut known = Below::default();
        let mut events = Vec::new();
        for row in rows {
            let event = Event::from(row);
            let is_visible = match pass.covers(event.workspace, event.partition) {
                Some(covers) => covers,
                None => self.is_below(&mut known, pass.org(), event.workspace, pass.top())?,
            };
            if is_visible {
                events.push(event);
            }
        }
        Ok(EventPage { events, until, more: until < last, missed: false })
    }

    pub(crate) fn orgs_with_old_events(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        let all: Vec<Id> = orgs::table
            .filter(orgs::event_seq.gt(0))
            .select(orgs::org_id)
            .load(self.conn()?)
            .row_context("orgs", "with events")?;
        let mut old = Vec::new();
        for org in all {
            let first: Option<Time> = events::table
                .filter(events::org_id.eq(org))
                .order(events::seq)
                .select(events::at)
                .first(self.conn()?)
                .optional()
                .row_context("events", org)?;
            if first.is_some_and(|at| at.0 < before) {
                old.push(org.org());
            }
        }
        Ok(old)
    }

    pub(crate) fn drop_old_events(&mut self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        let org = Id::from(self.org);
        let conn = self.writing()?;
        let of_org = events::table.filter(events::org_id.eq(org));
        let first = of_org.order(events::seq).select((events::seq, events::at)).limit(DELETE_BATCH);
        let first: Vec<(i64, Time)> = first.load(conn).row_context("events", org)?;
        let old = first.iter().take_while(|(_, at)| at.0 < before).count();
        let Some((last, _)) = first[..old].last() else { return Ok(0) };
        Ok(diesel::delete(events::table.filter(events::org_id.eq(org)).filter(events::seq.le(last))).execute(conn)?)
    }
}

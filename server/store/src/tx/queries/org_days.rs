//! Operations of an org by day. They are counted when the rows of its audit log are written, so a figure never needs the
//! log.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use diesel::dsl::count_star;
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::RunStatus;
use orgmem_policies::audit::AuditAction;

use super::audit_records::StoredAuditRow;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use super::{ServerPass, Tx};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::OrgDay;
use crate::engine::RowContext;
use crate::schema::{org_days, runs};

/// Bytes of a memory in a row of the audit log.
const MEMORY_BYTES: usize = 24;

/// A row of `org_days`, or the increment of one.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = org_days, treat_none_as_default_value = false)]
struct OrgDayRow {
    org_id: Id,
    day: i64,
    memories: i64,
    writes: i64,
    agent_reads: i64,
    people_reads: i64,
}

impl OrgDayRow {
    fn count(&mut self, row: &StoredAuditRow) {
        let TextEnum(action) = row.verb;
        if action == AuditAction::CommitMemory {
            self.memories += i64::try_from(row.memories.len() / MEMORY_BYTES).unwrap_or(i64::MAX);
        }
        if action.recalls_memories() {
            let reads = if row.role.0.is_person() { &mut self.people_reads } else { &mut self.agent_reads };
            *reads += 1;
        } else if action.event_kind().is_some() {
            self.writes += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.memories + self.writes + self.agent_reads + self.people_reads == 0
    }
}

/// Adds the operations of these rows to their days.
pub(crate) fn count(out: &mut Outgoing<'_>, rows: &[StoredAuditRow]) -> Result<(), StoreError> {
    let mut days: BTreeMap<(OrgId, i64), OrgDayRow> = BTreeMap::new();
    for row in rows {
        let (org, day) = (row.org_id.org(), day_number(row.at));
        let none = OrgDayRow { org_id: row.org_id, day, memories: 0, writes: 0, agent_reads: 0, people_reads: 0 };
        days.entry((org, day)).or_insert(none).count(row);
    }
    let added: Vec<OrgDayRow> = days.into_values().filter(|day| !day.is_empty()).collect();
    let on_conflict = " ON CONFLICT (org_id, day) DO UPDATE SET \
        memories = org_days.memories + excluded.memories, writes = org_days.writes + excluded.writes, \
        agent_reads = org_days.agent_reads + excluded.agent_reads, \
        people_reads = org_days.people_reads + excluded.people_reads";
    write_rows!(out, added, rows => Upsert { insert: diesel::insert_into(org_days::table).values(rows), on_conflict });
    Ok(())
}

fn day_number(at: Time) -> i64 {
    at.0.timestamp().div_euclid(86_400)
}

impl Tx<'_> {
    pub(crate) fn org_days(&mut self, _: &ServerPass, days: u32) -> Result<HashMap<OrgId, Vec<OrgDay>>, StoreError> {
        let first = day_number(Time(self.now)) - i64::from(days) + 1;
        let rows: Vec<OrgDayRow> = org_days::table
            .filter(org_days::day.ge(first))
            .order((org_days::org_id, org_days::day))
            .select(OrgDayRow::as_select())
            .load(self.drained()?)
            .row_context("org_days", first)?;
        let mut found: HashMap<OrgId, Vec<OrgDay>> = HashMap::new();
        for OrgDayRow { org_id, day, memories, writes, agent_reads, people_reads } in rows {
            let Some(day) = i32::try_from(day).ok().and_then(NaiveDate::from_epoch_days) else { continue };
            let day = OrgDay { day, memories, writes, agent_reads, people_reads };
            found.entry(org_id.org()).or_default().push(day);
        }
        Ok(found)
    }

    pub(crate) fn timed_out_runs(
        &mut self,
        _: &ServerPass,
        since: chrono::DateTime<chrono::Utc>,
    ) -> Result<HashMap<OrgId, i64>, StoreError> {
        let now = Time(self.now);
        let conn = self.drained()?;
        let ended: Vec<(Id, i64)> = runs::table
            .filter(runs::finished_at.ge(Time(since)))
            .filter(runs::status.eq(TextEnum(RunStatus::TimedOut)))
            .group_by(runs::org_id)
            .select((runs::org_id, count_star()))
            .load(conn)
            .row_context("runs", "timed out")?;
        // a run has timed out before the sweep ends it
        let late: Vec<(Id, i64)> = runs::table
            .filter(runs::status.eq(TextEnum(RunStatus::Open)))
            .filter(runs::times_out_at.ge(Time(since)))
            .filter(runs::times_out_at.le(now))
            .group_by(runs::org_id)
            .select((runs::org_id, count_star()))
            .load(conn)
            .row_context("runs", "late")?;
        let mut counts = HashMap::new();
        for (org, count) in ended.into_iter().chain(late) {
            *counts.entry(org.org()).or_default() += count;
        }
        Ok(counts)
    }
}

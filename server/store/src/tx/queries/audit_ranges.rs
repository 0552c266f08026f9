//! Where the rows of a workspace are in the access log: in which of its sealed stretches, and behind them.

use std::collections::BTreeSet;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use super::Tx;
use super::insert::{Outgoing, write_rows};
use crate::StoreError;
use crate::columns::Id;
use crate::engine::RowContext;
use crate::schema::audit_ranges;

/// Stretches that are looked for in one go.
const STRETCHES: i64 = 1000;

/// Rows behind the last seal that are looked at in one go. They are few, but where nothing can be sealed.
const WAITING: i64 = 20_000;

/// That a workspace has rows in a stretch.
#[derive(Insertable)]
#[diesel(table_name = audit_ranges)]
struct AuditRange {
    org_id: Id,
    workspace_id: Id,
    first_seq: i64,
    last_seq: i64,
}

fn insert(out: &mut Outgoing<'_>, rows: Vec<AuditRange>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(audit_ranges::table).values(rows));
    Ok(())
}

/// A span of numbers, the higher end left out.
#[derive(Clone, Copy)]
pub(crate) struct SeqRange {
    pub(crate) from: i64,
    pub(crate) below: i64,
}

/// Where rows may be, the newest first, and what was not looked at.
pub(crate) struct SeqRanges {
    pub(crate) spans: Vec<SeqRange>,
    /// There may be more before this number.
    pub(crate) more: Option<i64>,
}

impl Tx<'_> {
    /// Notes whose rows are in a stretch that is sealed.
    pub(crate) fn add_stretch(
        &mut self,
        org: OrgId,
        first: i64,
        last: i64,
        workspaces: &BTreeSet<Uuid>,
    ) -> Result<(), StoreError> {
        let row = |workspace: &Uuid| AuditRange {
            org_id: org.into(),
            workspace_id: Id(*workspace),
            first_seq: first,
            last_seq: last,
        };
        let rows: Vec<AuditRange> = workspaces.iter().map(row).collect();
        let mut out = Outgoing::new(self.writing()?);
        insert(&mut out, rows)?;
        out.send()
    }

    /// Whether it is noted of all of these workspaces that they have rows in this stretch.
    pub(crate) fn is_noted(
        &mut self,
        org: OrgId,
        first: i64,
        last: i64,
        workspaces: &BTreeSet<Uuid>,
    ) -> Result<bool, StoreError> {
        let episode = audit_ranges::table
            .filter(audit_ranges::org_id.eq(Id::from(org)))
            .filter(audit_ranges::workspace_id.eq_any(workspaces.iter().copied().map(Id)))
            .filter(audit_ranges::first_seq.eq(first).and(audit_ranges::last_seq.eq(last)))
            .count();
        let episode: i64 = episode.get_result(self.drained()?)?;
        Ok(usize::try_from(episode) == Ok(workspaces.len()))
    }

    /// Where rows of this workspace may be before `before`, in a log that is sealed up to `sealed`.
    pub(crate) fn stretches_of(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        sealed: i64,
        before: i64,
    ) -> Result<SeqRanges, StoreError> {
        let mut spans = Vec::new();
        if before > sealed + 1 {
            let from = (sealed + 1).max(before.saturating_sub(WAITING));
            spans.push(SeqRange { from, below: before });
            if from > sealed + 1 {
                return Ok(SeqRanges { spans, more: Some(from) });
            }
        }
        let ranges: Vec<(i64, i64)> = audit_ranges::table
            .filter(audit_ranges::org_id.eq(Id::from(org)))
            .filter(audit_ranges::workspace_id.eq(Id::from(workspace)))
            .filter(audit_ranges::first_seq.lt(before))
            .order(audit_ranges::first_seq.desc())
            .limit(STRETCHES)
            .select((audit_ranges::first_seq, audit_ranges::last_seq))
            .load(self.drained()?)
            .row_context("audit_ranges", workspace)?;
        let is_full = i64::try_from(ranges.len()) == Ok(STRETCHES);
        let more = ranges.last().map(|(first, _)| *first).filter(|_| is_full);
        spans.extend(
            ranges.into_iter().map(|(from, last)| SeqRange { from, below: before.min(last.saturating_add(1)) }),
        );
        Ok(SeqRanges { spans, more })
    }
}

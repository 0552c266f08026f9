//! The index of the audit log by workspace: the sealed ranges that contain rows of a workspace.

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

/// Maximum number of sealed ranges per call.
const MAX_RANGES: i64 = 1000;

/// Maximum number of unsealed rows per call. There are few, unless the rows cannot be sealed.
const MAX_UNSEALED: i64 = 20_000;

/// A row of `audit_ranges`: a sealed range that contains rows of a workspace.
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

/// A half-open range of sequence numbers.
#[derive(Clone, Copy)]
pub(crate) struct SeqRange {
    pub(crate) from: i64,
    pub(crate) below: i64,
}

/// The ranges to scan, newest first.
pub(crate) struct SeqRanges {
    pub(crate) spans: Vec<SeqRange>,
    /// Older ranges may exist before this number; none if `spans` is complete.
    pub(crate) more: Option<i64>,
}

impl Tx<'_> {
    /// Records the workspaces that have rows in a sealed range.
    pub(crate) fn add_sealed_range(
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

    /// Whether this sealed range is recorded for all of these workspaces.
    pub(crate) fn is_noted(
        &mut self,
        org: OrgId,
        first: i64,
        last: i64,
        workspaces: &BTreeSet<Uuid>,
    ) -> Result<bool, StoreError> {
        let recorded = audit_ranges::table
            .filter(audit_ranges::org_id.eq(Id::from(org)))
            .filter(audit_ranges::workspace_id.eq_any(workspaces.iter().copied().map(Id)))
            .filter(audit_ranges::first_seq.eq(first).and(audit_ranges::last_seq.eq(last)))
            .count();
        let recorded: i64 = recorded.get_result(self.drained()?)?;
        Ok(usize::try_from(recorded) == Ok(workspaces.len()))
    }

    /// The ranges below `before` that may contain rows of the workspace, in a log that is sealed up to `sealed`.
    pub(crate) fn sealed_ranges_of(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        sealed: i64,
        before: i64,
    ) -> Result<SeqRanges, StoreError> {
        let mut spans = Vec::new();
        if before > sealed + 1 {
            let from = (sealed + 1).max(before.saturating_sub(MAX_UNSEALED));
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
            .limit(MAX_RANGES)
            .select((audit_ranges::first_seq, audit_ranges::last_seq))
            .load(self.drained()?)
            .row_context("audit_ranges", workspace)?;
        let is_full = i64::try_from(ranges.len()) == Ok(MAX_RANGES);
        let more = ranges.last().map(|(first, _)| *first).filter(|_| is_full);
        spans.extend(
            ranges.into_iter().map(|(from, last)| SeqRange { from, below: before.min(last.saturating_add(1)) }),
        );
        Ok(SeqRanges { spans, more })
    }
}

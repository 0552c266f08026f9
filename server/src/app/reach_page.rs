//! The selection and the pages of a reach, which may have a row for every workspace of the tree.

use std::collections::{BTreeMap, HashSet};

use orgmem_hierarchy::{Scope, Via, WorkspaceId};
use orgmem_types::{ReachDirection, ReachQuery, ReachTotal};
use uuid::Uuid;

use super::read_reach::ReachEntry;
use super::{AppError, cursor};

/// Rows per page and direction.
const PAGE: usize = 1_000;
/// Ids in a selection.
pub(crate) const AMONG_MAX: usize = 200;

/// The position of a row. Rows are in this order, so that a cursor survives changes of the tree.
type ReachRowKey = (Via, Uuid, Scope);

/// The last row of each direction on the previous page; `None` where the direction has ended.
type Position = (Option<ReachRowKey>, Option<ReachRowKey>);

/// The rows that a request selects.
pub(super) struct ReachSelection {
    scope: Option<Scope>,
    via: Option<Via>,
    /// Sorted.
    among: Option<Vec<Uuid>>,
    wants_reads: bool,
    wants_read_by: bool,
    after: Option<Position>,
    limit: usize,
}

pub(super) struct ReachPage {
    pub(super) reads: Vec<ReachEntry>,
    pub(super) read_by: Vec<ReachEntry>,
    /// The cursor of the next page.
    pub(super) next: Option<String>,
}

impl ReachSelection {
    pub(super) fn of(query: &ReachQuery) -> Result<Self, AppError> {
        let after: Option<Position> = cursor::decode("reach", query.cursor.as_deref())?;
        let (mut wants_reads, mut wants_read_by) =
            (query.direction != Some(ReachDirection::ReadBy), query.direction != Some(ReachDirection::Reads));
        if let Some((reads, read_by)) = &after {
            wants_reads &= reads.is_some();
            wants_read_by &= read_by.is_some();
        }
        Ok(Self {
            scope: query.scope,
            via: query.via,
            among: query.among.as_deref().map(ids).transpose()?,
            wants_reads,
            wants_read_by,
            after,
            limit: cursor::limit(query.limit, PAGE, PAGE),
        })
    }

    pub(super) fn includes(&self, scope: Scope) -> bool {
        self.scope.is_none_or(|one| one == scope)
    }

    /// The selected rows of both directions after the cursor.
    pub(super) fn page(&self, reads: Vec<ReachEntry>, read_by: Vec<ReachEntry>) -> ReachPage {
        let (after_reads, after_read_by) = self.after.unwrap_or_default();
        let (reads, last_read) = self.part(reads, self.wants_reads, after_reads);
        let (read_by, last_read_by) = self.part(read_by, self.wants_read_by, after_read_by);
        let position: Position = (last_read, last_read_by);
        let next = (position != (None, None)).then(|| cursor::encode("reach", &position));
        ReachPage { reads, read_by, next }
    }

    /// One direction, and the last row of the page if more follow.
    fn part(
        &self,
        rows: Vec<ReachEntry>,
        is_wanted: bool,
        after: Option<ReachRowKey>,
    ) -> (Vec<ReachEntry>, Option<ReachRowKey>) {
        if !is_wanted {
            return (Vec::new(), None);
        }
        let is_selected = |row: &ReachEntry| {
            let is_among = self.among.as_ref().is_none_or(|ids| ids.binary_search(&row.other.uuid()).is_ok());
            is_among && self.via.is_none_or(|via| via == row.grant.via) && after.is_none_or(|after| key(row) > after)
        };
        let mut rows: Vec<ReachEntry> = rows.into_iter().filter(is_selected).collect();
        rows.sort_unstable_by_key(key);
        let has_more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let last = if has_more { rows.last().map(key) } else { None };
        (rows, last)
    }
}

fn key(row: &ReachEntry) -> ReachRowKey {
    (row.grant.via, row.other.uuid(), row.scope)
}

fn ids(list: &str) -> Result<Vec<Uuid>, AppError> {
    let parsed: Option<Vec<Uuid>> = list.split(',').map(|id| Uuid::try_parse(id.trim()).ok()).collect();
    let mut ids = parsed.filter(|ids| ids.len() <= AMONG_MAX).ok_or_else(|| AppError::Field {
        field: "among",
        expected: format!("at most {AMONG_MAX} ids, separated by commas"),
    })?;
    ids.sort_unstable();
    Ok(ids)
}

/// The numbers of workspaces by relation.
pub(super) fn totals(rows: &[ReachEntry]) -> Vec<ReachTotal> {
    let mut found: BTreeMap<Via, (ReachTotal, HashSet<WorkspaceId>)> = BTreeMap::new();
    for row in rows {
        let via = row.grant.via;
        let none = || (ReachTotal { via, workspaces: 0, local: 0, team: 0, global: 0 }, HashSet::new());
        let (total, workspaces) = found.entry(via).or_insert_with(none);
        total.workspaces += u64::from(workspaces.insert(row.other));
        match row.scope {
            Scope::Local => total.local += 1,
            Scope::Team => total.team += 1,
            Scope::Global => total.global += 1,
        }
    }
    found.into_values().map(|(total, _)| total).collect()
}

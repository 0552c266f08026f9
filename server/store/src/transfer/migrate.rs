//! Copies of a whole database into another one, on the same product or the other.
//!
//! A copy compares both databases row by row, in the order of keys, and writes the differences. So an interrupted copy
//! continues where it ended, a second run copies what has changed since, and the verification is a comparison that finds
//! nothing.

use std::time::Duration;

use serde::Serialize;

use super::import::is_unused;
use super::rows::{Cursor, PAGE, Part, Rows};
use super::table::{Table, tables};
use super::value::{Row, Value, compare_keys, key_of};
use super::{Counter, OnProgress, TransferError, open};
use crate::columns::Id;
use crate::{StoreConfig, StoreError, migrations};

/// Written rows in one transaction.
const COMMIT_ROWS: u64 = 4096;

/// How long a connection may take to end.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// The result of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MigrateSummary {
    /// Number of orgs, with the server itself.
    pub orgs: u64,
    /// Rows of the source, all of them verified.
    pub rows: u64,
    /// Rows that this run wrote or deleted.
    pub written: u64,
    /// Whether the copy is complete and may be served: no server used the source during the run.
    pub complete: bool,
}

/// Copies the database `from` into `to`, which is empty or has an incomplete copy of `from`. Blocks.
///
/// A server may use `from` meanwhile. Then the copy is verified but not complete, and a server does not open it; a second
/// run without a server on `from` copies the rest.
///
/// `name` identifies `from`, without a password.
///
/// # Errors
/// [`TransferError::Refused`] when `to` has other data. After any error the next run continues.
///
/// # Complexity
/// O(rows), one to three reads of each on both sides; the memory does not depend on their number.
pub fn migrate(
    from: &StoreConfig,
    to: &StoreConfig,
    name: &str,
    progress: OnProgress<'_>,
) -> Result<MigrateSummary, TransferError> {
    if is_same(from, to) {
        return Err(TransferError::Refused("source and target are the same database".into()));
    }
    let hold = open::hold(from)?;
    let mut source = open::source(from)?;
    let mut target = target(to, name)?;
    source.begin_read()?;
    let copied = copy(&mut *source, &mut *target.rows, progress);
    if copied.is_err() {
        target.rows.roll_back();
    }
    let mut summary = copied?;
    source.roll_back();
    summary.complete = hold.is_some() && !is_used(&mut *source)? && is_current(&mut *source, &mut *target.rows)?;
    if summary.complete {
        target.rows.unmark()?;
    }
    target.rows.finish()?;
    Ok(summary)
}

fn is_same(from: &StoreConfig, to: &StoreConfig) -> bool {
    match (from, to) {
        (StoreConfig::Sqlite { path: one, .. }, StoreConfig::Sqlite { path: other, .. }) => {
            one == other || one.canonicalize().ok().is_some_and(|one| other.canonicalize().ok() == Some(one))
        }
        (StoreConfig::Postgres { url: one, .. }, StoreConfig::Postgres { url: other, .. }) => one == other,
        _ => false,
    }
}

/// Opens and marks the target.
fn target(to: &StoreConfig, name: &str) -> Result<open::Target, TransferError> {
    if open::has_schema(to)? {
        let mut target = open::locked(to)?;
        if is_used(&mut *target.rows)? {
            return Err(TransferError::Refused("a server uses the target; stop it".into()));
        }
        if let Some(marked) = target.rows.marker()? {
            check_marked(&mut *target.rows, &marked, name)?;
            target.rows.lock_out_servers()?;
            return Ok(target);
        }
    }
    let mut target = open::target(to)?;
    let rows = &mut *target.rows;
    rows.lock_out_servers()?;
    if rows.orgs()? != [Id::NIL] || !is_unused(rows, &tables())? {
        return Err(TransferError::Refused("the target has data; name an empty database".into()));
    }
    rows.mark(name)?;
    Ok(target)
}

/// Whether a server is connected. PostgreSQL shows a connection for some milliseconds after its end.
fn is_used(rows: &mut dyn Rows) -> Result<bool, StoreError> {
    for _ in 0..ATTEMPTS {
        if !rows.other_servers()? {
            return Ok(false);
        }
        std::thread::sleep(PAUSE);
    }
    rows.other_servers()
}

/// Verifies that an incomplete copy can be continued.
fn check_marked(rows: &mut dyn Rows, marked: &str, name: &str) -> Result<(), TransferError> {
    let reason = if marked != name {
        format!("the target has an incomplete copy of `{marked}`; continue that one, or name an empty database")
    } else if migrations::known_names()?.len() != rows.applied()?.len() {
        "the copy was begun by another release; use that one, or begin again with an empty database".to_owned()
    } else {
        return Ok(());
    };
    Err(TransferError::Refused(reason))
}

fn copy(
    source: &mut dyn Rows,
    target: &mut dyn Rows,
    progress: OnProgress<'_>,
) -> Result<MigrateSummary, TransferError> {
    let tables = tables();
    let orgs = source.orgs()?;
    let mut total = 0;
    for org in &orgs {
        for table in &tables {
            total += source.count(table, &Part::whole(*org))?;
        }
    }
    let mut summary = MigrateSummary { orgs: orgs.len() as u64, ..MigrateSummary::default() };
    let mut counter = Counter::new("copy", total, &mut *progress);
    let all = both(&orgs, target.orgs()?);
    target.begin_write()?;
    for &org in &all {
        let part = Part::whole(org);
        for table in &tables {
            let mut writer = Writer { target, table, org, batch: Vec::new(), uncommitted: 0, written: 0 };
            if writer.target.count(table, &part)? > 0 {
                // unique values are free before another row takes them
                merge(source, &part, &mut Pass::Delete(&mut writer), &mut Counter::new("compare", 0, &mut |_| {}))?;
            }
            merge(source, &part, &mut Pass::Insert(&mut writer), &mut counter)?;
            writer.flush()?;
            summary.written += writer.written;
        }
        target.place_workspaces(org)?;
        target.commit()?;
        target.begin_write()?;
    }
    target.commit()?;
    counter.show();
    summary.rows = verify(source, target, &all, &mut Counter::new("verify", total, progress))?;
    Ok(summary)
}

/// Compares all rows of both databases, and returns their number.
fn verify(
    source: &mut dyn Rows,
    target: &mut dyn Rows,
    orgs: &[Id],
    counter: &mut Counter<'_>,
) -> Result<u64, TransferError> {
    target.begin_read()?;
    let tables = tables();
    let mut rows = 0;
    for &org in orgs {
        for table in &tables {
            let mut compared = Compared { target, table, rows: 0, different: None };
            merge(source, &Part::whole(org), &mut Pass::Compare(&mut compared), counter)?;
            if let Some(key) = compared.different {
                let reason =
                    format!("a row of `{}` differs after the copy, key {key:?}; run the command again", table.name);
                return Err(TransferError::Refused(reason));
            }
            rows += compared.rows;
        }
    }
    target.roll_back();
    counter.show();
    Ok(rows)
}

/// Whether no org of the source has changed since its copy.
fn is_current(source: &mut dyn Rows, target: &mut dyn Rows) -> Result<bool, TransferError> {
    let orgs = source.orgs()?;
    if orgs != target.orgs()? {
        return Ok(false);
    }
    for table in tables().iter().filter(|table| table.is_orgs()) {
        for org in &orgs {
            let part = Part::whole(*org);
            if source.page(table, &part, None)? != target.page(table, &part, None)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn both(one: &[Id], other: Vec<Id>) -> Vec<Id> {
    let mut all = other;
    all.extend_from_slice(one);
    all.sort_unstable();
    all.dedup();
    all
}

/// What a comparison of a table does with a difference.
enum Pass<'p, 'w> {
    /// Deletes rows that the source has not, or has otherwise.
    Delete(&'p mut Writer<'w>),
    /// Inserts rows that the target has not.
    Insert(&'p mut Writer<'w>),
    /// Notes the first difference.
    Compare(&'p mut Compared<'w>),
}

impl<'w> Pass<'_, 'w> {
    fn parts(&mut self) -> (&mut (dyn Rows + 'w), &'w Table) {
        match self {
            Self::Delete(writer) | Self::Insert(writer) => (&mut *writer.target, writer.table),
            Self::Compare(compared) => (&mut *compared.target, compared.table),
        }
    }

    /// The source has the row and the target has not.
    fn missing(&mut self, row: Row, key: Vec<Value>) -> Result<(), StoreError> {
        match self {
            Self::Delete(_) => Ok(()),
            Self::Insert(writer) => writer.insert(row),
            Self::Compare(compared) => compared.note(key),
        }
    }

    /// The target has the row, and the source has not or has another.
    fn surplus(&mut self, key: Vec<Value>) -> Result<(), StoreError> {
        match self {
            Self::Delete(writer) => writer.delete(&key),
            Self::Insert(_) => Ok(()),
            Self::Compare(compared) => compared.note(key),
        }
    }
}

struct Compared<'w> {
    target: &'w mut dyn Rows,
    table: &'w Table,
    rows: u64,
    different: Option<Vec<Value>>,
}

impl Compared<'_> {
    fn note(&mut self, key: Vec<Value>) -> Result<(), StoreError> {
        self.different.get_or_insert(key);
        Ok(())
    }
}

struct Writer<'w> {
    target: &'w mut dyn Rows,
    table: &'w Table,
    org: Id,
    batch: Vec<Row>,
    uncommitted: u64,
    written: u64,
}

impl Writer<'_> {
    fn insert(&mut self, row: Row) -> Result<(), StoreError> {
        self.batch.push(row);
        if self.batch.len() >= PAGE { self.flush() } else { Ok(()) }
    }

    fn delete(&mut self, key: &[Value]) -> Result<(), StoreError> {
        self.target.delete(self.table, self.org, key)?;
        self.count(1)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let batch = std::mem::take(&mut self.batch);
        self.target.insert(self.table, &batch)?;
        self.count(batch.len() as u64)
    }

    /// Commits from time to time, so that an interruption loses little.
    fn count(&mut self, rows: u64) -> Result<(), StoreError> {
        self.written += rows;
        self.uncommitted += rows;
        if self.uncommitted >= COMMIT_ROWS {
            self.uncommitted = 0;
            self.target.commit()?;
            self.target.begin_write()?;
        }
        Ok(())
    }
}

/// Walks through a table on both sides in the order of keys.
fn merge(
    source: &mut dyn Rows,
    part: &Part,
    pass: &mut Pass<'_, '_>,
    counter: &mut Counter<'_>,
) -> Result<(), TransferError> {
    let table = pass.parts().1;
    let (mut theirs, mut ours) = (Cursor::new(table, part), Cursor::new(table, part));
    let mut expected = theirs.next(source)?;
    let mut found = ours.next(pass.parts().0)?;
    loop {
        let keys = (expected.as_deref().map(|row| key_of(table, row)), found.as_deref().map(|row| key_of(table, row)));
        let order = match &keys {
            (None, None) => return Ok(()),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(expected), Some(found)) => compare_keys(expected, found),
        };
        let is_equal = order.is_eq() && expected == found;
        if order.is_ge() {
            if let (false, Some(key)) = (is_equal, keys.1) {
                pass.surplus(key)?;
            }
            found = ours.next(pass.parts().0)?;
        }
        if order.is_le() {
            if let (false, Some(row), Some(key)) = (is_equal, expected.take(), keys.0) {
                // after a deletion, a row that differed is missing
                pass.missing(row, key)?;
            }
            counter.add(1);
            if let Pass::Compare(compared) = pass {
                compared.rows += 1;
            }
            expected = theirs.next(source)?;
        }
    }
}

//! Imports of exports: verified first, then one transaction for each org.

use std::io::{BufReader, Read, Seek, SeekFrom};

use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::check::{Line, Section, check, read_line};
use super::export::{End, section};
use super::lines::Lines;
use super::rows::{Cursor, PAGE, Part, Rows};
use super::table::{Table, tables};
use super::value::{Row, Value};
use super::{Counter, OnProgress, TransferError, open};
use crate::StoreConfig;
use crate::columns::Id;
use crate::migrations;

/// How an import treats the orgs of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportOptions {
    /// Verifies the file and compares it with the database, and changes nothing.
    pub dry_run: bool,
    /// Leaves existing orgs as they are, also those that differ from the file.
    pub skip_existing: bool,
}

/// What an import did, or would do, with an org.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// It did not exist, and was imported.
    Imported,
    /// It exists and is equal to the file.
    Identical,
    /// It exists and differs from the file. An import without `skip_existing` is refused.
    Different,
    /// The log of the server itself differs, because this server has one of its own, which stays.
    OwnServerLog,
}

/// An org of an imported file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportedOrg {
    /// Its id; the nil id is the server itself.
    pub id: Uuid,
    /// The name of its root.
    pub name: String,
    /// Its rows in the file.
    pub rows: u64,
    /// What was done.
    pub outcome: ImportOutcome,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportSummary {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// The orgs in the order of the file.
    pub orgs: Vec<ImportedOrg>,
}

/// Imports a file that [`export`](super::export()) wrote. Blocks.
///
/// The whole file is verified before anything changes. Each org appears in one transaction, after a comparison with the
/// file; so an interrupted import leaves whole orgs, and the next one continues with the others.
///
/// # Errors
/// [`TransferError::Line`] for a wrong file; [`TransferError::Refused`] when an org exists and differs from the file.
///
/// # Complexity
/// O(rows), three reads of each. The memory depends on the number of workspaces of the largest org only.
pub fn import(
    config: &StoreConfig,
    file: &mut (impl Read + Seek),
    options: ImportOptions,
    progress: OnProgress<'_>,
) -> Result<ImportSummary, TransferError> {
    let tables = tables();
    let schema = migrations::known_names()?;
    let mut target = match options.dry_run {
        true if !open::has_schema(config)? => None,
        true => Some(Access::Reading(open::source(config)?)),
        false => Some(Access::Writing(open::target(config)?)),
    };
    file.seek(SeekFrom::Start(0)).map_err(TransferError::Read)?;
    let mut lines = Lines::after(BufReader::with_capacity(1 << 16, &mut *file), 0, 0);
    let mut counter = Counter::new("check", 0, &mut *progress);
    let existing = target.as_mut().map(|target| target.rows() as &mut dyn Rows);
    let (header, sections) = check(&mut lines, &tables, &schema, existing, &mut counter)?;
    let mut orgs = Vec::with_capacity(sections.len());
    for section in &sections {
        let outcome = match &mut target {
            None => ImportOutcome::Imported,
            Some(target) => compare(target.rows(), &tables, section)?,
        };
        orgs.push(ImportedOrg { id: section.org.0, name: section.name.clone(), rows: section.end.rows, outcome });
    }
    if !options.skip_existing && !options.dry_run {
        refuse_differences(&orgs)?;
    }
    if let Some(Access::Writing(target)) = &mut target {
        let mut counter = Counter::new("import", header.counts.values().sum(), progress);
        for (section, org) in sections.iter().zip(&orgs) {
            if org.outcome == ImportOutcome::Imported {
                import_org(&mut *target.rows, &tables, file, section, &mut counter)?;
            } else {
                counter.add(section.end.rows);
            }
        }
        counter.show();
        target.rows.finish()?;
    }
    Ok(ImportSummary { dry_run: options.dry_run, orgs })
}

pub(super) enum Access {
    Reading(Box<dyn Rows>),
    Writing(open::Target),
}

impl Access {
    pub(super) fn rows(&mut self) -> &mut (dyn Rows + 'static) {
        match self {
            Self::Reading(rows) => &mut **rows,
            Self::Writing(target) => &mut *target.rows,
        }
    }
}

fn refuse_differences(orgs: &[ImportedOrg]) -> Result<(), TransferError> {
    let different = orgs.iter().find(|org| org.outcome == ImportOutcome::Different);
    different.map_or(Ok(()), |org| {
        Err(TransferError::Refused(format!(
            "org {} (`{}`) exists here and differs from the file; nothing was imported. --skip-existing imports the other \
             orgs",
            org.id, org.name
        )))
    })
}

/// Compares an org of the file with the database.
fn compare(rows: &mut dyn Rows, tables: &[Table], found: &Section) -> Result<ImportOutcome, TransferError> {
    rows.begin_read()?;
    let outcome = compare_here(rows, tables, found);
    rows.roll_back();
    outcome
}

fn compare_here(rows: &mut dyn Rows, tables: &[Table], found: &Section) -> Result<ImportOutcome, TransferError> {
    if !rows.orgs()?.contains(&found.org) {
        return Ok(ImportOutcome::Imported);
    }
    if here(rows, tables, found.org)? == found.end {
        return Ok(ImportOutcome::Identical);
    }
    Ok(match found.org {
        Id::NIL if is_unused(rows, tables)? => ImportOutcome::Imported,
        Id::NIL => ImportOutcome::OwnServerLog,
        _ => ImportOutcome::Different,
    })
}

/// The last line of an org in an export of this database.
fn here(rows: &mut dyn Rows, tables: &[Table], org: Id) -> Result<End, TransferError> {
    let mut silent = |_| {};
    section(rows, tables, &Part::whole(org), &mut Counter::new("compare", 0, &mut silent), &mut |_| Ok(()))
}

/// Whether the server itself has no rows but its first one, as in a new database.
pub(super) fn is_unused(rows: &mut dyn Rows, tables: &[Table]) -> Result<bool, TransferError> {
    let part = Part::whole(Id::NIL);
    for table in tables {
        let mut cursor = Cursor::new(table, &part);
        while let Some(row) = cursor.next(rows)? {
            let is_zero = |value: &Value| match value {
                Value::Uuid(id) => *id == Id::NIL,
                Value::Int(number) => *number == 0,
                Value::Time(time) => time.0.timestamp_micros() == 0,
                Value::Null => true,
                _ => false,
            };
            if !table.is_orgs() || !row.iter().all(is_zero) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Imports an org in one transaction, and compares it with the file before the commit.
fn import_org(
    rows: &mut dyn Rows,
    tables: &[Table],
    file: &mut (impl Read + Seek),
    found: &Section,
    counter: &mut Counter<'_>,
) -> Result<(), TransferError> {
    rows.begin_write()?;
    let written = write_org(rows, tables, file, found, counter);
    match written {
        Ok(()) => Ok(rows.commit()?),
        Err(error) => {
            rows.roll_back();
            Err(error)
        }
    }
}

fn write_org(
    rows: &mut dyn Rows,
    tables: &[Table],
    file: &mut (impl Read + Seek),
    found: &Section,
    counter: &mut Counter<'_>,
) -> Result<(), TransferError> {
    if found.org == Id::NIL
        && let Some(orgs) = tables.iter().find(|table| table.is_orgs())
    {
        rows.delete(orgs, Id::NIL, &[])?;
    }
    file.seek(SeekFrom::Start(found.offset)).map_err(TransferError::Read)?;
    let mut lines = Lines::after(BufReader::with_capacity(1 << 16, file), found.line, found.offset);
    let (mut batch, mut org) = (Batch::default(), None);
    let mut sha256 = Sha256::new();
    while let Some(text) = lines.next()? {
        let line = read_line(tables, org, text);
        let Ok(Line::Row(table, row)) = line else { break };
        sha256.update(text);
        org = Some(found.org);
        batch.add(rows, table, row)?;
        counter.add(1);
    }
    batch.flush(rows)?;
    // the file is read again, and must still be the one that was verified
    if hex::encode(sha256.finalize()) != found.end.sha256 {
        return Err(lines.fault("the file has changed since it was verified"));
    }
    rows.place_workspaces(found.org)?;
    let mut after = Id::NIL;
    while let Some(last) = rows.index(found.org, after)? {
        after = last;
    }
    after = Id::NIL;
    while let Some(last) = rows.index_passages(found.org, after)? {
        after = last;
    }
    let mut after = (Id::NIL, Id::NIL);
    while let Some(last) = rows.index_pages(found.org, after)? {
        after = last;
    }
    if here(rows, tables, found.org)? != found.end {
        let reason = format!("org {} is not equal to the file after its import; it was not imported", found.org.0);
        return Err(TransferError::Refused(reason));
    }
    Ok(())
}

/// Rows of one table that wait to be inserted.
#[derive(Default)]
struct Batch<'t> {
    table: Option<&'t Table>,
    rows: Vec<Row>,
}

impl<'t> Batch<'t> {
    fn add(&mut self, target: &mut dyn Rows, table: &'t Table, row: Row) -> Result<(), TransferError> {
        if self.rows.len() >= PAGE || self.table.is_some_and(|before| before.name != table.name) {
            self.flush(target)?;
        }
        self.table = Some(table);
        self.rows.push(row);
        Ok(())
    }

    fn flush(&mut self, target: &mut dyn Rows) -> Result<(), TransferError> {
        if let Some(table) = self.table {
            target.insert(table, &self.rows)?;
        }
        self.rows.clear();
        Ok(())
    }
}

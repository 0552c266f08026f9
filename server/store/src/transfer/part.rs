//! Imports of the export of a workspace or an end user into an org that exists.
//!
//! Everything happens in one transaction, after two readings of the file: the first one verifies it, the second one
//! compares it with the org. Then the missing rows are inserted.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Seek, SeekFrom};

use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::check::{Line, Section, check_part, read_line};
use super::export::{SelectionJson, find_org};
use super::import::{Access, ImportOptions};
use super::lines::Lines;
use super::part_fate::Fate;
use super::part_org::TargetOrg;
use super::rows::{PAGE, Rows};
use super::table::{Table, tables};
use super::value::Row;
use super::{Counter, OnProgress, TransferError, open};
use crate::columns::Id;
use crate::{StoreConfig, migrations};

/// Rows of a table in the export of a part, by what an import did or would do with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartTable {
    /// Rows that did not exist.
    pub imported: u64,
    /// Rows that exist and are equal, and rows that the server maintains.
    pub existing: u64,
    /// Rows that exist with other content, and rows of such items. They remain as they are.
    pub different: u64,
    /// Rows of what was removed or erased in the org. It does not come back.
    pub removed: u64,
    /// Rows of the log, which belong to the chain of the org that they are from.
    pub left_out: u64,
}

/// The result of an import of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartImport {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// The org that has the rows.
    pub org: Uuid,
    /// The rows of the file by table.
    pub tables: BTreeMap<String, PartTable>,
}

/// Imports the export of a workspace or an end user into the org `into`, which is named by its id or the name of its root.
/// Blocks.
///
/// The rows appear in one transaction, or none does. What exists and is equal is left as it is, so an import repeats.
///
/// # Errors
/// [`TransferError::Line`] for a wrong file, for a row whose workspace the org has not, and for a row that exists with
/// other content, unless `skip_existing`; [`TransferError::Refused`] when there is no such org.
///
/// # Complexity
/// O(rows), three or four readings of each. The memory depends on the number of workspaces of the org, and on the number
/// of rows of the file that were removed in the org.
pub fn import_part(
    config: &StoreConfig,
    file: &mut (impl Read + Seek),
    into: &str,
    options: ImportOptions,
    progress: OnProgress<'_>,
) -> Result<PartImport, TransferError> {
    let (tables, schema) = (tables(), migrations::known_names()?);
    file.seek(SeekFrom::Start(0)).map_err(TransferError::Read)?;
    let mut lines = Lines::after(BufReader::with_capacity(1 << 16, &mut *file), 0, 0);
    let (header, found) = check_part(&mut lines, &tables, &schema, &mut Counter::new("check", 0, &mut *progress))?;
    if !open::has_schema(config)? {
        return Err(TransferError::Refused(format!("no org has the id or the name `{into}`: the database is empty")));
    }
    let mut target = match options.dry_run {
        true => Access::Reading(open::source(config)?),
        false => Access::Writing(open::target(config)?),
    };
    let rows = target.rows();
    let org = find_org(rows, into)?;
    if options.dry_run {
        rows.begin_read()?;
    } else {
        rows.begin_write()?;
        rows.lock_org(org)?;
    }
    let mut part = Part { rows, tables: &tables, selection: &header.selection, found: &found, options };
    let imported = part.import(file, org, progress);
    let rows = target.rows();
    match imported {
        Ok(imported) if options.dry_run => {
            rows.roll_back();
            Ok(imported)
        }
        Ok(imported) => {
            rows.commit()?;
            rows.finish()?;
            Ok(imported)
        }
        Err(error) => {
            rows.roll_back();
            Err(error)
        }
    }
}

struct Part<'p> {
    rows: &'p mut dyn Rows,
    tables: &'p [Table],
    selection: &'p SelectionJson,
    found: &'p Section,
    options: ImportOptions,
}

/// Rows of one table with the numbers of their lines.
struct Batch<'t> {
    table: &'t Table,
    rows: Vec<(u64, Row)>,
}

impl Part<'_> {
    fn import(
        &mut self,
        file: &mut (impl Read + Seek),
        org: Id,
        progress: OnProgress<'_>,
    ) -> Result<PartImport, TransferError> {
        let mut target = TargetOrg::load(self.rows, self.tables, self.selection, (org, self.found.org))?;
        let mut counts =
            self.read(file, &mut target, false, &mut Counter::new("compare", self.found.end.rows, &mut *progress))?;
        if target.has_hidden_sources() {
            // what is made of removed rows comes before the rows that show it
            counts =
                self.read(file, &mut target, false, &mut Counter::new("compare", self.found.end.rows, &mut *progress))?;
        }
        if !self.options.dry_run && counts.values().any(|counted| counted.imported > 0) {
            target.begin(self.tables)?;
            self.read(file, &mut target, true, &mut Counter::new("import", self.found.end.rows, progress))?;
            target.finish(self.rows, self.tables)?;
        }
        Ok(PartImport { dry_run: self.options.dry_run, org: org.0, tables: counts })
    }

    /// Reads the rows of the file, and inserts those that the org has not, if it `writes`.
    fn read(
        &mut self,
        file: &mut (impl Read + Seek),
        target: &mut TargetOrg,
        writes: bool,
        counter: &mut Counter<'_>,
    ) -> Result<BTreeMap<String, PartTable>, TransferError> {
        file.seek(SeekFrom::Start(self.found.offset)).map_err(TransferError::Read)?;
        let mut lines = Lines::after(BufReader::with_capacity(1 << 16, file), self.found.line, self.found.offset);
        let (mut counts, mut sha256) = (BTreeMap::new(), Sha256::new());
        let mut batch: Option<Batch<'_>> = None;
        loop {
            let number = lines.number() + 1;
            let Some(text) = lines.next()? else { break };
            let Ok(Line::Row(table, row)) = read_line(self.tables, Some(target.org), text) else { break };
            sha256.update(text);
            counter.add(1);
            let is_full = |batch: &Batch<'_>| batch.table.name != table.name || batch.rows.len() >= PAGE;
            if let Some(full) = batch.take_if(|batch| is_full(batch)) {
                self.take(full, target, writes, &mut counts)?;
            }
            batch.get_or_insert_with(|| Batch { table, rows: Vec::new() }).rows.push((number, row));
        }
        if let Some(last) = batch {
            self.take(last, target, writes, &mut counts)?;
        }
        // the file is read again, and must still be the one that was verified
        if hex::encode(sha256.finalize()) != self.found.end.sha256 {
            return Err(lines.fault("the file has changed since it was verified"));
        }
        counter.show();
        Ok(counts)
    }

    fn take(
        &mut self,
        batch: Batch<'_>,
        target: &mut TargetOrg,
        writes: bool,
        counts: &mut BTreeMap<String, PartTable>,
    ) -> Result<(), TransferError> {
        let table = batch.table;
        let rows: Vec<&Row> = batch.rows.iter().map(|(_, row)| row).collect();
        let existing = target.existing(self.rows, table, &rows)?;
        let names = target.names(self.rows, table)?;
        let counted = counts.entry(table.name.to_owned()).or_default();
        let mut missing = Vec::new();
        for (line, row) in batch.rows {
            let fate = target.fate(table, &row, &existing, &names);
            match fate.map_err(|reason| TransferError::Line { line, reason })? {
                Fate::Missing => {
                    counted.imported += 1;
                    missing.push(row);
                }
                Fate::Exists => counted.existing += 1,
                Fate::Removed => counted.removed += 1,
                Fate::LeftOut => counted.left_out += 1,
                Fate::OfDifferent => counted.different += 1,
                Fate::Different(what) if !self.options.skip_existing && !self.options.dry_run => {
                    let reason =
                        format!("{what} exists in the org with other content; --skip-existing leaves it as it is");
                    return Err(TransferError::Line { line, reason });
                }
                Fate::Different(_) => counted.different += 1,
            }
        }
        if writes {
            target.insert(self.rows, table, missing)?;
        }
        Ok(())
    }
}

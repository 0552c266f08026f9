//! Verification of a file before anything is imported.

use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;

use orgmem_hierarchy::{OrgId, Placement, Tree};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::export::{END, End, FORMAT, Header, SelectionJson, TRAILER, VERSION};
use super::lines::Lines;
use super::rows::Rows;
use super::table::Table;
use super::value::{Row, Value, compare_keys, key_of, read_row, write_row};
use super::{Counter, TransferError};
use crate::columns::Id;

/// Tables whose rows belong to a workspace of the org.
const IN_WORKSPACES: [&str; 8] =
    ["budgets", "profiles", "memories", "memory_versions", "runs", "pending_memories", "entries", "episodes"];

/// An org of a verified file.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) org: Id,
    pub(super) name: String,
    /// The position of its first line, and the number of lines before it.
    pub(super) offset: u64,
    pub(super) line: u64,
    pub(super) end: End,
}

/// A line of a file.
pub(super) enum Line<'t> {
    Row(&'t Table, Row),
    End(End),
    Trailer(End),
}

/// Reads a line after the header. `org` is the org of the section, none before its first row.
pub(super) fn read_line<'t>(tables: &'t [Table], org: Option<Id>, text: &str) -> Result<Line<'t>, String> {
    let fields: BTreeMap<String, &RawValue> =
        serde_json::from_str(text).map_err(|error| format!("it is not a JSON object: {}", without_place(&error)))?;
    let (name, fields) = match fields.into_iter().collect::<Vec<_>>().as_slice() {
        [(name, fields)] => (name.clone(), *fields),
        _ => return Err("it does not have exactly one name".into()),
    };
    let end =
        || serde_json::from_str::<End>(fields.get()).map_err(|error| format!("`{name}`: {}", without_place(&error)));
    match name.as_str() {
        END => return Ok(Line::End(end()?)),
        TRAILER => return Ok(Line::Trailer(end()?)),
        _ => {}
    }
    let table = tables.iter().find(|table| table.name == name && table.is_exported());
    let table = table.ok_or_else(|| format!("`{name}` is not a table of an export"))?;
    let row = match org {
        Some(org) => read_row(table, org, fields)?,
        None if table.is_orgs() => read_row(table, Id::NIL, fields)?,
        None => return Err(format!("a row of `{name}` comes before the row of its org")),
    };
    let mut line = Vec::with_capacity(text.len());
    write_row(table, &row, &mut line);
    if line != text.as_bytes() {
        return Err("it is not in the form that an export has; use a file as it was exported".into());
    }
    Ok(Line::Row(table, row))
}

/// The error without its line and column, which count within one line.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// Reads the header.
pub(super) fn header<R: BufRead>(lines: &mut Lines<R>, schema: &[String]) -> Result<(Header, Sha256), TransferError> {
    let mut all = Sha256::new();
    let Some(text) = lines.next()? else {
        return Err(lines.fault("the file is empty"));
    };
    all.update(text);
    let header: Result<Header, _> = serde_json::from_str(text);
    let header =
        header.map_err(|error| lines.fault(format!("it is not the header of an export: {}", without_place(&error))))?;
    if header.format != FORMAT || header.version != VERSION {
        return Err(lines.fault(format!(
            "the format is `{}` version {}; this program reads `{FORMAT}` version {VERSION}",
            header.format, header.version
        )));
    }
    if !schema.contains(&header.schema) {
        return Err(lines.fault(format!("it was exported by a newer server (`{}` is unknown here)", header.schema)));
    }
    Ok((header, all))
}

/// Verifies every line, every hash and every tree of a file. `target` is the database that must not have the workspaces of
/// new orgs.
pub(super) fn check<R: BufRead>(
    lines: &mut Lines<R>,
    tables: &[Table],
    schema: &[String],
    mut target: Option<&mut dyn Rows>,
    counter: &mut Counter<'_>,
) -> Result<(Header, Vec<Section>), TransferError> {
    let (header, mut all) = header(lines, schema)?;
    if header.selection.is_part() {
        let reason = "it is the export of a workspace or an end user; import it into an existing org, with --into ORG";
        return Err(lines.fault(reason));
    }
    counter.total = header.counts.values().sum();
    let (mut sections, mut counts, mut total) = (Vec::<Section>::new(), BTreeMap::<String, u64>::new(), 0);
    loop {
        let (line, offset) = (lines.number(), lines.offset());
        let mut open = OpenSection::default();
        let first = open.read(lines, tables, &mut all, counter)?;
        let end = match first {
            Step::Trailer(end, hash) => {
                verify_trailer(lines, &header, (&sections, &counts, total), &end, &hash)?;
                return Ok((header, sections));
            }
            Step::End(end) => end,
        };
        let Some(org) = open.org else { return Err(lines.fault("an org ends before its first row")) };
        if sections.last().is_some_and(|before| before.org >= org) {
            return Err(lines.fault(format!("org {} is not in the order of ids", org.0)));
        }
        open.check_tree(lines, org)?;
        if let Some(target) = &mut target
            && let Some((id, other)) = target.taken(&open.ids)?
            && other != org
        {
            return Err(lines.fault(format!("workspace {} exists in another org, {}", id.0, other.0)));
        }
        for (name, rows) in open.counts {
            *counts.entry(name.to_owned()).or_default() += rows;
        }
        total += end.rows;
        sections.push(Section { org, name: open.name, offset, line, end });
    }
}

/// Verifies every line and every hash of the export of a workspace or an end user. The org of the section is the one that
/// it was exported from.
pub(super) fn check_part<R: BufRead>(
    lines: &mut Lines<R>,
    tables: &[Table],
    schema: &[String],
    counter: &mut Counter<'_>,
) -> Result<(Header, Section), TransferError> {
    let (header, mut all) = header(lines, schema)?;
    if !header.selection.is_part() {
        return Err(lines.fault("it is the export of whole orgs; import it without --into"));
    }
    counter.total = header.counts.values().sum();
    let (line, offset) = (lines.number(), lines.offset());
    let mut open = OpenSection { org: Some(Id::NIL), is_part: true, ..OpenSection::default() };
    let Step::End(end) = open.read(lines, tables, &mut all, counter)? else {
        return Err(lines.fault("the org has no end"));
    };
    let Some(org) = end.org.map(Id) else { return Err(lines.fault("the end has no org")) };
    let counts = open.counts.into_iter().map(|(name, rows)| (name.to_owned(), rows)).collect();
    let total = end.rows;
    let section = Section { org, name: String::new(), offset, line, end };
    let Step::Trailer(end, hash) = OpenSection::default().read(lines, tables, &mut all, counter)? else {
        return Err(lines.fault("the export of a part has one org"));
    };
    verify_trailer(lines, &header, (std::slice::from_ref(&section), &counts, total), &end, &hash)?;
    Ok((header, section))
}

fn verify_trailer<R: BufRead>(
    lines: &mut Lines<R>,
    header: &Header,
    (sections, counts, total): (&[Section], &BTreeMap<String, u64>, u64),
    end: &End,
    hash: &str,
) -> Result<(), TransferError> {
    if end.sha256 != hash || end.rows != total {
        return Err(lines.fault("the hash or the number of rows of the file is wrong; the file was changed"));
    }
    if header.orgs != sections.len() as u64 || header.counts != *counts {
        return Err(lines.fault("the header has other counts than the file; the file was changed"));
    }
    if let SelectionJson::Org(org) = header.selection
        && sections.iter().any(|section| section.org.0 != org)
    {
        return Err(lines.fault("the file has another org than its header"));
    }
    match lines.next()? {
        None => Ok(()),
        Some(_) => Err(lines.fault("there is more after the trailer")),
    }
}

enum Step {
    End(End),
    /// With the hash of all lines before.
    Trailer(End, String),
}

/// An org while its lines are read.
#[derive(Default)]
struct OpenSection {
    org: Option<Id>,
    /// Whether the rows are a part of an org, whose tree is elsewhere.
    is_part: bool,
    name: String,
    counts: BTreeMap<&'static str, u64>,
    ids: Vec<Id>,
    known: HashSet<Id>,
    placements: Vec<Placement>,
    /// The position of the last row: its table and its key.
    last: Option<(usize, Vec<Value>)>,
}

impl OpenSection {
    /// Reads lines up to the end of the org or of the file.
    fn read<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        tables: &[Table],
        all: &mut Sha256,
        counter: &mut Counter<'_>,
    ) -> Result<Step, TransferError> {
        let (mut sha256, mut rows) = (Sha256::new(), 0);
        loop {
            let number = lines.number() + 1;
            let fault = |reason: String| TransferError::Line { line: number, reason };
            let Some(text) = lines.next()? else {
                return Err(fault("the file ends without a trailer; it is incomplete".into()));
            };
            let line = read_line(tables, self.org, text).map_err(fault)?;
            match line {
                Line::Row(table, row) => {
                    self.take(tables, table, &row).map_err(fault)?;
                    sha256.update(text);
                    all.update(text);
                    rows += 1;
                    counter.add(1);
                }
                Line::End(end) => {
                    all.update(text);
                    let org = if self.is_part { end.org } else { self.org.map(|org| org.0) };
                    let found = End { org, rows, sha256: hex::encode(sha256.finalize()) };
                    if end != found {
                        return Err(fault(
                            "the hash or the number of rows of the org is wrong; the file was changed".into(),
                        ));
                    }
                    return Ok(Step::End(end));
                }
                Line::Trailer(_) if self.org.is_some() => return Err(fault("the org has no end".into())),
                Line::Trailer(end) => return Ok(Step::Trailer(end, hex::encode(all.clone().finalize()))),
            }
        }
    }

    fn take(&mut self, tables: &[Table], table: &Table, row: &[Value]) -> Result<(), String> {
        let position = tables.iter().position(|known| known.name == table.name).unwrap_or_default();
        let key = key_of(table, row);
        if let Some((last, last_key)) = &self.last
            && (position < *last || (position == *last && compare_keys(last_key, &key).is_ge()))
        {
            return Err(format!("the row of `{}` is a duplicate or not in the order of keys", table.name));
        }
        self.last = Some((position, key));
        *self.counts.entry(table.name).or_default() += 1;
        match table.name {
            "orgs" if self.is_part => return Err("the export of a part has no row of `orgs`".into()),
            _ if self.is_part => {}
            "orgs" => {
                let Some(Value::Uuid(org)) = row.first() else { return Err("the org has no id".into()) };
                self.org = Some(*org);
            }
            "workspaces" => self.take_workspace(table, row)?,
            name if IN_WORKSPACES.contains(&name) => {
                let at = table.workspace.and_then(|column| table.position(column));
                let Some(Value::Uuid(workspace)) = at.and_then(|at| row.get(at)) else { return Ok(()) };
                if !self.known.contains(workspace) {
                    return Err(format!(
                        "the row of `{name}` belongs to workspace {}, which the org has not",
                        workspace.0
                    ));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn take_workspace(&mut self, table: &Table, row: &[Value]) -> Result<(), String> {
        let field = |name: &str| table.position(name).and_then(|at| row.get(at)).unwrap_or(&Value::Null);
        let Value::Uuid(id) = field("id") else { return Err("the workspace has no id".into()) };
        let parent = if let Value::Uuid(parent) = field("parent_id") { Some(parent.workspace()) } else { None };
        let live = *field("removed_at") == Value::Null;
        if Some(*id) == self.org
            && let Value::Text(name) = field("name")
        {
            self.name.clone_from(name);
        }
        self.ids.push(*id);
        self.known.insert(*id);
        self.placements.push(Placement { id: id.workspace(), parent: parent.filter(|_| live), live });
        Ok(())
    }

    /// Verifies that the live workspaces are a tree below the root, without cycles and orphans.
    fn check_tree<R: BufRead>(&self, lines: &Lines<R>, org: Id) -> Result<(), TransferError> {
        let built = Tree::build(OrgId::from(org.0), self.placements.iter().copied());
        built.map(drop).map_err(|faults| lines.fault(faults.to_string()))
    }
}

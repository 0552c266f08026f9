//! Exports: one line of JSON for each row, on one snapshot.

use std::collections::BTreeMap;
use std::io::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::rows::{Cursor, FoundWorkspace, Only, Part, Rows};
use super::table::{Content, Table, tables};
use super::value::write_row;
use super::{Counter, OnProgress, TransferError, open};
use crate::columns::Id;
use crate::{StoreConfig, StoreError};

pub(super) const FORMAT: &str = "orgmem-export";
pub(super) const VERSION: u32 = 1;

/// Which rows an export contains. Workspaces and orgs are named by id or name, an org by the name of its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All orgs, and the audit log of the server itself.
    All,
    /// A whole org.
    Org(String),
    /// The data of one workspace. [`import_part`](super::import_part) puts it into an org.
    Workspace(String),
    /// The data about one end user in an org. [`import_part`](super::import_part) puts it into an org.
    Subject {
        /// The org.
        org: String,
        /// The end user.
        subject: String,
    },
}

/// What an export contains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExportSummary {
    /// Number of orgs, with the server itself.
    pub orgs: u64,
    /// Number of rows by table, without tables that have none.
    pub rows: BTreeMap<String, u64>,
}

/// The first line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
    /// The newest migration of the schema.
    pub(super) schema: String,
    pub(super) selection: SelectionJson,
    pub(super) orgs: u64,
    pub(super) counts: BTreeMap<String, u64>,
    pub(super) left_out: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum SelectionJson {
    All,
    Org(Uuid),
    Workspace(Uuid),
    Subject { org: Uuid, subject: String },
}

impl SelectionJson {
    pub(super) const fn is_part(&self) -> bool {
        matches!(self, Self::Workspace(_) | Self::Subject { .. })
    }
}

/// The last line of an org, or of the file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) org: Option<Uuid>,
    pub(super) rows: u64,
    /// Of all lines of the org, or of all lines before.
    pub(super) sha256: String,
}

pub(super) const END: &str = "end";
pub(super) const TRAILER: &str = "trailer";

/// Writes an export of a database, which a server may use meanwhile. Blocks.
///
/// # Errors
/// [`TransferError`]; the output is then incomplete and has no trailer.
///
/// # Complexity
/// O(rows); the memory does not depend on their number.
pub fn export(
    config: &StoreConfig,
    selection: &Selection,
    out: &mut dyn Write,
    progress: OnProgress<'_>,
) -> Result<ExportSummary, TransferError> {
    let mut rows = open::source(config)?;
    rows.begin_read()?;
    let tables = tables();
    let (selection, parts) = resolve(&mut *rows, selection)?;
    let header = header(&mut *rows, &tables, selection, &parts)?;
    let mut counter = Counter::new("export", header.counts.values().sum(), progress);
    let mut all = Sha256::new();
    let mut write = |line: &[u8]| {
        all.update(line);
        out.write_all(line).map_err(TransferError::Write)
    };
    write(&json_line(&header))?;
    let mut written = 0;
    for part in &parts {
        let end = section(&mut *rows, &tables, part, &mut counter, &mut write)?;
        written += end.rows;
        write(&json_line(&BTreeMap::from([(END, end)])))?;
    }
    let end = End { org: None, rows: written, sha256: hex::encode(all.finalize()) };
    out.write_all(&json_line(&BTreeMap::from([(TRAILER, end)]))).map_err(TransferError::Write)?;
    out.flush().map_err(TransferError::Write)?;
    counter.show();
    rows.roll_back();
    Ok(ExportSummary { orgs: header.orgs, rows: header.counts })
}

/// Writes the rows of an org, and returns its last line.
pub(super) fn section(
    rows: &mut dyn Rows,
    tables: &[Table],
    part: &Part,
    counter: &mut Counter<'_>,
    write: &mut dyn FnMut(&[u8]) -> Result<(), TransferError>,
) -> Result<End, TransferError> {
    let (mut sha256, mut count, mut line) = (Sha256::new(), 0, Vec::new());
    for table in tables.iter().filter(|table| table.is_exported()) {
        let mut cursor = Cursor::new(table, part);
        while let Some(row) = cursor.next(rows)? {
            line.clear();
            write_row(table, &row, &mut line);
            sha256.update(&line);
            write(&line)?;
            count += 1;
            counter.add(1);
        }
    }
    Ok(End { org: Some(part.org.0), rows: count, sha256: hex::encode(sha256.finalize()) })
}

fn header(
    rows: &mut dyn Rows,
    tables: &[Table],
    selection: SelectionJson,
    parts: &[Part],
) -> Result<Header, StoreError> {
    let mut counts = BTreeMap::new();
    for table in tables.iter().filter(|table| table.is_exported()) {
        let mut count = 0;
        for part in parts {
            count += rows.count(table, part)?;
        }
        if count > 0 {
            counts.insert(table.name.to_owned(), count);
        }
    }
    let left_out = tables.iter().filter_map(|table| match table.content {
        Content::Exported => None,
        Content::LeftOut(reason) => Some((table.name.to_owned(), reason.to_owned())),
    });
    let left_out =
        left_out.chain([("keys".to_owned(), "the files of the data folder; back them up separately".to_owned())]);
    Ok(Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        schema: rows.applied()?.pop().unwrap_or_default(),
        selection,
        orgs: parts.len() as u64,
        counts,
        left_out: left_out.collect(),
    })
}

/// The orgs of a selection, in the order of their ids.
fn resolve(rows: &mut dyn Rows, selection: &Selection) -> Result<(SelectionJson, Vec<Part>), TransferError> {
    Ok(match selection {
        Selection::All => (SelectionJson::All, rows.orgs()?.into_iter().map(Part::whole).collect()),
        Selection::Org(name) => {
            let org = find_org(rows, name)?;
            (SelectionJson::Org(org.0), vec![Part::whole(org)])
        }
        Selection::Workspace(name) => {
            let found = find(rows, name, "workspace", |_| true)?;
            let only = Some(Only::Workspace(found.id));
            (SelectionJson::Workspace(found.id.0), vec![Part { org: found.org, only }])
        }
        Selection::Subject { org, subject } => {
            let org = find_org(rows, org)?;
            let only = Some(Only::Subject(subject.clone()));
            (SelectionJson::Subject { org: org.0, subject: subject.clone() }, vec![Part { org, only }])
        }
    })
}

/// The org with this id, or whose root has this name.
pub(super) fn find_org(rows: &mut dyn Rows, name: &str) -> Result<Id, TransferError> {
    let root = find(rows, name, "org", |found| found.id == found.org)?;
    Ok(root.org)
}

fn find(
    rows: &mut dyn Rows,
    name: &str,
    what: &str,
    accepts: impl Fn(&FoundWorkspace) -> bool,
) -> Result<FoundWorkspace, TransferError> {
    let mut found: Vec<FoundWorkspace> = match name.parse::<Uuid>() {
        Ok(id) => rows.with_id(Id(id))?.into_iter().collect(),
        Err(_) => rows.named(name)?.into_iter().filter(|found| found.is_live).collect(),
    };
    found.retain(accepts);
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(TransferError::Refused(format!("no {what} has the id or the name `{name}`"))),
        several => {
            let ids: Vec<String> = several.iter().take(10).map(|found| found.id.0.to_string()).collect();
            let reason =
                format!("{} {what}s have the name `{name}`; name one by its id: {}", several.len(), ids.join(", "));
            Err(TransferError::Refused(reason))
        }
    }
}

pub(crate) fn json_line(value: &impl Serialize) -> Vec<u8> {
    // none of these types can fail to be written
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

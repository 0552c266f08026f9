//! The org that the export of a part is imported into.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use uuid::Uuid;

use super::TransferError;
use super::export::SelectionJson;
use super::ownership::{Rule, rule};
use super::rows::{Cursor, Only, Part, Rows};
use super::table::Table;
use super::value::{Row, Value, key_of, write_value};
use crate::StoreError;
use crate::columns::{Id, Time};

/// A workspace of the org.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) is_live: bool,
}

pub(super) struct TargetOrg {
    pub(super) org: Id,
    pub(super) selection: SelectionJson,
    pub(super) places: HashMap<Id, Place>,
    /// When the data about an end user was erased, by the hash of the subject.
    pub(super) erased_subjects: HashMap<Vec<u8>, Time>,
    pub(super) erased_workspaces: HashSet<Vec<u8>>,
    /// Items of the file that were removed in the org.
    pub(super) removed: HashSet<Id>,
    /// Items of the file that differ from those of the org.
    pub(super) different: HashSet<Id>,
    /// Skills of the file that are made of removed memories.
    pub(super) hidden: HashSet<Id>,
    pub(super) is_hiding: bool,
    /// The row of the org, its version, and the one of the import.
    head: Row,
    known: i64,
    version: i64,
    /// Added to the numbers of memories and passages of another org, which begin at 1 as those of this one.
    seq_offset: i64,
    pub(super) highest: i64,
    last_seq: i64,
    authors: BTreeSet<Id>,
    has_new_places: bool,
    has_new_settings: bool,
}

/// The existing rows of a batch by their keys.
pub(super) type Existing = HashMap<Vec<u8>, Row>;
/// The id of the row with a name in a workspace.
pub(super) type Names = BTreeMap<(Uuid, String), Id>;

pub(super) fn field<'r>(table: &Table, row: &'r [Value], column: &str) -> &'r Value {
    table.position(column).and_then(|at| row.get(at)).unwrap_or(&Value::Null)
}

pub(super) fn id_of(table: &Table, row: &[Value], column: &str) -> Option<Id> {
    if let Value::Uuid(id) = field(table, row, column) { Some(*id) } else { None }
}

pub(super) fn text_of<'r>(table: &Table, row: &'r [Value], column: &str) -> &'r str {
    if let Value::Text(text) = field(table, row, column) { text } else { "" }
}

pub(super) fn number_of(table: &Table, row: &[Value], column: &str) -> i64 {
    if let Value::Int(number) = field(table, row, column) { *number } else { 0 }
}

/// The key as bytes.
pub(super) fn key_bytes(table: &Table, row: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in key_of(table, row) {
        write_value(&value, &mut bytes);
        bytes.push(b',');
    }
    bytes
}

fn named<'t>(tables: &'t [Table], name: &str) -> Result<&'t Table, StoreError> {
    let table = tables.iter().find(|table| table.name == name);
    table.ok_or_else(|| StoreError::unreadable("the schema", name, "there is no such table"))
}

impl TargetOrg {
    /// Reads what is needed of the org; `source` is the org that the file is from.
    pub(super) fn load(
        rows: &mut dyn Rows,
        tables: &[Table],
        selection: &SelectionJson,
        (org, source): (Id, Id),
    ) -> Result<Self, TransferError> {
        let whole = Part::whole(org);
        let orgs = tables.iter().find(|table| table.is_orgs());
        let head = match orgs {
            Some(orgs) => rows.page(orgs, &whole, None)?.pop().unwrap_or_default(),
            None => Row::new(),
        };
        let last_seq = orgs.map_or(0, |orgs| number_of(orgs, &head, "last_seq"));
        let mut target = Self {
            org,
            selection: selection.clone(),
            places: HashMap::new(),
            erased_subjects: HashMap::new(),
            erased_workspaces: HashSet::new(),
            removed: HashSet::new(),
            different: HashSet::new(),
            hidden: HashSet::new(),
            is_hiding: false,
            head,
            known: 0,
            version: 0,
            seq_offset: if org == source { 0 } else { last_seq },
            highest: 0,
            last_seq,
            authors: BTreeSet::new(),
            has_new_places: false,
            has_new_settings: false,
        };
        let table = named(tables, "workspaces")?;
        let mut workspaces = Cursor::new(table, &whole);
        while let Some(row) = workspaces.next(rows)? {
            let Some(id) = id_of(table, &row, "id") else { continue };
            let is_live = *field(table, &row, "removed_at") == Value::Null;
            target.places.insert(id, Place { is_live });
        }
        let table = named(tables, "erasures")?;
        let mut erasures = Cursor::new(table, &whole);
        while let Some(row) = erasures.next(rows)? {
            let (Value::Bytes(about), Value::Time(at)) = (field(table, &row, "about"), field(table, &row, "erased_at"))
            else {
                continue;
            };
            match text_of(table, &row, "what") {
                "subject" => {
                    let last = target.erased_subjects.entry(about.clone()).or_insert(*at);
                    *last = (*last).max(*at);
                }
                "workspace" => {
                    target.erased_workspaces.insert(about.clone());
                }
                _ => {}
            }
        }
        if let SelectionJson::Workspace(id) = selection
            && let Some((id, other)) = rows.taken(&[Id(*id)])?
            && other != org
        {
            let reason = format!("workspace {} exists in another org, {}; nothing was imported", id.0, other.0);
            return Err(TransferError::Refused(reason));
        }
        Ok(target)
    }

    /// The rows of the org with the keys of these.
    pub(super) fn existing(&self, rows: &mut dyn Rows, table: &Table, batch: &[&Row]) -> Result<Existing, StoreError> {
        if matches!(rule(table.name), None | Some(Rule::OfOrg | Rule::Log)) {
            return Ok(Existing::new());
        }
        let keys: Vec<Vec<Value>> = batch.iter().map(|row| key_of(table, row)).collect();
        let found = rows.with_keys(table, self.org, &keys)?;
        Ok(found.into_iter().map(|row| (key_bytes(table, &row), row)).collect())
    }

    /// The names in the workspace, for tables whose names are unique there.
    pub(super) fn names(&self, rows: &mut dyn Rows, table: &Table) -> Result<Names, StoreError> {
        let mut names = Names::new();
        let (true, SelectionJson::Workspace(workspace)) =
            (matches!(table.name, "profiles" | "skills"), &self.selection)
        else {
            return Ok(names);
        };
        let part = Part { org: self.org, only: Some(Only::Workspace(Id(*workspace))) };
        let mut cursor = Cursor::new(table, &part);
        while let Some(row) = cursor.next(rows)? {
            let Some(id) = id_of(table, &row, "id") else { continue };
            names.insert((*workspace, format!("`{}`", text_of(table, &row, "name"))), id);
            if *field(table, &row, "is_default") == Value::Bool(true) {
                names.insert((*workspace, String::new()), id);
            }
        }
        Ok(names)
    }

    /// Chooses the version of the import, before the first row is inserted.
    pub(super) fn begin(&mut self, tables: &[Table]) -> Result<(), StoreError> {
        self.known = number_of(named(tables, "orgs")?, &self.head, "version");
        self.version = self.known.max(self.highest) + 1;
        Ok(())
    }

    /// Inserts rows, with their index entries.
    pub(super) fn insert(&mut self, rows: &mut dyn Rows, table: &Table, new: Vec<Row>) -> Result<(), StoreError> {
        if new.is_empty() {
            return Ok(());
        }
        let new: Vec<Row> = new.into_iter().map(|row| self.prepared(table, row)).collect();
        rows.insert(table, &new)?;
        let ids: Vec<Id> = new.iter().filter_map(|row| id_of(table, row, "id")).collect();
        match table.name {
            "workspaces" => self.has_new_places = true,
            "profiles" | "budgets" => self.has_new_settings = true,
            "memories" => rows.index_memories(self.org, &ids)?,
            "document_passages" => rows.index_passages_with(self.org, &ids)?,
            "pages" => {
                let mut by_workspace: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
                for row in &new {
                    let ids = (id_of(table, row, "workspace_id"), id_of(table, row, "id"));
                    if let (Some(workspace), Some(id)) = ids {
                        by_workspace.entry(workspace).or_default().push(id);
                    }
                }
                for (workspace, ids) in by_workspace {
                    rows.index_pages_with(self.org, workspace, &ids, self.version)?;
                }
            }
            _ => {}
        }
        if matches!(table.name, "memories" | "memory_versions" | "documents" | "document_versions") {
            self.authors.extend(new.iter().filter_map(|row| id_of(table, row, "author_id")));
        }
        if matches!(table.name, "collection_rows" | "pages") {
            self.authors.extend(new.iter().filter_map(|row| id_of(table, row, "workspace_id")));
        }
        Ok(())
    }

    /// The row with versions that servers of the org have not seen, and with a number that no other row has.
    fn prepared(&mut self, table: &Table, mut row: Row) -> Row {
        for column in ["org_version", "tree_version"] {
            if let Some(at) = table.position(column)
                && let Some(Value::Int(version)) = row.get_mut(at)
                && (*version <= self.known || *version > self.version)
            {
                *version = self.version;
            }
        }
        if matches!(table.name, "memories" | "document_passages" | "collection_rows")
            && let Some(at) = table.position("seq")
            && let Some(Value::Int(seq)) = row.get_mut(at)
        {
            *seq += self.seq_offset;
            self.last_seq = self.last_seq.max(*seq);
        }
        if table.name == "processors" {
            // the rows have other numbers here, so the processor reads them again
            for (column, value) in [("read_seq", Value::Int(0)), ("claim", Value::Null), ("claimed_until", Value::Null)]
            {
                if let Some(at) = table.position(column).filter(|at| *at < row.len()) {
                    row[at] = value;
                }
            }
        }
        row
    }

    /// Counts what was inserted, and writes the row of the org.
    pub(super) fn finish(&mut self, rows: &mut dyn Rows, tables: &[Table]) -> Result<(), StoreError> {
        if self.has_new_places {
            rows.place_workspaces(self.org)?;
        }
        let authors: Vec<Id> = self.authors.iter().copied().collect();
        rows.recount(self.org, &authors, self.version)?;
        let orgs = named(tables, "orgs")?;
        let changes = [
            ("version", Some(self.version)),
            ("last_seq", Some(self.last_seq)),
            ("tree_version", self.has_new_places.then_some(self.version)),
            ("profile_version", self.has_new_settings.then_some(self.version)),
        ];
        let mut changed = Vec::new();
        for (column, value) in changes {
            if let (Some(at), Some(value)) = (orgs.position(column), value)
                && let Some(field) = self.head.get_mut(at)
            {
                *field = Value::Int(value);
                changed.push(at);
            }
        }
        rows.update(orgs, &self.head, &changed)
    }
}

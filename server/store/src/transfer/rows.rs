//! Access to whole rows of any table, on either database.

use orgmem_policies::chain::{ChainFault, SealKey};

use super::removals::{RemovalKind, RemovalPosition};
use super::table::Table;
use super::value::{Row, Value};
use crate::StoreError;
use crate::columns::Id;
use crate::contract::Removal;

/// Rows of a page. A row has at most some hundred kilobytes, so a page is bounded.
pub(crate) const PAGE: usize = 256;

/// The rows of an org, or some of them.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) org: Id,
    pub(crate) only: Option<Only>,
}

#[derive(Clone, Debug)]
pub(crate) enum Only {
    /// Rows whose workspace this is.
    Workspace(Id),
    /// Rows about this end user.
    Subject(String),
}

impl Part {
    pub(crate) const fn whole(org: Id) -> Self {
        Self { org, only: None }
    }

    /// Whether the part can contain rows of `table`.
    pub(crate) fn covers(&self, table: &Table) -> bool {
        match self.only {
            None => true,
            Some(Only::Workspace(_)) => table.workspace.is_some() || table.parent.is_some(),
            Some(Only::Subject(_)) => table.has_subject,
        }
    }
}

/// A workspace by id or name.
#[derive(Clone, Debug)]
pub(crate) struct FoundWorkspace {
    pub(crate) org: Id,
    pub(crate) id: Id,
    pub(crate) is_live: bool,
}

/// A connection for whole rows.
pub(crate) trait Rows: Send {
    /// Begins a transaction on one snapshot.
    fn begin_read(&mut self) -> Result<(), StoreError>;

    fn begin_write(&mut self) -> Result<(), StoreError>;

    fn commit(&mut self) -> Result<(), StoreError>;

    fn roll_back(&mut self);

    /// The applied migrations, oldest first.
    fn applied(&mut self) -> Result<Vec<String>, StoreError>;

    /// All orgs in the order of their ids; the server itself is the first.
    fn orgs(&mut self) -> Result<Vec<Id>, StoreError>;

    /// The workspaces with this name.
    fn named(&mut self, name: &str) -> Result<Vec<FoundWorkspace>, StoreError>;

    /// The workspace with this id.
    fn with_id(&mut self, id: Id) -> Result<Option<FoundWorkspace>, StoreError>;

    fn count(&mut self, table: &Table, part: &Part) -> Result<u64, StoreError>;

    /// The next [`PAGE`] rows after a key, in the order of their keys.
    fn page(&mut self, table: &Table, part: &Part, after: Option<&[Value]>) -> Result<Vec<Row>, StoreError>;

    fn insert(&mut self, table: &Table, rows: &[Row]) -> Result<(), StoreError>;

    /// The rows of an org with these keys, in any order.
    fn with_keys(&mut self, table: &Table, org: Id, keys: &[Vec<Value>]) -> Result<Vec<Row>, StoreError>;

    /// Writes the columns at these positions of an existing row.
    fn update(&mut self, table: &Table, row: &[Value], columns: &[usize]) -> Result<(), StoreError>;

    /// Locks the row of an org until the end of the transaction, as a group of writes does.
    fn lock_org(&mut self, org: Id) -> Result<(), StoreError>;

    /// Writes the index rows of these memories, those that are live.
    fn index_memories(&mut self, org: Id, ids: &[Id]) -> Result<(), StoreError>;

    /// Writes the index rows of these passages.
    fn index_passages_with(&mut self, org: Id, ids: &[Id]) -> Result<(), StoreError>;

    /// Writes the index rows of these pages of a workspace, as of a version of the org.
    fn index_pages_with(&mut self, org: Id, workspace: Id, ids: &[Id], version: i64) -> Result<(), StoreError>;

    /// Counts the partitions of these authors and all budgets of the org from the stored rows. `version` is the org's.
    fn recount(&mut self, org: Id, authors: &[Id], version: i64) -> Result<(), StoreError>;

    /// Deletes the row of an org with this key.
    fn delete(&mut self, table: &Table, org: Id, key: &[Value]) -> Result<(), StoreError>;

    /// Writes the rows of `workspace_orgs` for the workspaces of an org.
    fn place_workspaces(&mut self, org: Id) -> Result<(), StoreError>;

    /// The first of these workspaces that exists, with its org.
    fn taken(&mut self, workspaces: &[Id]) -> Result<Option<(Id, Id)>, StoreError>;

    /// Writes the index rows of a page of memories after `after`. Returns the last memory of the page.
    fn index(&mut self, org: Id, after: Id) -> Result<Option<Id>, StoreError>;

    /// Writes the index rows of a page of passages after `after`. Returns the last passage of the page.
    fn index_passages(&mut self, org: Id, after: Id) -> Result<Option<Id>, StoreError>;

    /// Writes the index rows of a part of the pages after `after`, a workspace and an id. Returns the last page of the part.
    fn index_pages(&mut self, org: Id, after: (Id, Id)) -> Result<Option<(Id, Id)>, StoreError>;

    /// Whether a server is connected to a PostgreSQL database. A SQLite file has a lock instead.
    fn other_servers(&mut self) -> Result<bool, StoreError>;

    /// Makes servers that start wait until the connection ends.
    fn lock_out_servers(&mut self) -> Result<(), StoreError>;

    /// The source of an incomplete copy in this database, if it is one.
    fn marker(&mut self) -> Result<Option<String>, StoreError>;

    /// Marks the database as an incomplete copy, which no server opens.
    fn mark(&mut self, source: &str) -> Result<(), StoreError>;

    fn unmark(&mut self) -> Result<(), StoreError>;

    /// The next removals of a kind in an org after a position, which moves on. Empty at the end.
    fn removals(&mut self, org: Id, kind: RemovalKind, at: &mut RemovalPosition) -> Result<Vec<Removal>, StoreError>;

    /// Verifies the audit log of an org from its beginning.
    fn check_chain(&mut self, org: Id, keys: &[SealKey]) -> Result<Result<u64, ChainFault>, StoreError>;

    /// Prepares the database for reads after many writes.
    fn finish(&mut self) -> Result<(), StoreError>;
}

/// Reads the rows of a table page by page.
pub(crate) struct Cursor<'t> {
    table: &'t Table,
    part: Part,
    page: std::vec::IntoIter<Row>,
    last: Option<Vec<Value>>,
    is_done: bool,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(table: &'t Table, part: &Part) -> Self {
        let is_done = !part.covers(table);
        Self { table, part: part.clone(), page: Vec::new().into_iter(), last: None, is_done }
    }

    pub(crate) fn next(&mut self, rows: &mut dyn Rows) -> Result<Option<Row>, StoreError> {
        if let Some(row) = self.page.next() {
            return Ok(Some(row));
        }
        if self.is_done {
            return Ok(None);
        }
        let page = rows.page(self.table, &self.part, self.last.as_deref())?;
        self.is_done = page.len() < PAGE || self.table.is_orgs();
        self.last = page.last().map(|row| super::value::key_of(self.table, row));
        self.page = page.into_iter();
        Ok(self.page.next())
    }
}

//! Whole rows of any table: the statements are made from the list of tables.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use orgmem_policies::chain::{ChainFault, SealKey};

use super::super::{
    AFTER_BULK_LOAD, BEGIN_READ, BEGIN_WRITE, LOCK_OUT_SERVERS, MARKERS, OTHER_SERVERS, ROWS_PER_INSERT,
};
use super::queries::document_texts::{index_passages, index_passages_with};
use super::queries::memory_rows::MemoryRow;
use super::queries::page_rows::{index_pages, index_pages_with};
use super::queries::text_rows::delete_blocks;
use super::statement::{Loaded, Statement};
use super::{Conn, chain_check, part_rows, removal_rows};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{MemoryStatus, Removal};
use crate::engine::RowContext;
use crate::schema::{memories, orgs, workspace_orgs, workspaces};
use crate::transfer::{FoundWorkspace, Kind, Only, PAGE, Part, RemovalKind, RemovalPosition, Row, Rows, Table, Value};

/// Ids in one statement.
const IDS: usize = 500;

/// A connection of its own, outside of the store's pools.
pub(crate) struct RowConnection {
    pub(crate) conn: Conn,
}

/// The columns at these positions, in quotes and separated by commas.
fn quoted(table: &Table, positions: impl Iterator<Item = usize>) -> String {
    let names: Vec<String> = positions.map(|at| format!("\"{}\"", table.columns[at].name)).collect();
    names.join(", ")
}

/// All columns, each with a name that begins with the code of its kind.
fn coded(table: &Table) -> String {
    let columns = table.columns.iter().enumerate();
    let coded = columns.map(|(number, column)| format!("\"{}\" AS {}{number}", column.name, column.kind.code()));
    coded.collect::<Vec<_>>().join(", ")
}

/// The condition on the rows of a part.
fn condition<'v>(statement: Statement<'v>, table: &Table, [org, only]: &'v [Value; 2], part: &Part) -> Statement<'v> {
    let statement = statement.sql(format!(" FROM {} WHERE \"org_id\" = ", table.name)).value(Kind::Uuid, org);
    match (&part.only, table.workspace) {
        (Some(Only::Workspace(_)), Some(column)) => {
            statement.sql(format!(" AND \"{column}\" = ")).value(Kind::Uuid, only)
        }
        (Some(Only::Workspace(_)), None) => match table.parent {
            Some((parent, column)) => statement
                .sql(format!(" AND \"{column}\" IN (SELECT id FROM {parent} WHERE org_id = "))
                .value(Kind::Uuid, org)
                .sql(" AND workspace_id = ")
                .value(Kind::Uuid, only)
                .sql(")"),
            None => statement,
        },
        (Some(Only::Subject(_)), _) => statement.sql(" AND \"subject\" = ").value(Kind::Text, only),
        _ => statement,
    }
}

fn bounds(part: &Part) -> [Value; 2] {
    let only = match &part.only {
        None => Value::Null,
        Some(Only::Workspace(id)) => Value::Uuid(*id),
        Some(Only::Subject(subject)) => Value::Text(subject.clone()),
    };
    [Value::Uuid(part.org), only]
}

/// The next `most` rows of a part after a key, in the order of their keys.
pub(crate) fn read_page(
    conn: &mut Conn,
    table: &Table,
    part: &Part,
    after: Option<&[Value]>,
    most: usize,
) -> Result<Vec<Row>, StoreError> {
    let (bounds, key) = (bounds(part), quoted(table, table.key.iter().copied()));
    let query = Statement::default().sql(format!("SELECT {}", coded(table)));
    let mut query = condition(query, table, &bounds, part);
    if let Some(after) = after.filter(|after| !after.is_empty()) {
        let kinds = table.key.iter().map(|at| table.columns[*at].kind);
        query = query.sql(format!(" AND ({key}) > ")).values(kinds, after);
    }
    if !key.is_empty() {
        query = query.sql(format!(" ORDER BY {key} LIMIT {most}"));
    }
    let rows: Vec<Loaded> = query.load(conn).row_context(table.name, part.org)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Writes the columns at these positions of an existing row.
pub(crate) fn update_row(conn: &mut Conn, table: &Table, row: &[Value], changed: &[usize]) -> Result<(), StoreError> {
    let mut query = Statement::default().sql(format!("UPDATE {} SET ", table.name));
    for (number, at) in changed.iter().enumerate() {
        let (separator, column) = (if number == 0 { "" } else { ", " }, table.columns[*at]);
        query = query.sql(format!("{separator}\"{}\" = ", column.name)).value(column.kind, &row[*at]);
    }
    let org = table.position("org_id").into_iter();
    for (number, at) in org.chain(table.key.iter().copied()).enumerate() {
        let (separator, column) = (if number == 0 { " WHERE" } else { " AND" }, table.columns[at]);
        query = query.sql(format!("{separator} \"{}\" = ", column.name)).value(column.kind, &row[at]);
    }
    query.execute(conn)?;
    Ok(())
}

impl Rows for RowConnection {
    fn begin_read(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.batch_execute(BEGIN_READ)?)
    }

    fn begin_write(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.batch_execute(BEGIN_WRITE)?)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.batch_execute("COMMIT")?)
    }

    fn roll_back(&mut self) {
        // fails if the transaction has ended, which is the purpose
        let _ = self.conn.batch_execute("ROLLBACK");
    }

    fn applied(&mut self) -> Result<Vec<String>, StoreError> {
        let query = Statement::default().sql("SELECT version AS x FROM __diesel_schema_migrations ORDER BY version");
        let rows: Vec<Loaded> = query.load(&mut self.conn)?;
        Ok(rows.into_iter().filter_map(first_text).collect())
    }

    fn orgs(&mut self) -> Result<Vec<Id>, StoreError> {
        orgs::table.select(orgs::org_id).order(orgs::org_id).load(&mut self.conn).row_context("orgs", "all")
    }

    fn named(&mut self, name: &str) -> Result<Vec<FoundWorkspace>, StoreError> {
        let rows: Vec<(Id, Id, Option<Time>)> = workspaces::table
            .filter(workspaces::name.eq(name))
            .order((workspaces::org_id, workspaces::id))
            .select((workspaces::org_id, workspaces::id, workspaces::removed_at))
            .load(&mut self.conn)
            .row_context("workspaces", name)?;
        Ok(rows.into_iter().map(|(org, id, removed)| FoundWorkspace { org, id, is_live: removed.is_none() }).collect())
    }

    fn with_id(&mut self, id: Id) -> Result<Option<FoundWorkspace>, StoreError> {
        let org = workspace_orgs::table.find(id).select(workspace_orgs::org_id).first(&mut self.conn).optional()?;
        Ok(org.map(|org| FoundWorkspace { org, id, is_live: true }))
    }

    fn count(&mut self, table: &Table, part: &Part) -> Result<u64, StoreError> {
        if !part.covers(table) {
            return Ok(0);
        }
        let bounds = bounds(part);
        let query = condition(Statement::default().sql("SELECT count(*) AS i"), table, &bounds, part);
        let Loaded(row) = query.get_result(&mut self.conn)?;
        Ok(first_number(&row))
    }

    fn page(&mut self, table: &Table, part: &Part, after: Option<&[Value]>) -> Result<Vec<Row>, StoreError> {
        read_page(&mut self.conn, table, part, after, PAGE)
    }

    fn insert(&mut self, table: &Table, rows: &[Row]) -> Result<(), StoreError> {
        let columns = quoted(table, 0..table.columns.len());
        for rows in rows.chunks(ROWS_PER_INSERT) {
            let mut query = Statement::default().sql(format!("INSERT INTO {} ({columns}) VALUES ", table.name));
            for (number, row) in rows.iter().enumerate() {
                let separated = if number == 0 { query } else { query.sql(", ") };
                query = separated.values(table.columns.iter().map(|column| column.kind), row);
            }
            query.execute(&mut self.conn)?;
        }
        Ok(())
    }

    fn with_keys(&mut self, table: &Table, org: Id, keys: &[Vec<Value>]) -> Result<Vec<Row>, StoreError> {
        let (bounds, key) = (bounds(&Part::whole(org)), quoted(table, table.key.iter().copied()));
        let query = Statement::default().sql(format!("SELECT {}", coded(table)));
        let mut query = condition(query, table, &bounds, &Part::whole(org)).sql(format!(" AND ({key}) IN (VALUES "));
        for (number, key) in keys.iter().enumerate() {
            let separated = if number == 0 { query } else { query.sql(", ") };
            query = separated.values(table.key.iter().map(|at| table.columns[*at].kind), key);
        }
        let rows: Vec<Loaded> = query.sql(")").load(&mut self.conn).row_context(table.name, org)?;
        Ok(rows.into_iter().map(|row| row.0).collect())
    }

    fn update(&mut self, table: &Table, row: &[Value], columns: &[usize]) -> Result<(), StoreError> {
        update_row(&mut self.conn, table, row, columns)
    }

    fn lock_org(&mut self, org: Id) -> Result<(), StoreError> {
        part_rows::lock_org(&mut self.conn, org)
    }

    fn index_memories(&mut self, org: Id, ids: &[Id]) -> Result<(), StoreError> {
        part_rows::index_memories(&mut self.conn, org, ids)
    }

    fn index_passages_with(&mut self, org: Id, ids: &[Id]) -> Result<(), StoreError> {
        index_passages_with(&mut self.conn, org, ids)
    }

    fn index_pages_with(&mut self, org: Id, workspace: Id, ids: &[Id], version: i64) -> Result<(), StoreError> {
        index_pages_with(&mut self.conn, org, workspace, ids, version)
    }

    fn recount(&mut self, org: Id, authors: &[Id], version: i64) -> Result<(), StoreError> {
        // they lack the imported rows
        delete_blocks(&mut self.conn, org)?;
        part_rows::recount(&mut self.conn, org, authors, version)
    }

    fn delete(&mut self, table: &Table, org: Id, key: &[Value]) -> Result<(), StoreError> {
        let org = Value::Uuid(org);
        let query = Statement::default().sql(format!("DELETE FROM {} WHERE \"org_id\" = ", table.name));
        let mut query = query.value(Kind::Uuid, &org);
        for (at, value) in table.key.iter().zip(key) {
            let column = table.columns[*at];
            query = query.sql(format!(" AND \"{}\" = ", column.name)).value(column.kind, value);
        }
        query.execute(&mut self.conn)?;
        Ok(())
    }

    fn place_workspaces(&mut self, org: Id) -> Result<(), StoreError> {
        let org = Value::Uuid(org);
        Statement::default()
            .sql("INSERT INTO workspace_orgs (id, org_id) SELECT id, org_id FROM workspaces WHERE org_id = ")
            .value(Kind::Uuid, &org)
            .sql(" ON CONFLICT (id) DO NOTHING")
            .execute(&mut self.conn)?;
        Ok(())
    }

    fn taken(&mut self, workspaces: &[Id]) -> Result<Option<(Id, Id)>, StoreError> {
        for ids in workspaces.chunks(IDS) {
            let found: Option<(Id, Id)> = workspace_orgs::table
                .filter(workspace_orgs::id.eq_any(ids))
                .select((workspace_orgs::id, workspace_orgs::org_id))
                .first(&mut self.conn)
                .optional()
                .row_context("workspace_orgs", "some")?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn index(&mut self, org: Id, after: Id) -> Result<Option<Id>, StoreError> {
        let rows: Vec<MemoryRow> = memories::table
            .filter(memories::org_id.eq(org))
            .filter(memories::id.gt(after))
            .filter(memories::status.eq(TextEnum(MemoryStatus::Live)))
            .filter(memories::content.is_not_null())
            .order(memories::id)
            .limit(row_limit(PAGE))
            .select(MemoryRow::as_select())
            .load(&mut self.conn)
            .row_context("memories", org)?;
        part_rows::index_rows(&mut self.conn, &rows)?;
        Ok(rows.last().map(|row| row.id))
    }

    fn index_passages(&mut self, org: Id, after: Id) -> Result<Option<Id>, StoreError> {
        index_passages(&mut self.conn, org, after, PAGE)
    }

    fn index_pages(&mut self, org: Id, after: (Id, Id)) -> Result<Option<(Id, Id)>, StoreError> {
        let version = orgs::table.find(org).select(orgs::version).first(&mut self.conn).row_context("orgs", org)?;
        index_pages(&mut self.conn, org, after, version, PAGE)
    }

    fn other_servers(&mut self) -> Result<bool, StoreError> {
        let Loaded(row) = Statement::default().sql(OTHER_SERVERS).get_result(&mut self.conn)?;
        Ok(first_number(&row) > 0)
    }

    fn lock_out_servers(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.batch_execute(LOCK_OUT_SERVERS)?)
    }

    fn marker(&mut self) -> Result<Option<String>, StoreError> {
        incomplete_copy(&mut self.conn)
    }

    fn mark(&mut self, source: &str) -> Result<(), StoreError> {
        let source = Value::Text(source.to_owned());
        // together, because nothing continues a copy that does not name its source
        self.conn.transaction(|conn| {
            conn.batch_execute("CREATE TABLE __orgmem_copy (source TEXT NOT NULL)")?;
            let insert = Statement::default().sql("INSERT INTO __orgmem_copy (source) VALUES (");
            insert.value(Kind::Text, &source).sql(")").execute(conn)?;
            Ok(())
        })
    }

    fn unmark(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.batch_execute("DROP TABLE __orgmem_copy")?)
    }

    fn removals(&mut self, org: Id, kind: RemovalKind, at: &mut RemovalPosition) -> Result<Vec<Removal>, StoreError> {
        removal_rows::page(&mut self.conn, org, kind, at)
    }

    fn check_chain(&mut self, org: Id, keys: &[SealKey]) -> Result<Result<u64, ChainFault>, StoreError> {
        chain_check::verify(&mut self.conn, org, keys)
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.batch_execute(AFTER_BULK_LOAD)?)
    }
}

/// The source of the incomplete copy in a database, if it has one.
pub(crate) fn incomplete_copy(conn: &mut Conn) -> Result<Option<String>, StoreError> {
    let Loaded(row) = Statement::default().sql(MARKERS).get_result(conn)?;
    if first_number(&row) == 0 {
        return Ok(None);
    }
    let rows: Vec<Loaded> = Statement::default().sql("SELECT source AS x FROM __orgmem_copy").load(conn)?;
    Ok(Some(rows.into_iter().find_map(first_text).unwrap_or_default()))
}

fn first_number(row: &[Value]) -> u64 {
    if let Some(Value::Int(number)) = row.first() { number.unsigned_abs() } else { 0 }
}

fn first_text(row: Loaded) -> Option<String> {
    row.0.into_iter().find_map(|value| if let Value::Text(text) = value { Some(text) } else { None })
}

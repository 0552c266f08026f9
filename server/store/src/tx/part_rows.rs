//! Rows that an import adds to an org: their index entries and their counters.

use diesel::prelude::*;

use super::Conn;
use super::insert::Outgoing;
use super::queries::index_rows::stored_index_row;
use super::queries::memory_rows::{MemoryRow, insert_index};
use super::statement::Statement;
use crate::StoreError;
use crate::columns::Id;
use crate::engine::RowContext;
use crate::schema::{budgets, memories};
use crate::transfer::{Kind, Value};

/// Ids in one statement.
const IDS: usize = 500;

/// What a memory and an earlier version count for budgets, as in `VERSION_BYTES`.
const BYTES: &str = "OCTET_LENGTH(content) + COALESCE(OCTET_LENGTH(title), 0) + OCTET_LENGTH(tags) \
    + COALESCE(OCTET_LENGTH(metadata), 0)";

pub(super) fn lock_org(conn: &mut Conn, org: Id) -> Result<(), StoreError> {
    let org = Value::Uuid(org);
    Statement::default()
        .sql("UPDATE orgs SET version = version WHERE org_id = ")
        .value(Kind::Uuid, &org)
        .execute(conn)?;
    Ok(())
}

/// Writes the index rows of those memories that are live.
pub(super) fn index_rows(conn: &mut Conn, rows: &[MemoryRow]) -> Result<(), StoreError> {
    let index = rows.iter().filter_map(|row| stored_index_row(row).transpose()).collect::<Result<Vec<_>, _>>()?;
    let mut out = Outgoing::new(conn);
    insert_index(&mut out, index)?;
    out.send()?;
    Ok(())
}

pub(super) fn index_memories(conn: &mut Conn, org: Id, ids: &[Id]) -> Result<(), StoreError> {
    for ids in ids.chunks(IDS) {
        let rows: Vec<MemoryRow> = memories::table
            .filter(memories::org_id.eq(org))
            .filter(memories::id.eq_any(ids))
            .select(MemoryRow::as_select())
            .load(conn)
            .row_context("memories", org)?;
        index_rows(conn, &rows)?;
    }
    Ok(())
}

/// Counts the partitions of these authors from their rows, and every budget of the org from the partitions.
pub(super) fn recount(conn: &mut Conn, org: Id, authors: &[Id], version: i64) -> Result<(), StoreError> {
    let (org_value, version, no_team) = (Value::Uuid(org), Value::Int(version), Value::Uuid(Id::NIL));
    for author in authors {
        let author = Value::Uuid(*author);
        counted(&org_value, &author, &version, &no_team).execute(conn)?;
        counted_rows(&org_value, &author).execute(conn)?;
    }
    let holders: Vec<Id> = budgets::table
        .filter(budgets::org_id.eq(org))
        .select(budgets::workspace_id)
        .load(conn)
        .row_context("budgets", org)?;
    for holder in holders {
        let holder = Value::Uuid(holder);
        let mut statement = Statement::default().sql("UPDATE budgets SET ");
        for (column, of) in [("used_memories", "live_count"), (", used_bytes", "bytes")] {
            statement = statement
                .sql(format!(
                    "{column} = (SELECT CAST(COALESCE(SUM({of}), 0) AS BIGINT) FROM memory_partitions WHERE scope <> 'LOCAL_PAGES' AND org_id = "
                ))
                .value(Kind::Uuid, &org_value)
                .sql(" AND author_id IN (WITH RECURSIVE below (id) AS (SELECT id FROM workspaces WHERE org_id = ")
                .value(Kind::Uuid, &org_value)
                .sql(" AND id = ")
                .value(Kind::Uuid, &holder)
                .sql(
                    " UNION ALL SELECT workspaces.id FROM workspaces JOIN below ON workspaces.parent_id = below.id \
                     WHERE org_id = ",
                )
                .value(Kind::Uuid, &org_value)
                .sql(") SELECT id FROM below))");
        }
        statement
            .sql(" WHERE org_id = ")
            .value(Kind::Uuid, &org_value)
            .sql(" AND workspace_id = ")
            .value(Kind::Uuid, &holder)
            .execute(conn)?;
    }
    Ok(())
}

/// Counts the rows of the collections of a workspace.
fn counted_rows<'v>(org: &'v Value, workspace: &'v Value) -> Statement<'v> {
    let of_collection = " FROM collection_rows WHERE collection_rows.org_id = collections.org_id \
        AND collection_rows.workspace_id = collections.workspace_id AND collection_rows.collection = collections.name)";
    Statement::default()
        .sql(format!(
            "UPDATE collections SET row_count = (SELECT COUNT(*){of_collection}, \
             bytes = (SELECT CAST(COALESCE(SUM(size_bytes), 0) AS BIGINT){of_collection} WHERE org_id = "
        ))
        .value(Kind::Uuid, org)
        .sql(" AND workspace_id = ")
        .value(Kind::Uuid, workspace)
}

/// Counts the partitions of an author. Rows count as LOCAL. A document and its earlier versions count where the document is.
fn counted<'v>(org: &'v Value, author: &'v Value, version: &'v Value, no_team: &'v Value) -> Statement<'v> {
    let of_author = |statement: Statement<'v>, table: &str| {
        statement
            .sql(format!(" WHERE {table}.org_id = "))
            .value(Kind::Uuid, org)
            .sql(format!(" AND {table}.author_id = "))
            .value(Kind::Uuid, author)
    };
    let mut statement = Statement::default()
        .sql(
            "INSERT INTO memory_partitions \
             (org_id, author_id, scope, team_id, live_count, version, last_write_at, bytes) \
             SELECT org_id, author_id, scope, team_id, CAST(SUM(live) AS BIGINT), CAST(",
        )
        .value(Kind::Int, version)
        .sql(
            " AS BIGINT), MAX(written_at), CAST(SUM(bytes) AS BIGINT) FROM (\
             SELECT org_id, author_id, scope, team_id, \
             CASE WHEN status = 'live' AND content IS NOT NULL THEN 1 ELSE 0 END AS live, updated_at AS written_at, ",
        )
        .sql(format!("COALESCE({BYTES}, 0) AS bytes FROM memories"));
    statement = of_author(statement, "memories").sql(format!(
        " UNION ALL SELECT org_id, author_id, scope, team_id, 0, written_at, {BYTES} FROM memory_versions"
    ));
    statement = of_author(statement, "memory_versions").sql(
        " UNION ALL SELECT org_id, author_id, scope || '_PASSAGES', team_id, 0, updated_at, size_bytes FROM documents",
    );
    statement = of_author(statement, "documents").sql(
        " UNION ALL SELECT documents.org_id, documents.author_id, documents.scope || '_PASSAGES', documents.team_id, 0, \
         document_versions.written_at, document_versions.size_bytes FROM document_versions JOIN documents \
         ON documents.org_id = document_versions.org_id AND documents.id = document_versions.document_id",
    );
    statement = of_author(statement, "documents").sql(
        " UNION ALL SELECT documents.org_id, documents.author_id, documents.scope || '_PASSAGES', documents.team_id, 1, \
         documents.updated_at, 0 FROM document_passages JOIN documents \
         ON documents.org_id = document_passages.org_id AND documents.id = document_passages.document_id",
    );
    statement = of_author(statement, "documents");
    let of_workspace = [
        ("'LOCAL'", "0, updated_at, size_bytes FROM collection_rows WHERE"),
        // they count for no budget
        ("'LOCAL_PAGES'", "1, compacted_at, 0 FROM pages WHERE tier <> 'cold' AND"),
    ];
    for (scope, counted) in of_workspace {
        statement = statement
            .sql(format!(" UNION ALL SELECT org_id, workspace_id, {scope}, "))
            .value(Kind::Uuid, no_team)
            .sql(format!(", {counted} org_id = "))
            .value(Kind::Uuid, org)
            .sql(" AND workspace_id = ")
            .value(Kind::Uuid, author);
    }
    statement.sql(
        ") AS stored GROUP BY org_id, author_id, scope, team_id ON CONFLICT (org_id, author_id, scope, team_id) \
         DO UPDATE SET live_count = excluded.live_count, version = excluded.version, bytes = excluded.bytes, \
         last_write_at = excluded.last_write_at",
    )
}

//! Inserts of many rows with few statements, because each statement costs a round trip to the server.
//!
//! A statement for a fixed number of rows is prepared once for each connection. A statement for any number of rows
//! would be built and planned each time. Rows are therefore written in chunks of a few sizes. Single rows of several
//! tables are combined into one statement: a single write produces at most one row for each of a few tables.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

use super::Conn;
use crate::StoreError;

/// Collects single-row statements and executes them as one.
pub(super) struct Outgoing<'c> {
    pub(super) conn: &'c mut Conn,
    combined: CombinedStatement,
}

impl<'c> Outgoing<'c> {
    pub(super) fn new(conn: &'c mut Conn) -> Self {
        Self { conn, combined: CombinedStatement(Vec::new()) }
    }

    /// Adds a statement that changes one row. No other collected statement may change the same row.
    pub(super) fn add(&mut self, statement: impl QueryFragment<Pg> + 'static) {
        self.combined.0.push(Box::new(statement));
    }

    /// Executes the collected statements.
    pub(super) fn send(self) -> Result<(), StoreError> {
        if !self.combined.0.is_empty() {
            self.combined.execute(self.conn)?;
        }
        Ok(())
    }
}

/// Several write statements as one, with all but the last as common table expressions. The server executes each of
/// them, although none of the results is used.
struct CombinedStatement(Vec<Box<dyn QueryFragment<Pg>>>);

impl QueryFragment<Pg> for CombinedStatement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let Some((last, others)) = self.0.split_last() else { return Ok(()) };
        for (number, statement) in others.iter().enumerate() {
            out.push_sql(if number == 0 { "WITH " } else { ", " });
            out.push_sql(&format!("written_{number} AS ("));
            statement.walk_ast(out.reborrow())?;
            out.push_sql(")");
        }
        out.push_sql(" ");
        last.walk_ast(out)
    }
}

impl QueryId for CombinedStatement {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl RunQueryDsl<Conn> for CombinedStatement {}

/// Executes `statement` with each chunk of the vector `rows` as `values`. A single row is only collected, until
/// [`Outgoing::send`].
macro_rules! write_rows {
    ($out:expr, $rows:expr, $values:ident => $statement:expr) => {{
        let mut rows: Vec<_> = $rows;
        if rows.len() == 1
            && let Some($values) = rows.pop()
        {
            $out.add($statement);
        }
        let rest = rows.as_slice();
        let rest = super::insert::write_chunks!(64, $out.conn, rest, $values => $statement);
        let rest = super::insert::write_chunks!(16, $out.conn, rest, $values => $statement);
        let rest = super::insert::write_chunks!(4, $out.conn, rest, $values => $statement);
        super::insert::write_chunks!(1, $out.conn, rest, $values => $statement);
    }};
}
pub(super) use write_rows;

/// Executes `statement` with each full chunk of `size` rows and returns the remaining rows.
macro_rules! write_chunks {
    ($size:literal, $conn:expr, $rest:expr, $values:ident => $statement:expr) => {{
        let mut rest = $rest;
        while let Some(($values, after)) = rest.split_first_chunk::<$size>() {
            $statement.execute($conn)?;
            rest = after;
        }
        rest
    }};
}
pub(super) use write_chunks;

#[cfg(test)]
mod tests {
    use diesel::pg::Pg;
    use diesel::prelude::*;

    use super::CombinedStatement;

    diesel::table! {
        numbers (id) {
            id -> Integer,
        }
    }

    #[test]
    fn statements_are_combined_with_common_table_expressions() {
        let insert = |id: i32| Box::new(diesel::insert_into(numbers::table).values(numbers::id.eq(id))) as _;
        let sql = |ids: &[i32]| {
            let combined = CombinedStatement(ids.iter().copied().map(insert).collect());
            diesel::debug_query::<Pg, _>(&combined).to_string().replace("INSERT INTO \"numbers\" (\"id\") VALUES ", "+")
        };
        assert_eq!(sql(&[7]), " +($1) -- binds: [7]");
        assert_eq!(sql(&[7, 8, 9]), "WITH written_0 AS (+($1)), written_1 AS (+($2)) +($3) -- binds: [7, 8, 9]");
    }
}

//! Writing rows: many with one statement, and what goes to several tables as one statement too, for each statement is a way
//! to the server and back.
//!
//! A statement for exactly so many rows is prepared once for each connection and used from then on, where one for any
//! number would be spelled out and planned anew each time. So rows go in chunks of a few sizes, and what goes together is
//! one row of each table: that is all that a write by itself leaves, and there are few tables.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

use super::Conn;
use crate::StoreError;

/// Statements on their way.
pub(super) struct Outgoing<'c> {
    pub(super) conn: &'c mut Conn,
    together: Together,
}

impl<'c> Outgoing<'c> {
    pub(super) fn new(conn: &'c mut Conn) -> Self {
        Self { conn, together: Together(Vec::new()) }
    }

    /// A statement that changes one row which no other of them touches.
    pub(super) fn add(&mut self, statement: impl QueryFragment<Pg> + 'static) {
        self.together.0.push(Box::new(statement));
    }

    /// Carries out what has been added.
    pub(super) fn send(self) -> Result<(), StoreError> {
        if !self.together.0.is_empty() {
            self.together.execute(self.conn)?;
        }
        Ok(())
    }
}

/// Several statements that change rows, as one: the server carries out each of them, whether or not its result is asked
/// for.
struct Together(Vec<Box<dyn QueryFragment<Pg>>>);

impl QueryFragment<Pg> for Together {
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

impl QueryId for Together {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl RunQueryDsl<Conn> for Together {}

/// Runs `statement` with each chunk of `rows`, a vector, as `values`; with a row that is alone when the others are sent.
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

/// Runs `statement` with as many chunks of `size` as there are; gives the rest.
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

    use super::Together;

    diesel::table! {
        numbers (id) {
            id -> Integer,
        }
    }

    #[test]
    fn several_statements_are_one() {
        let insert = |id: i32| Box::new(diesel::insert_into(numbers::table).values(numbers::id.eq(id))) as _;
        let said = |ids: &[i32]| {
            let together = Together(ids.iter().copied().map(insert).collect());
            diesel::debug_query::<Pg, _>(&together).to_string().replace("INSERT INTO \"numbers\" (\"id\") VALUES ", "+")
        };
        assert_eq!(said(&[7]), " +($1) -- binds: [7]");
        assert_eq!(said(&[7, 8, 9]), "WITH written_0 AS (+($1)), written_1 AS (+($2)) +($3) -- binds: [7, 8, 9]");
    }
}

//! Inserts of many rows: one prepared statement, executed for each row. That costs less than the text of a statement
//! for all rows.

use super::Conn;
use crate::StoreError;

/// The counterpart of the PostgreSQL type that collects statements. Here each statement is executed immediately.
pub(super) struct Outgoing<'c> {
    pub(super) conn: &'c mut Conn,
}

impl<'c> Outgoing<'c> {
    pub(super) fn new(conn: &'c mut Conn) -> Self {
        Self { conn }
    }

    /// Does nothing: all statements were executed already.
    pub(super) fn send(self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Executes `statement` with each of `rows` as `values`.
macro_rules! write_rows {
    ($out:expr, $rows:expr, $values:ident => $statement:expr) => {
        for $values in &$rows {
            $statement.execute($out.conn)?;
        }
    };
}
pub(super) use write_rows;

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use diesel::connection::SimpleConnection;
    use diesel::prelude::*;

    use crate::sqlite::one_of::tests::count_prepared;
    use crate::sqlite::tx::upsert::Upsert;

    diesel::table! {
        numbers (id) {
            id -> Integer,
            said -> Integer,
        }
    }

    #[test]
    fn upsert_of_many_rows_is_prepared_once() -> Result<(), crate::StoreError> {
        let mut conn = SqliteConnection::establish(":memory:").expect("in memory");
        conn.batch_execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, said INTEGER NOT NULL)")?;
        let prepared = count_prepared(&mut conn);
        let on_conflict = " ON CONFLICT (id) DO UPDATE SET said = excluded.said";
        for round in 0..3 {
            let rows = [1, 2].map(|id| (numbers::id.eq(id), numbers::said.eq(round)));
            let out = super::Outgoing::new(&mut conn);
            write_rows!(out, rows, row => Upsert { insert: diesel::insert_into(numbers::table).values(row), on_conflict });
        }
        assert_eq!(prepared.load(Ordering::Relaxed), 1);
        assert_eq!(numbers::table.select(numbers::said).load::<i32>(&mut conn)?, [2, 2]);
        Ok(())
    }
}

//! Inserts that update existing rows with the same key.

use diesel::Connection;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

use super::Conn;

type Db = <Conn as Connection>::Backend;

/// An INSERT with an ON CONFLICT clause.
///
/// diesel prepares its own upserts again for each execution, because their SET clause could vary: SQLite parses and
/// plans the statement again, PostgreSQL needs another round trip. The clause of this type is a fixed text, so the
/// connection finds the prepared statement in its cache.
pub(crate) struct Upsert<I> {
    pub(crate) insert: I,
    /// Starts with ` ON CONFLICT`.
    pub(crate) on_conflict: &'static str,
}

impl<I: QueryFragment<Db>> QueryFragment<Db> for Upsert<I> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        self.insert.walk_ast(out.reborrow())?;
        out.push_sql(self.on_conflict);
        Ok(())
    }
}

impl<I> QueryId for Upsert<I> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<I> RunQueryDsl<Conn> for Upsert<I> {}

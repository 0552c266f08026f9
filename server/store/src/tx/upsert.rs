//! Rows in the place of those with the same key.

use diesel::Connection;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

use super::Conn;

type Db = <Conn as Connection>::Backend;

/// An INSERT, and what becomes of a row whose key is taken.
///
/// diesel has this too, but prepares it anew each time it runs, as what is to be set could be something else each time:
/// on SQLite it is read and planned again, and on PostgreSQL that is a way to the server and back. Here it is one text, by
/// which the connection finds what it has prepared.
pub(crate) struct Upsert<I> {
    pub(crate) insert: I,
    /// From ` ON CONFLICT` on.
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

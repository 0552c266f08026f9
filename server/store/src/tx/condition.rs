//! Expressions with a fixed text.

use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Bool, Nullable, Text};

use super::Conn;

type Db = <Conn as diesel::Connection>::Backend;

/// A condition with a fixed text, such as that of a partial index, which a bound value would not match.
///
/// diesel prepares each statement with its own `sql` again, because the text could vary. Statements with this type are
/// found in the cache of the connection.
#[derive(Clone, Copy)]
pub(crate) struct Condition(pub(crate) &'static str);

impl Expression for Condition {
    type SqlType = Bool;
}

impl<T> AppearsOnTable<T> for Condition {}

impl<T> SelectableExpression<T> for Condition {}

impl ValidGrouping<()> for Condition {
    type IsAggregate = is_aggregate::Never;
}

impl QueryFragment<Db> for Condition {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        out.push_sql(self.0);
        Ok(())
    }
}

impl QueryId for Condition {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

/// A text that is not read, in the place of a column that some lists need.
#[derive(Clone, Copy, QueryId)]
pub(crate) struct NoText;

impl Expression for NoText {
    type SqlType = Nullable<Text>;
}

impl<T> AppearsOnTable<T> for NoText {}

impl<T> SelectableExpression<T> for NoText {}

impl ValidGrouping<()> for NoText {
    type IsAggregate = is_aggregate::Never;
}

impl QueryFragment<Db> for NoText {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        out.push_sql("CAST(NULL AS text)");
        Ok(())
    }
}

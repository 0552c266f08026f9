//! Conditions on a column that has one of some values. Each database writes a list in its own way.

use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::query_builder::QueryId;
use diesel::sql_types::Bool;

/// Whether a column has one of some values. The connection finds statements with it in its cache.
#[derive(Clone)]
pub(crate) struct OneOf<C, V> {
    pub(crate) column: C,
    pub(crate) values: Vec<V>,
}

/// Whether `column` has one of `values`.
pub(crate) fn one_of<C, V>(column: C, values: impl IntoIterator<Item = V>) -> OneOf<C, V> {
    OneOf { column, values: values.into_iter().collect() }
}

impl<C: Expression, V> Expression for OneOf<C, V> {
    type SqlType = Bool;
}

impl<C: AppearsOnTable<T>, V, T> AppearsOnTable<T> for OneOf<C, V> {}

impl<C: SelectableExpression<T>, V, T> SelectableExpression<T> for OneOf<C, V> {}

impl<C, V> ValidGrouping<()> for OneOf<C, V> {
    type IsAggregate = is_aggregate::Never;
}

impl<C, V> QueryId for OneOf<C, V> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

//! Lists of values on PostgreSQL: one parameter, an array.

use diesel::expression::Expression;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment};
use diesel::serialize::ToSql;
use diesel::sql_types::{Array, HasSqlType, SqlType};

use super::tx::one_of::OneOf;

impl<C, V> QueryFragment<Pg> for OneOf<C, V>
where
    C: Expression<SqlType: SqlType> + QueryFragment<Pg>,
    Vec<V>: ToSql<Array<C::SqlType>, Pg>,
    Pg: HasSqlType<Array<C::SqlType>>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.column.walk_ast(out.reborrow())?;
        out.push_sql(" = ANY(");
        out.push_bind_param::<Array<C::SqlType>, Vec<V>>(&self.values)?;
        out.push_sql(")");
        Ok(())
    }
}

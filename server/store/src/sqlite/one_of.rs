//! Lists of values on SQLite.
//!
//! diesel prepares each statement with a list of values again, because its text has as many parameters as the list. Here the
//! last value is repeated up to a power of four, so the connection finds statements of a few sizes in its cache. Longer lists
//! are rare, and the number of parameters is limited.

use diesel::backend::Backend;
use diesel::expression::Expression;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment};
use diesel::serialize::ToSql;
use diesel::sql_types::HasSqlType;
use diesel::sqlite::Sqlite;

use super::tx::one_of::OneOf;

/// The most parameters of a statement in the cache.
const MAX_PADDED: usize = 1024;

impl<C, V> QueryFragment<Sqlite> for OneOf<C, V>
where
    C: Expression + QueryFragment<Sqlite>,
    V: ToSql<C::SqlType, Sqlite>,
    Sqlite: Backend + HasSqlType<C::SqlType>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        let Some(last) = self.values.last() else {
            out.push_sql("0 = 1");
            return Ok(());
        };
        self.column.walk_ast(out.reborrow())?;
        out.push_sql(" IN (");
        let padding = match self.values.len() {
            len if len <= MAX_PADDED => parameters(len) - len,
            _ => {
                out.unsafe_to_cache_prepared();
                0
            }
        };
        for (number, value) in self.values.iter().chain(std::iter::repeat_n(last, padding)).enumerate() {
            if number > 0 {
                out.push_sql(", ");
            }
            out.push_bind_param::<C::SqlType, V>(value)?;
        }
        out.push_sql(")");
        Ok(())
    }
}

/// The parameters of a list of `values`: the next power of four.
fn parameters(values: usize) -> usize {
    let power = values.next_power_of_two();
    if power.trailing_zeros().is_multiple_of(2) { power } else { 2 * power }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use diesel::connection::{InstrumentationEvent, SimpleConnection};
    use diesel::prelude::*;

    use crate::StoreError;
    use crate::sqlite::tx::condition::Condition;
    use crate::sqlite::tx::one_of::one_of;

    diesel::table! {
        numbers (id) {
            id -> Integer,
        }
    }

    /// The number of statements that enter the cache of the connection from now on.
    pub(in crate::sqlite) fn count_prepared(conn: &mut SqliteConnection) -> Arc<AtomicUsize> {
        let prepared = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&prepared);
        conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::CacheQuery { .. } = event {
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        prepared
    }

    #[test]
    fn lists_find_their_rows_and_are_prepared_by_few_sizes() -> Result<(), StoreError> {
        let mut conn = SqliteConnection::establish(":memory:").expect("in memory");
        conn.batch_execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY)")?;
        for id in 0..3000 {
            diesel::insert_into(numbers::table).values(numbers::id.eq(id)).execute(&mut conn)?;
        }
        let prepared = count_prepared(&mut conn);
        for end in (0..70).chain([1024, 1025, 1500]) {
            let wanted: Vec<i32> = (0..end).map(|id| id * 2).collect();
            let query = numbers::table.filter(one_of(numbers::id, &wanted)).filter(Condition("id % 4 = 0"));
            let found: Vec<i32> = query.select(numbers::id).order(numbers::id).load(&mut conn)?;
            let expected: Vec<i32> = wanted.into_iter().filter(|id| id % 4 == 0).collect();
            assert_eq!(found, expected);
        }
        // no values, and 1, 4, 16, 64, 256 and 1,024 of them
        assert_eq!(prepared.load(Ordering::Relaxed), 7);
        Ok(())
    }
}

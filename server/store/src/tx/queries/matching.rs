//! Looking for words in a column of folded text.
//!
//! By LIKE, which both databases have and which is faster than their functions for the same. SQLite's takes the cases of
//! ASCII for equal, which makes no difference: what is folded has one case.

use diesel::Connection;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Integer, Text};
use orgmem_recall::fold_text;

use super::Conn;

type Db = <Conn as Connection>::Backend;

/// How many words of a query have a say: each is looked for in every row.
const WORDS: usize = 32;

/// Bytes of a word that have a say. SQLite takes patterns of 50,000.
const BYTES: usize = 1_000;

/// What texts are matched against, one for each word of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct LikePatterns(Vec<String>);

impl LikePatterns {
    /// Those of the different words of `query`.
    pub(crate) fn of(query: &str) -> Self {
        let folded = fold_text(query);
        let mut patterns: Vec<String> = Vec::new();
        for word in folded.split(' ').filter(|word| !word.is_empty()) {
            let pattern = pattern(&word[..word.floor_char_boundary(BYTES)]);
            if patterns.len() < WORDS && !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        Self(patterns)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What matches texts with `word` somewhere in them.
fn pattern(word: &str) -> String {
    let mut pattern = String::with_capacity(word.len() + 2);
    pattern.push('%');
    for c in word.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// Whether the text in a column has all of these words; so it does where there are none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasAll<'p, C>(pub(crate) C, pub(crate) &'p LikePatterns);

/// Whether the text in a column has one of these words at least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasAny<'p, C>(pub(crate) C, pub(crate) &'p LikePatterns);

/// How many of these words the text in a column has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordCount<'p, C>(pub(crate) C, pub(crate) &'p LikePatterns);

/// Writes `(start`, then for each word what it is joined by, `before`, the comparison, `after`; then `)`.
fn each<'b, C: QueryFragment<Db>>(
    (column, patterns): (&'b C, &'b LikePatterns),
    (start, before, after): (&str, &str, &str),
    mut out: AstPass<'_, 'b, Db>,
) -> QueryResult<()> {
    out.push_sql("(");
    out.push_sql(start);
    for pattern in &patterns.0 {
        out.push_sql(before);
        column.walk_ast(out.reborrow())?;
        out.push_sql(" LIKE ");
        out.push_bind_param::<Text, _>(pattern)?;
        out.push_sql(" ESCAPE '\\'");
        out.push_sql(after);
    }
    out.push_sql(")");
    Ok(())
}

macro_rules! expression {
    ($name:ident, $sql_type:ty, $spelling:expr) => {
        impl<C: QueryFragment<Db>> QueryFragment<Db> for $name<'_, C> {
            fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
                each((&self.0, self.1), $spelling, out)
            }
        }

        impl<C: Expression> Expression for $name<'_, C> {
            type SqlType = $sql_type;
        }

        impl<C> ValidGrouping<()> for $name<'_, C> {
            type IsAggregate = is_aggregate::No;
        }

        impl<C> QueryId for $name<'_, C> {
            type QueryId = ();

            // the number of words is part of the statement
            const HAS_STATIC_QUERY_ID: bool = false;
        }

        impl<C: AppearsOnTable<Q>, Q> AppearsOnTable<Q> for $name<'_, C> {}
        impl<C: SelectableExpression<Q>, Q> SelectableExpression<Q> for $name<'_, C> {}
    };
}

expression!(HasAll, Bool, ("1 = 1", " AND ", ""));
expression!(HasAny, Bool, ("1 = 0", " OR ", ""));
expression!(WordCount, Integer, ("0", " + CASE WHEN ", " THEN 1 ELSE 0 END"));

#[cfg(test)]
mod tests {
    use super::LikePatterns;

    #[test]
    fn a_query_is_as_many_patterns_as_it_has_different_words() {
        let check = |query: &str, expected: &[&str]| assert_eq!(LikePatterns::of(query).0, expected, "{query:?}");
        check("", &[]);
        check(" \t\0", &[]);
        check("Deploy  GATE deploy", &["%deploy%", "%gate%"]);
        check(r"100% a_b C:\x", &[r"%100\%%", r"%a\_b%", r"%c:\\x%"]);
    }

    #[test]
    fn an_endless_query_has_an_end() {
        let words: Vec<String> = (0..1000).map(|n| format!("w{n}")).collect();
        assert_eq!(LikePatterns::of(&words.join(" ")).0.len(), 32);
        assert_eq!(LikePatterns::of(&"ä".repeat(70_000)).0[0].len(), 1002);
    }
}

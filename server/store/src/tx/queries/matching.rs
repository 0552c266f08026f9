//! Word search in a column of folded text.
//!
//! It uses LIKE, which both databases have and which is faster than their equivalent functions. LIKE of SQLite ignores
//! the case of ASCII letters, which makes no difference, because folded text has one case.

use diesel::Connection;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Integer, Text};
use orgmem_recall::fold_text;

use super::Conn;

type Db = <Conn as Connection>::Backend;

/// Maximum number of words of a query, because every row is searched for each word. Further words are ignored.
const MAX_WORDS: usize = 32;

/// Maximum length of a word in bytes. Longer words are truncated. SQLite accepts patterns of up to 50,000 bytes.
const MAX_WORD_BYTES: usize = 1_000;

/// The distinct words of a query, and a LIKE pattern for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct LikePatterns {
    words: Vec<String>,
    patterns: Vec<String>,
}

impl LikePatterns {
    pub(crate) fn of(query: &str) -> Self {
        let folded = fold_text(query);
        let mut words: Vec<String> = Vec::new();
        for word in folded.split(' ').filter(|word| !word.is_empty()) {
            let word = &word[..word.floor_char_boundary(MAX_WORD_BYTES)];
            if words.len() < MAX_WORDS && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        let patterns = words.iter().map(|word| pattern(word)).collect();
        Self { words, patterns }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words, folded and truncated as the patterns have them.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }
}

/// The pattern of texts that contain `word`.
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

/// Whether the text of a column contains all words; true without words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasAll<'p, C>(pub(crate) C, pub(crate) &'p LikePatterns);

/// Whether the text of a column contains at least one of the words; false without words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasAny<'p, C>(pub(crate) C, pub(crate) &'p LikePatterns);

/// How many of the words the text of a column contains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordCount<'p, C>(pub(crate) C, pub(crate) &'p LikePatterns);

/// Writes `(start`, then `before`, the comparison and `after` for each word, then `)`.
fn write_comparisons<'b, C: QueryFragment<Db>>(
    (column, patterns): (&'b C, &'b LikePatterns),
    (start, before, after): (&str, &str, &str),
    mut out: AstPass<'_, 'b, Db>,
) -> QueryResult<()> {
    out.push_sql("(");
    out.push_sql(start);
    for pattern in &patterns.patterns {
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
    ($name:ident, $sql_type:ty, $parts:expr) => {
        impl<C: QueryFragment<Db>> QueryFragment<Db> for $name<'_, C> {
            fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
                write_comparisons((&self.0, self.1), $parts, out)
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

            // the SQL depends on the number of words
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
    fn query_has_one_pattern_per_distinct_word() {
        let check =
            |query: &str, expected: &[&str]| assert_eq!(LikePatterns::of(query).patterns, expected, "{query:?}");
        check("", &[]);
        check(" \t\0", &[]);
        check("Deploy  GATE deploy", &["%deploy%", "%gate%"]);
        check(r"100% a_b C:\x", &[r"%100\%%", r"%a\_b%", r"%c:\\x%"]);
    }

    #[test]
    fn long_query_is_truncated() {
        let words: Vec<String> = (0..1000).map(|n| format!("w{n}")).collect();
        assert_eq!(LikePatterns::of(&words.join(" ")).words().len(), 32);
        assert_eq!(LikePatterns::of(&"ä".repeat(70_000)).patterns[0].len(), 1002);
    }
}

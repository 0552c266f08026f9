//! Writing many rows: one statement for each, prepared once. That costs less than spelling out one for all of them.

/// Runs `statement` with each of `rows`, a slice, as `values`.
macro_rules! write_rows {
    ($conn:expr, $rows:expr, $values:ident => $statement:expr) => {
        for $values in $rows {
            $statement.execute($conn)?;
        }
    };
}
pub(super) use write_rows;

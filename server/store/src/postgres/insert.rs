//! Writing many rows: many with one statement, for each of them is a way to the server and back.
//!
//! A statement for exactly so many rows is prepared once for each connection and used from then on, where one for any
//! number would be spelled out and planned anew each time. So rows go in chunks of a few sizes.

/// Runs `statement` with each chunk of `rows`, a slice, as `values`.
macro_rules! write_rows {
    ($conn:expr, $rows:expr, $values:ident => $statement:expr) => {
        let rest: &[_] = $rows;
        let rest = super::insert::write_chunks!(64, $conn, rest, $values => $statement);
        let rest = super::insert::write_chunks!(16, $conn, rest, $values => $statement);
        let rest = super::insert::write_chunks!(4, $conn, rest, $values => $statement);
        super::insert::write_chunks!(1, $conn, rest, $values => $statement);
    };
}
pub(super) use write_rows;

/// Runs `statement` with as many chunks of `size` as there are; gives the rest.
macro_rules! write_chunks {
    ($size:literal, $conn:expr, $rest:expr, $values:ident => $statement:expr) => {{
        let mut rest = $rest;
        while let Some(($values, after)) = rest.split_first_chunk::<$size>() {
            $statement.execute($conn)?;
            rest = after;
        }
        rest
    }};
}
pub(super) use write_chunks;

//! How a read is carried out.

/// What a read will cost, said beforehand: it decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPlan {
    /// What is mostly kept in memory. Where that is so, and no other server may have changed it, the database is not
    /// asked; else like `PointLookup`.
    Cached,
    /// A few rows by their keys. On SQLite it costs less than changing threads, and runs where it is called.
    PointLookup,
    /// That shows on looking: mostly little, and then like `PointLookup`; where it is much, it begins anew like `Scan`.
    Adaptive,
    /// Anything else.
    Scan,
}

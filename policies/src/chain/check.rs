//! Checking a chain, stretch by stretch.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::{Link, RowHash, Seal, SealKey};

/// A stretch that is as it was sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The link after it.
    pub link: Link,
    /// How many rows it has.
    pub rows: usize,
}

/// The first thing that is not as it was. Somebody had the database in hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// The row says something else than when it was sealed.
    #[error("row {0} of the access log was changed")]
    Changed(i64),
    /// The row is gone.
    #[error("row {0} of the access log is missing")]
    Missing(i64),
    /// There is a row where none was written.
    #[error("row {0} of the access log was inserted")]
    Inserted(i64),
    /// The row stands where another one stood.
    #[error("row {at} of the access log is not the one that was sealed there, but the one of row {of}")]
    Reordered {
        /// Where it stands.
        at: i64,
        /// Where it was.
        of: i64,
    },
    /// The seal of the stretch that begins with this row was changed, or is not of this chain.
    #[error("the seal of the rows from {0} on was changed")]
    Seal(i64),
    /// The seal of the stretch that begins with this row is gone.
    #[error("the seal of the rows from {0} on is missing")]
    SealMissing(i64),
    /// The seal of the stretch that begins with this row was made with a key that this server does not have.
    #[error("the seal of the rows from {0} on was made with a key that is not this server's")]
    UnknownKey(i64),
    /// The log ended later once: its last rows are gone, and their seals.
    #[error("the access log went on to row {anchored} once and ends with row {last}: its end is missing")]
    CutOff {
        /// The last row now.
        last: i64,
        /// The last row that was anchored outside the database.
        anchored: i64,
    },
    /// The chain is another one than was anchored outside the database.
    #[error("the access log is not the one that was anchored with row {0}")]
    Replaced(i64),
    /// The chain begins at a place that no row of it tells of.
    #[error("the access log begins behind row {0}, and no row tells that older ones were reclaimed")]
    Beheaded(i64),
}

/// Checks one stretch: its seal, that it follows `previous`, and its rows, given as their numbers and hashes.
///
/// # Errors
/// The first [`ChainFault`], by number of row.
///
/// # Complexity
/// O(rows).
pub fn check(
    org: Uuid,
    previous: &Link,
    seal: &Seal,
    rows: &[(i64, RowHash)],
    keys: &[SealKey],
) -> Result<Checked, ChainFault> {
    let Some(key) = keys.iter().find(|key| key.id() == seal.key) else {
        return Err(ChainFault::UnknownKey(seal.first));
    };
    let length = seal.last.checked_sub(seal.first).and_then(|rows| rows.checked_add(1));
    let is_whole = seal.is_checkpoint() || length == i64::try_from(seal.hashes.len()).ok();
    let leads_there = seal.is_checkpoint() || seal.reckoned(org) == seal.link;
    if seal.previous != *previous || !is_whole || !leads_there || key.mac(&seal.signed_bytes(org)) != seal.mac {
        return Err(ChainFault::Seal(seal.first));
    }
    check_rows(seal, rows)?;
    Ok(Checked { link: seal.link, rows: rows.len() })
}

fn check_rows(seal: &Seal, rows: &[(i64, RowHash)]) -> Result<(), ChainFault> {
    let sealed: HashMap<&RowHash, i64> = seal.hashes.iter().zip(seal.first..).collect();
    let mut there = rows.iter().peekable();
    for (seq, hash) in (seal.first..).zip(&seal.hashes) {
        match there.next_if(|(at, _)| *at <= seq) {
            Some((at, _)) if *at < seq => return Err(ChainFault::Inserted(*at)),
            Some((_, found)) if found == hash => {}
            Some((_, found)) => {
                let changed = ChainFault::Changed(seq);
                return Err(sealed.get(found).map_or(changed, |of| ChainFault::Reordered { at: seq, of: *of }));
            }
            None => return Err(ChainFault::Missing(seq)),
        }
    }
    there.next().map_or(Ok(()), |(at, _)| Err(ChainFault::Inserted(*at)))
}

/// Checks rows that are not sealed yet: they follow `last_sealed` without a gap, up to `last`.
///
/// # Errors
/// The first [`ChainFault`].
pub fn check_order(last_sealed: i64, last: i64, rows: impl IntoIterator<Item = i64>) -> Result<(), ChainFault> {
    let mut seen = HashSet::new();
    let mut expected = last_sealed.saturating_add(1);
    for seq in rows {
        if seq > last || seq < expected || !seen.insert(seq) {
            return Err(ChainFault::Inserted(seq));
        }
        if seq > expected {
            return Err(ChainFault::Missing(expected));
        }
        expected = expected.saturating_add(1);
    }
    if expected <= last { Err(ChainFault::Missing(expected)) } else { Ok(()) }
}

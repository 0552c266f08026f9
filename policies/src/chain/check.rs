//! Verification of a chain, range by range.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::{Link, RowHash, Seal, SealKey};

/// Result for an unchanged range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The link after the range.
    pub link: Link,
    /// Number of verified rows.
    pub rows: usize,
}

/// The first fault of a chain, which only direct access to the database can cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// The row differs from the sealed one.
    #[error("row {0} of the audit log was changed")]
    Changed(i64),
    /// The row was deleted.
    #[error("row {0} of the audit log is missing")]
    Missing(i64),
    /// The row was inserted.
    #[error("row {0} of the audit log was inserted")]
    Inserted(i64),
    /// Another sealed row has its number.
    #[error("row {at} of the audit log was replaced by row {of}")]
    Reordered {
        /// Number of the row.
        at: i64,
        /// Its number when it was sealed.
        of: i64,
    },
    /// The seal of the range that begins with this row was changed, or belongs to another chain.
    #[error("the seal of the rows from {0} on was changed")]
    Seal(i64),
    /// The seal of the range that begins with this row is missing.
    #[error("the seal of the rows from {0} on is missing")]
    SealMissing(i64),
    /// The seal of the range that begins with this row has a key that this server does not know.
    #[error("the seal of the rows from {0} on was made with a key that this server does not have")]
    UnknownKey(i64),
    /// The last rows and their seals were deleted.
    #[error("the audit log ends with row {last}, but row {anchored} was sealed: its end is missing")]
    EndMissing {
        /// Number of the last row.
        last: i64,
        /// Number of the last row in the anchor outside of the database.
        anchored: i64,
    },
    /// The chain differs from the one in the anchor outside of the database.
    #[error("the audit log differs from the one anchored with row {0}")]
    Replaced(i64),
    /// The first rows are missing, and no audit row records their deletion.
    #[error("the audit log begins after row {0}, and no row records that older ones were deleted")]
    StartMissing(i64),
}

/// Verifies one range: its seal, its connection to `previous`, and the numbers and hashes of its rows.
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
    let link_matches = seal.is_checkpoint() || seal.computed_link(org) == seal.link;
    if seal.previous != *previous || !is_whole || !link_matches || key.mac(&seal.signed_bytes(org)) != seal.mac {
        return Err(ChainFault::Seal(seal.first));
    }
    check_rows(seal, rows)?;
    Ok(Checked { link: seal.link, rows: rows.len() })
}

fn check_rows(seal: &Seal, rows: &[(i64, RowHash)]) -> Result<(), ChainFault> {
    let sealed: HashMap<&RowHash, i64> = seal.hashes.iter().zip(seal.first..).collect();
    let mut actual = rows.iter().peekable();
    for (seq, hash) in (seal.first..).zip(&seal.hashes) {
        match actual.next_if(|(at, _)| *at <= seq) {
            Some((at, _)) if seal.removed.binary_search(at).is_ok() => return Err(ChainFault::Inserted(*at)),
            None if seal.removed.binary_search(&seq).is_ok() => {}
            Some((at, _)) if *at < seq => return Err(ChainFault::Inserted(*at)),
            Some((_, found)) if found == hash => {}
            Some((_, found)) => {
                let changed = ChainFault::Changed(seq);
                return Err(sealed.get(found).map_or(changed, |of| ChainFault::Reordered { at: seq, of: *of }));
            }
            None => return Err(ChainFault::Missing(seq)),
        }
    }
    actual.next().map_or(Ok(()), |(at, _)| Err(ChainFault::Inserted(*at)))
}

/// Verifies unsealed rows: they must continue after `last_sealed` without gaps up to `last`.
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

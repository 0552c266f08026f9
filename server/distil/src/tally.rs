//! The evidence of a group.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::assign::MILLIONTHS;

/// The rows of one group, added in any order. Memory is bounded by the number of sources, whatever the number of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    most: usize,
    pub(crate) count: u64,
    severity: u64,
    pub(crate) first: Option<i64>,
    pub(crate) last: Option<i64>,
    newest: BTreeSet<(Option<i64>, String)>,
    /// The sum of the hashes of all keys: the same for the same set in every order.
    pub(crate) digest: u128,
}

impl Tally {
    /// No rows; `most` is the limit of the named sources.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, count: 0, severity: 0, first: None, last: None, newest: BTreeSet::new(), digest: 0 }
    }

    /// Adds a row. Each row of the group is added once.
    pub fn add(&mut self, key: &str, time: Option<i64>, severity: u64) {
        self.count += 1;
        self.severity = self.severity.saturating_add(severity);
        if let Some(time) = time {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        self.newest.insert((time, key.to_owned()));
        if self.newest.len() > self.most {
            self.newest.pop_first();
        }
        let hash = Sha256::digest(key.as_bytes());
        let part = hash.iter().take(16).fold(0_u128, |sum, byte| (sum << 8) | u128::from(*byte));
        self.digest = self.digest.wrapping_add(part);
    }

    /// The number of rows.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean severity, from 0 to 1; 0 without rows.
    #[must_use]
    pub fn mean_severity(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.severity as f64 / MILLIONTHS / self.count as f64 }
    }

    /// Keys of the newest rows, the newest first. Rows without a time are the oldest; equal times follow the key.
    pub(crate) fn sources(&self) -> Vec<String> {
        self.newest.iter().rev().map(|(_, key)| key.clone()).collect()
    }
}

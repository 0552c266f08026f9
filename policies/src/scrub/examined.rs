//! A count of the bytes that a scrub examines, which bounds its cost without a clock.

use std::cell::Cell;

/// An upper bound of the examined bytes. A byte counts once for each pass that may read it.
#[derive(Default)]
pub(super) struct ExaminedBytes(Cell<u64>);

impl ExaminedBytes {
    pub(super) fn add(&self, bytes: usize) {
        self.0.set(self.0.get() + bytes as u64);
    }

    pub(super) fn total(&self) -> u64 {
        self.0.get()
    }
}

//! What one file may cost. Each byte that is read or decompressed counts, however often the file refers to it.

use std::cell::Cell;

use crate::{ExtractError, Limits};

/// Decompressed bytes that a file of any size may have.
const BASE: usize = 4 * 1024 * 1024;
/// Decompressed bytes per byte of the file.
const RATIO: usize = 32;
/// Entries of the tables of all fonts.
const ENTRIES: usize = 1_000_000;

pub(super) struct Budget {
    decompressed: Cell<usize>,
    decompressed_limit: usize,
    work: Cell<usize>,
    entries: Cell<usize>,
}

impl Budget {
    pub(super) fn new(file_bytes: usize, limits: &Limits) -> Self {
        let limit = (BASE + RATIO.saturating_mul(file_bytes)).min(limits.decompressed_bytes);
        let work = limit.saturating_mul(2).saturating_add(file_bytes.saturating_mul(16));
        Budget {
            decompressed: Cell::new(limit),
            decompressed_limit: limit,
            work: Cell::new(work),
            entries: Cell::new(ENTRIES),
        }
    }

    /// The most bytes that one page may have.
    pub(super) fn largest(&self) -> usize {
        self.decompressed_limit
    }

    pub(super) fn spend_decompressed(&self, bytes: usize) -> Result<(), ExtractError> {
        let left = self.decompressed.get().checked_sub(bytes);
        let left = left.ok_or(ExtractError::DecompressedTooLarge { limit: self.decompressed_limit })?;
        self.decompressed.set(left);
        Ok(())
    }

    /// Entries of fonts' tables stay in memory until the end.
    pub(super) fn spend_entries(&self, entries: usize) -> Result<(), ExtractError> {
        let left = self.entries.get().checked_sub(entries).ok_or(ExtractError::TooComplex)?;
        self.entries.set(left);
        Ok(())
    }

    pub(super) fn spend_work(&self, steps: usize) -> Result<(), ExtractError> {
        let left = self.work.get().checked_sub(steps).ok_or(ExtractError::TooComplex)?;
        self.work.set(left);
        Ok(())
    }
}

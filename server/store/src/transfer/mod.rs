//! Whole databases in and out: exports, imports and copies, row by row.
//!
//! Source: `docs/spec/export.md`.

mod check;
mod export;
mod import;
mod lines;
mod migrate;
mod open;
mod ownership;
mod part;
mod part_fate;
mod part_org;
mod removals;
mod rows;
mod table;
mod value;

use std::io;

pub(crate) use export::json_line;
pub use export::{ExportSummary, Selection, export};
pub use import::{ImportOptions, ImportOutcome, ImportSummary, ImportedOrg, import};
pub use migrate::{MigrateSummary, migrate};
pub(crate) use open::source;
pub use part::{PartImport, PartTable, import_part};
pub use removals::{DatabaseRemovals, FileRemovals, RemovalSource, export_removals};
pub(crate) use removals::{RemovalKind, RemovalPosition};
pub(crate) use rows::{FoundWorkspace, Only, PAGE, Part, Rows};
pub(crate) use table::{Kind, Table, sharded_tables, tables};
pub(crate) use value::{Row, Value, key_of, read_value, write_value};

use crate::{OpenError, StoreError};

/// The progress of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferProgress {
    /// The current work: `check`, `export`, `import`, `copy`, `verify`, `read`, `write`.
    pub step: &'static str,
    /// What is counted: rows, pages or chunks.
    pub unit: &'static str,
    /// Units that are done.
    pub rows: u64,
    /// Units in all; 0 if unknown.
    pub total: u64,
}

/// Receives the progress after each page of rows.
pub type OnProgress<'p> = &'p mut dyn FnMut(TransferProgress);

/// The failure of a transfer. Each message is one line.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// A database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(#[source] io::Error),
    /// The output cannot be written.
    #[error("cannot write the export: {0}")]
    Write(#[source] io::Error),
    /// A line of the file is wrong. Nothing was imported.
    #[error("line {line}: {reason}; nothing was imported")]
    Line {
        /// From 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The request cannot be met. Nothing was changed.
    #[error("{0}")]
    Refused(String),
}

/// Counts rows and reports them.
struct Counter<'p> {
    step: &'static str,
    rows: u64,
    total: u64,
    report: OnProgress<'p>,
}

impl<'p> Counter<'p> {
    fn new(step: &'static str, total: u64, report: OnProgress<'p>) -> Self {
        Self { step, rows: 0, total, report }
    }

    fn add(&mut self, rows: u64) {
        let before = self.rows / PAGE as u64;
        self.rows += rows;
        if self.rows / PAGE as u64 > before {
            self.show();
        }
    }

    fn show(&mut self) {
        (self.report)(TransferProgress { step: self.step, unit: "rows", rows: self.rows, total: self.total });
    }
}

//! Distils rows into facts: a processor groups the rows of a collection by two to four dimensions, and each group with enough
//! rows becomes one fact with a confidence and its sources.
//!
//! [`read_rows`] reads the rows of a collection from JSON, lines of JSON or CSV, and [`Collection::row`] checks each.
//! [`ChangedPaths`] finds the facts that bear on the files of a change.
//!
//! Pure: no I/O, no clock. The store reads rows, stores the group of each row, and carries out the changes.
//!
//! | step of a run | function |
//! |---|---|
//! | is a run due? | [`Schedule::is_due`] |
//! | which group does a row belong to? | [`Processor::assign`] |
//! | which groups does a changed row touch? | [`touched`]: the former group and the current one |
//! | the evidence of a touched group | [`Tally`], row by row in any order, with bounded memory |
//! | what happens to the fact of the group | [`Processor::change`]: insert, update, untouched, roll back |
//! | how many changes one run makes | [`Guard`]; groups beyond it remain touched for the next run |
//!
//! # Guarantees
//!
//! * The order of the rows has no effect on a fact: severities are added as integers, and sources have a total order.
//! * Runs over touched groups only give the facts that a run over all rows gives, also when the guard cuts runs
//!   (`tests/incremental.rs`).
//! * A group below `min_rows` has no fact.
//! * A confidence is at most [`MAX_CONFIDENCE`].

mod assign;
mod builtin;
mod change;
mod collection;
mod confidence;
mod definition;
mod error;
mod fact;
mod input;
mod patterns;
mod processor;
mod row;
mod schedule;
mod schema;
mod tally;
mod template;

pub use assign::{Assignment, GroupKey, touched};
pub use builtin::{BUG_IMPORT, built_in};
pub use change::{Change, Guard, RollBack};
pub use collection::{Collection, MAX_KEY_CHARS, MAX_ROW_BYTES, RowFault};
pub use confidence::{Confidence, MAX_CONFIDENCE, Weights};
pub use definition::{Definition, Dimension, Matching, Scope, Severity};
pub use error::DefinitionError;
pub use fact::Fact;
pub use input::{Fault, Format, Input, read_rows};
pub use patterns::{ChangedPaths, changed_paths};
pub use processor::Processor;
pub use row::Row;
pub use schedule::Schedule;
pub use schema::{Schema, SchemaError};
pub use tally::Tally;

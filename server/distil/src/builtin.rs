//! The processors that every server has.

use crate::error::DefinitionError;
use crate::processor::Processor;

/// The definition of `bug-import`, the model for others.
pub const BUG_IMPORT: &str = include_str!("../processors/bug-import.json");

/// The built-in processors.
///
/// # Errors
///
/// Never for the definitions of a released server; a test reads all of them.
pub fn built_in() -> Result<Vec<Processor>, DefinitionError> {
    [BUG_IMPORT].into_iter().map(Processor::from_json).collect()
}

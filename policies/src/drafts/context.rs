//! The context that a caller adds to the audit rows of a request.

use serde_json::{Map, Value};

use super::DraftFault;
use super::field_scrubber::FieldScrubber;
use crate::scrub::Scrubber;

/// Maximum size in bytes of the object as JSON.
pub const MAX_CONTEXT_BYTES: usize = 2048;

/// Checks and scrubs the context object of a request.
///
/// # Errors
/// [`DraftFault`] when the object is too long or one of its keys looks like a credential.
///
/// # Source
/// `docs/spec/access-log.md`, "Context of the caller".
pub fn check_context(context: Map<String, Value>, scrubber: &Scrubber) -> Result<Value, DraftFault> {
    let checked = FieldScrubber::new(scrubber).json("X-Audit-Context", Value::Object(context), MAX_CONTEXT_BYTES)?;
    Ok(checked.into_value())
}

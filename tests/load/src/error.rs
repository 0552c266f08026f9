//! What goes wrong ends the run: told, not handled.

use std::error::Error;

/// Any error, from any thread.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// A step of a run.
pub(crate) type Outcome<T> = Result<T, Failure>;

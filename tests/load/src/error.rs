//! An error ends the run.

use std::error::Error;

pub(crate) type Failure = Box<dyn Error + Send + Sync>;

pub(crate) type Outcome<T> = Result<T, Failure>;

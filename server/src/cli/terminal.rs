use std::io::{self, Write};

use chrono::{DateTime, Utc};

use super::error::CliError;
use super::print::Paint;

/// Where a command prints: answers to standard output, words about them to standard error.
pub(crate) struct Terminal {
    /// The colours of standard output.
    pub(crate) paint: Paint,
    /// The instant from which times are told.
    pub(crate) now: DateTime<Utc>,
}

impl Terminal {
    /// That of this process.
    pub(crate) fn of_process() -> Self {
        Self { paint: Paint::on(&io::stdout()), now: Utc::now() }
    }

    /// Prints an answer, which ends its own lines.
    ///
    /// # Errors
    /// [`CliError::Closed`] when nobody reads on, as in `orgmem tree | head -3`.
    pub(crate) fn print(&self, text: &str) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::Closed,
            _ => CliError::Io { what: "write to standard output".to_owned(), error },
        })
    }

    /// Says something about the answer, one line. Nobody listening is no failure.
    pub(crate) fn note(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

use std::io::{self, Write};

use chrono::{DateTime, Utc};

use super::error::CliError;
use super::print::Paint;

/// The output of a command: results go to standard output, messages about them to standard error.
pub(crate) struct Terminal {
    /// The colours of standard output.
    pub(crate) paint: Paint,
    /// The reference of relative times.
    pub(crate) now: DateTime<Utc>,
}

impl Terminal {
    pub(crate) fn of_process() -> Self {
        Self { paint: Paint::on(&io::stdout()), now: Utc::now() }
    }

    /// Prints a result, which includes its line breaks.
    ///
    /// # Errors
    /// [`CliError::Closed`] when the reader is gone, as in `orgmem tree | head -3`.
    pub(crate) fn print(&self, text: &str) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::Closed,
            _ => CliError::Io { action: "write to standard output".to_owned(), error },
        })
    }

    /// Prints a message, one line. A failure is ignored.
    pub(crate) fn note(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

use clap::Args;
use serde::Serialize;

use super::error::CliError;
use super::print::{Paint, json};
use super::terminal::Terminal;

/// How an answer is shown.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct OutputFormat {
    /// Print JSON, as the server answers it
    #[arg(long)]
    pub(crate) json: bool,
}

impl OutputFormat {
    /// Prints `answer` as JSON if that was asked for, else as `text` says it.
    ///
    /// # Errors
    /// Those of [`Terminal::print`].
    pub(crate) fn print<T: Serialize>(
        self,
        terminal: &Terminal,
        answer: &T,
        text: impl FnOnce(&T, Paint) -> String,
    ) -> Result<(), CliError> {
        if self.json { terminal.print(&json(answer)) } else { terminal.print(&text(answer, terminal.paint)) }
    }
}

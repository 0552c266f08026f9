use clap::Args;
use serde::Serialize;

use super::error::CliError;
use super::print::{Paint, json};
use super::terminal::Terminal;

#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct OutputFormat {
    /// Print the server's response as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl OutputFormat {
    /// Prints `response` as JSON with `--json`, otherwise as `text`.
    ///
    /// # Errors
    /// Those of [`Terminal::print`].
    pub(crate) fn print<T: Serialize>(
        self,
        terminal: &Terminal,
        response: &T,
        text: impl FnOnce(&T, Paint) -> String,
    ) -> Result<(), CliError> {
        if self.json { terminal.print(&json(response)) } else { terminal.print(&text(response, terminal.paint)) }
    }
}

use clap::Args;
use orgmem_types::RecallQuery;
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Explain why a workspace finds a memory, or does not
#[derive(Args, Debug)]
pub(crate) struct Why {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// Query to explain; without it, explain a list without a query
    query: Option<String>,
    /// Explain a search with --collapse
    #[arg(long)]
    collapse: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Why {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let query = RecallQuery { q: self.query, collapse: self.collapse.then_some(true) };
        let why = remote.client.explain_memory(reader, self.memory, &query).await?;
        self.format.print(terminal, &why, render)
    }
}

/// The cause, and the parts of the score.
fn render(why: &orgmem_types::RecallExplanation, paint: Paint) -> String {
    let verdict = if why.readable { "readable" } else { "not readable" };
    let mut text = format!("{}: {}\n", paint.strong(verdict), line(&why.reason));
    for part in &why.parts {
        text.push_str(&format!("  {:+.3}  {}\n", part.value, part.part.as_str()));
    }
    text
}

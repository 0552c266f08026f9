use clap::Args;

use crate::cli::error::CliError;
use crate::cli::filters::Filters;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Count the memories that a workspace can read
#[derive(Args, Debug)]
pub(crate) struct Count {
    /// Question or words [default: count everything]
    query: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Count {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let query = self.filters.resolve(&remote, self.query, terminal.now).await?;
        let counted = remote.client.count_memories(reader, &query).await?;
        self.format.print(terminal, &counted, |counted, _| format!("{}\n", counted.count))
    }
}

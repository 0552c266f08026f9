use clap::Args;
use orgmem_types::{ReadMemory, ReadMemoryQuery};
use uuid::Uuid;

use crate::cli::commands::search;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{ago, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Show one memory that a workspace can read
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Show {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.of_memory(&self.acting, self.memory).await?;
        let found = remote.client.read_memory(reader, self.memory, &ReadMemoryQuery::default()).await?;
        self.format.print(terminal, &found, |found, paint| match found {
            ReadMemory::Readable(memory) => search::render(memory, terminal.now, paint),
            ReadMemory::Redacted(tombstone) => {
                let (author, when) = (line(&tombstone.workspace_name), ago(tombstone.redacted_at, terminal.now));
                format!("{}  {author}  {}  redacted {when}\n", tombstone.id, tombstone.scope)
            }
        })
    }
}

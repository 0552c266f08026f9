use clap::Args;
use orgmem_types::RestoreMemory;
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Restore an earlier version of a memory
#[derive(Args, Debug)]
pub(crate) struct Restore {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// Number of the version, from `memory history`
    version: i64,
    /// Only if the memory now has this version
    #[arg(long, value_name = "VERSION")]
    if_version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Restore {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let author = remote.acting(&self.acting).await?;
        let request = RestoreMemory { version: self.version };
        let restored = remote.client.restore_memory(author, self.memory, &request, None, self.if_version).await?;
        self.format
            .print(terminal, &restored, |restored, _| format!("{} is now version {}\n", restored.id, restored.version))
    }
}

use clap::Args;
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Delete a memory permanently
#[derive(Args, Debug)]
pub(crate) struct Forget {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// Only if the memory has this version
    #[arg(long, value_name = "VERSION")]
    if_version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Forget {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        remote.client.forget_memory(remote.acting(&self.acting).await?, self.memory, self.if_version).await?;
        terminal.print(&format!("deleted {}\n", self.memory))
    }
}

use clap::Args;
use tokio::io::{BufReader, stdin, stdout};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::{Acting, Server};

/// Serve MCP over standard input and output, for clients that start a program
#[derive(Args, Debug)]
pub(crate) struct Mcp {
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Mcp {
    pub(crate) async fn run(self, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.workspace_if_any(self.acting.workspace.as_deref()).await?;
        let mut bridge = remote.client.bridge(workspace)?;
        let outcome = bridge.run(BufReader::new(stdin()), stdout()).await;
        outcome.map_err(|error| CliError::Io { action: "forward messages".to_owned(), error })
    }
}

use clap::Args;
use tokio::io::{BufReader, stdin, stdout};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::Server;

/// Speak MCP over standard input and output, for clients that start a program
#[derive(Args, Debug)]
pub(crate) struct Mcp {
    #[command(flatten)]
    server: Server,
}

impl Mcp {
    pub(crate) async fn run(self, local: &Local) -> Result<(), CliError> {
        let mut bridge = self.server.connect(local)?.client.bridge()?;
        let passed = bridge.run(BufReader::new(stdin()), stdout()).await;
        passed.map_err(|error| CliError::Io { what: "pass messages on".to_owned(), error })
    }
}

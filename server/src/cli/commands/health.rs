use clap::Args;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::client::Client;

/// Check that the server is alive and its store responds
#[derive(Args, Debug)]
pub(crate) struct Health {
    #[command(flatten)]
    server: Server,
}

impl Health {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let client = Client::new(self.server.address(local)?, None)?.for_health_checks();
        client.check_health().await?;
        client.check_readiness().await?;
        terminal.print(&format!("{} is alive and its store responds\n", client.address()))
    }
}

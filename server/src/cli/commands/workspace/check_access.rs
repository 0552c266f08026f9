use clap::Args;
use orgmem_types::CheckAccess as Request;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Check whether two workspaces may communicate; fails if not
#[derive(Args, Debug)]
pub(crate) struct CheckAccess {
    /// Workspace: its id, name or path
    workspace: String,
    /// Other workspace
    other: String,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl CheckAccess {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let caller_id = remote.workspace(&self.workspace).await?;
        let target_id = remote.workspace(&self.other).await?.to_string();
        let checked = remote.client.check_access(&Request { caller_id, target_id }).await?;
        self.format.print(
            terminal,
            &checked,
            |checked, _| {
                if checked.allowed { "allowed\n".to_owned() } else { String::new() }
            },
        )?;
        match checked.allowed {
            true => Ok(()),
            false => Err(CliError::CheckFailed("the workspaces may not communicate".to_owned())),
        }
    }
}

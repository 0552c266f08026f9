//! `orgmem doctor`: checks this installation and suggests remedies.

mod database;
mod finding;
mod folder;
mod keys;
mod server;

use clap::Args;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use finding::Finding;

/// Check the settings, the data folder, the keys, the database and the server
#[derive(Args, Debug)]
pub(crate) struct Doctor {
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Doctor {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let findings = self.findings(terminal, local).await;
        self.format.print(terminal, &findings, |findings, paint| finding::render(findings, paint))?;
        match findings.iter().filter(|finding| !finding.well).count() {
            0 => Ok(()),
            1 => Err(CliError::CheckFailed("1 check failed".to_owned())),
            failed => Err(CliError::CheckFailed(format!("{failed} checks failed"))),
        }
    }

    async fn findings(&self, terminal: &Terminal, local: &Local) -> Vec<Finding> {
        let config = match local.load(Vec::new()) {
            Ok(config) => config,
            // all other checks need the settings
            Err(error) => return vec![Finding::failed("settings", error, "fix this and run the check again")],
        };
        let settings = &config.settings;
        let mut findings = vec![Finding::passed("settings", "valid; `orgmem config show` lists them")];
        findings.push(folder::check(&settings.data_dir));
        findings.extend(keys::check(settings, terminal.now).await);
        findings.push(database::check(settings).await);
        findings.extend(server::check(&self.server, local, terminal.now).await);
        findings
    }
}

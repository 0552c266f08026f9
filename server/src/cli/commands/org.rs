use std::io::Read;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use orgmem_types::{ImportQuery, ImportResponse};

use super::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::client::Document;

/// Import a whole org
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Org {
    #[command(subcommand)]
    verb: OrgCommand,
}

#[derive(Subcommand, Debug)]
enum OrgCommand {
    /// Create or complete an org from a document, all or nothing; a repeated import adds nothing twice
    Import {
        /// YAML or JSON document; `-` reads it from standard input
        file: PathBuf,
        /// Import nothing; show the outcome
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
}

impl Org {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            OrgCommand::Import { file, dry_run, format, server } => {
                let document = read(&file)?;
                let remote = server.connect(local)?;
                let query = ImportQuery { dry_run, ungated: false };
                let response = remote.client.import_org(&query, Document::File(document), None).await?;
                format.print(terminal, &response, |response, _| render(response))
            }
        }
    }
}

fn read(file: &PathBuf) -> Result<Vec<u8>, CliError> {
    let mut document = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin().lock().read_to_end(&mut document).map(|_| document),
        false => std::fs::read(file),
    };
    read.map_err(|error| CliError::Io { action: format!("read {}", file.display()), error })
}

/// The number of new and of existing rows, and the id of the org.
fn render(response: &ImportResponse) -> String {
    let verb = if response.dry_run { "would import" } else { "imported" };
    let ImportResponse { workspaces_created, memories_committed, entries_put, episodes_appended, .. } = response;
    let mut text = format!(
        "{verb} {workspaces_created} workspaces, {memories_committed} memories, {entries_put} entries, \
         {episodes_appended} episodes\n"
    );
    if response.workspaces_kept + response.memories_kept > 0 {
        let ImportResponse { workspaces_kept, memories_kept, .. } = response;
        text.push_str(&format!("{workspaces_kept} workspaces and {memories_kept} memories existed already\n"));
    }
    if !response.dry_run {
        text.push_str(&format!("org {}\n", response.org_id));
    }
    text + &redaction_lines(&response.redactions)
}

use clap::{ArgGroup, Args};
use orgmem_types::{DryRun, Erase as Request, Receipt};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Erase all data about an end user, or a whole org, and print the receipt
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").args(["subject", "whole_org"]).required(true))]
pub(crate) struct Erase {
    /// Root of the org: its id or name
    org: String,
    /// Id of the end user
    #[arg(long)]
    subject: Option<String>,
    /// Erase all data of the org and remove its tree
    #[arg(long)]
    whole_org: bool,
    /// Reason, stored in the receipt
    #[arg(short, long)]
    reason: String,
    /// Erase nothing; show the outcome
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Erase {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let org_id = remote.workspace(&self.org).await?;
        let request = Request { org_id, subject: self.subject, whole_org: self.whole_org, reason: self.reason };
        let dry_run = self.dry_run;
        let query = DryRun { dry_run: Some(dry_run) };
        let receipt = remote.client.erase_content(&query, &request, None).await?;
        self.format.print(terminal, &receipt, |receipt, _| render(receipt, dry_run))?;
        terminal.note(&receipt.older_backups);
        Ok(())
    }
}

pub(super) fn render(receipt: &Receipt, dry_run: bool) -> String {
    let action = if dry_run { "would erase".to_owned() } else { format!("receipt {}: erased", receipt.id) };
    format!(
        "{action} {} memories, {} earlier versions, {} keys, {} episodes, {} tokens, {} stored responses of {} workspaces\n  {} by {}\n",
        receipt.memories,
        receipt.versions,
        receipt.entries,
        receipt.episodes,
        receipt.tokens,
        receipt.answers,
        receipt.workspaces,
        line(&receipt.reason),
        line(&receipt.erased_by),
    )
}

use clap::Args;
use orgmem_types::{CompactPages, CompactQuery, TierCounts};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Compact the episodes of a workspace into pages now
#[derive(Args, Debug)]
pub(crate) struct Compact {
    /// Only those about this person or thing
    #[arg(long)]
    subject: Option<String>,
    /// Only report what would change
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Compact {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let (query, request) = (CompactQuery { dry_run: self.dry_run }, CompactPages { subject: self.subject });
        let report = remote.client.compact_pages(workspace, &query, &request).await?;
        self.format.print(terminal, &report, |report, _| {
            let TierCounts { hot, warm, cold } = report.pages;
            let mut text = format!(
                "episodes read: {}; pages written: {}, removed: {}, moved: {}\n{hot} hot, {warm} warm, {cold} cold; {} below the gate\n",
                report.read, report.written, report.removed, report.moved, report.below_gate
            );
            for (reason, count) in &report.left_out {
                text.push_str(&format!("left out: {count} {}\n", line(reason)));
            }
            text
        })
    }
}

//! `orgmem import`: an export into the database, without the server; or a file of another tool, through the server.

use std::fs::File;
use std::path::PathBuf;

use clap::Args;
use orgmem_store::{ImportOptions, ImportOutcome, ImportSummary, import};

use super::import_foreign::{ForeignImport, ForeignOptions};
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Align, Paint, Table, line};
use crate::cli::progress::ProgressLine;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::serve::{keep_files_private, make_data_dir, store_config};

/// Import an export into the database of this machine's settings, or with --from the file of another tool into a server
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// File that `orgmem export` wrote; with --from, a file or a folder of that format
    file: PathBuf,
    /// Import nothing; verify the file and show the outcome
    #[arg(long)]
    dry_run: bool,
    /// Leave orgs that exist as they are, also those that differ from the file
    #[arg(long, conflicts_with = "from")]
    skip_existing: bool,
    #[command(flatten)]
    foreign: ForeignOptions,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Import {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        if let Some(from) = self.foreign.from {
            let import = ForeignImport { from, file: self.file, dry_run: self.dry_run, options: self.foreign };
            return import.run(terminal, local, &self.server, self.format).await;
        }
        let settings = local.load(Vec::new())?.settings;
        let opened = File::open(&self.file);
        let mut file =
            opened.map_err(|error| CliError::Io { action: format!("open `{}`", self.file.display()), error })?;
        if !self.dry_run {
            keep_files_private();
            make_data_dir(&settings.data_dir)?;
        }
        let options = ImportOptions { dry_run: self.dry_run, skip_existing: self.skip_existing };
        let mut progress = ProgressLine::on(terminal);
        let summary =
            import(&store_config(&settings), &mut file, options, &mut |progressed| progress.show(progressed))?;
        progress.end();
        self.format.print(terminal, &summary, render)
    }
}

fn render(summary: &ImportSummary, paint: Paint) -> String {
    let mut table =
        Table::new(&[("org", Align::Left), ("name", Align::Left), ("rows", Align::Right), ("", Align::Left)]);
    for org in &summary.orgs {
        let name = if org.id.is_nil() { "(the server itself)".to_owned() } else { line(&org.name) };
        table.row([org.id.to_string(), name, org.rows.to_string(), outcome(org.outcome, summary.dry_run).to_owned()]);
    }
    table.render(paint)
}

const fn outcome(outcome: ImportOutcome, dry_run: bool) -> &'static str {
    match (outcome, dry_run) {
        (ImportOutcome::Imported, false) => "imported",
        (ImportOutcome::Imported, true) => "would be imported",
        (ImportOutcome::Identical, _) => "exists, equal to the file",
        (ImportOutcome::Different, _) => "exists and differs; left as it is",
        (ImportOutcome::OwnServerLog, _) => "this server has a log of its own, which stays",
    }
}

//! `orgmem import`: an export into the database, without the server; or a file of another tool, through the server.

use std::fs::File;
use std::path::PathBuf;

use clap::Args;
use orgmem_store::{ImportOptions, ImportOutcome, ImportSummary, PartImport, import, import_part};

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
    /// Leave orgs, and rows of a part, that exist as they are, also those that differ from the file
    #[arg(long, conflicts_with = "from")]
    skip_existing: bool,
    /// Import the export of a workspace or an end user into this org: its id, or the name of its root
    #[arg(long, value_name = "ORG", conflicts_with = "from")]
    into: Option<String>,
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
        if let Some(into) = &self.into {
            let report = &mut |progressed| progress.show(progressed);
            let imported = import_part(&store_config(&settings), &mut file, into, options, report)?;
            progress.end();
            return self.format.print(terminal, &imported, render_part);
        }
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

fn render_part(part: &PartImport, paint: Paint) -> String {
    let right = |name| (name, Align::Right);
    let imported = if part.dry_run { "would be imported" } else { "imported" };
    let mut table = Table::new(&[
        ("table", Align::Left),
        right(imported),
        right("exist"),
        right("exist and differ"),
        right("removed here"),
        right("of the log"),
    ]);
    for (name, rows) in &part.tables {
        let counts = [rows.imported, rows.existing, rows.different, rows.removed, rows.left_out];
        let [imported, existing, different, removed, left_out] = counts.map(|count| count.to_string());
        table.row([line(name), imported, existing, different, removed, left_out]);
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

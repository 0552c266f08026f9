//! `orgmem removals`: what was removed from a database, to be removed from an older copy of it too.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use orgmem_store::{FileRemovals, RemovalSource, Store, SystemClock, TransferError, export_removals};

use super::export::to_file;
use super::restore::counts;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::Terminal;
use crate::removals::repeat;
use crate::serve::{keep_files_private, not_opened, store_config};

/// List what was removed from the database, and remove it from a restored older copy
#[derive(Args, Debug)]
pub(crate) struct Removals {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Write the redactions, deletions, erasures and revocations of the database of this machine's settings, without
    /// content
    Export(Export),
    /// Repeat the removals of a file in the database of this machine's settings; a second time changes nothing
    Apply(Apply),
}

#[derive(Args, Debug)]
struct Export {
    /// File to write; standard output by default
    #[arg(default_value = "-")]
    file: PathBuf,
}

#[derive(Args, Debug)]
struct Apply {
    /// File that `orgmem removals export` wrote
    file: PathBuf,
    #[command(flatten)]
    format: OutputFormat,
}

impl Removals {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.what {
            What::Export(export) => export.run(terminal, local),
            What::Apply(apply) => apply.run(terminal, local).await,
        }
    }
}

impl Export {
    fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let config = store_config(&local.load(Vec::new())?.settings);
        let mut progress = ProgressLine::on(terminal);
        let mut report = |progressed| progress.show(progressed);
        let written = if self.file == Path::new("-") {
            let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            export_removals(&config, &mut out, &mut report)
        } else {
            to_file(&self.file, |out| export_removals(&config, out, &mut report))
        };
        let removals = written.map_err(|error| match error {
            TransferError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => CliError::Closed,
            error => error.into(),
        })?;
        progress.end();
        terminal.note(&format!("exported {removals} removals; their content is not in the file"));
        Ok(())
    }
}

impl Apply {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let settings = local.load(Vec::new())?.settings;
        let named = |error| CliError::Io { action: format!("open `{}`", self.file.display()), error };
        let open = || File::open(&self.file).map_err(named).map(BufReader::new);
        // the whole file is verified before anything changes
        let mut file = FileRemovals::open(open()?)?;
        while !file.next_page()?.is_empty() {}
        keep_files_private();
        let store = Store::open(&store_config(&settings), Arc::new(SystemClock));
        let store = store.map_err(|error| not_opened(&settings, error))?;
        let mut progress = ProgressLine::on(terminal);
        let repeated =
            repeat(&store, &mut FileRemovals::open(open()?)?, &mut |progressed| progress.show(progressed)).await;
        store.close();
        let repeated = repeated?;
        progress.end();
        self.format.print(terminal, &repeated, |repeated, _| format!("repeated: {}\n", counts(repeated)))
    }
}

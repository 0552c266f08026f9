//! Processors: list, show, define, run, and the facts for a change.

mod patterns;
mod print;

use clap::{Args, Subcommand};
use orgmem_types::{DefineProcessor, DryRun, ListProcessorRuns};

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
pub(crate) use patterns::Patterns;

/// The server's maximum page size.
const PAGE: usize = 100;

/// Define, list and run processors: they distil rows into facts
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Processor {
    #[command(subcommand)]
    verb: ProcessorCommand,
}

#[derive(Subcommand, Debug)]
enum ProcessorCommand {
    List(List),
    Show(Show),
    Define(Define),
    Run(Run),
    Runs(Runs),
    Delete(Delete),
}

/// List the processors of the workspace, and the built-in definitions
#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the definition of a processor
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Name of the processor
    name: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

/// Define a processor by a JSON file, or activate a built-in one
#[derive(Args, Debug)]
pub(crate) struct Define {
    /// The file with the definition
    #[arg(required_unless_present = "built_in", conflicts_with = "built_in")]
    file: Option<String>,
    /// A built-in definition, such as `bug-import`
    #[arg(long)]
    built_in: Option<String>,
    /// The collection to read, instead of that of the definition
    #[arg(long)]
    collection: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Run a processor now
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// Name of the processor
    name: String,
    /// Only report what a run would do
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// List the last runs of a processor, newest first
#[derive(Args, Debug)]
pub(crate) struct Runs {
    /// Name of the processor
    name: String,
    /// Maximum number of runs
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Delete a processor; its facts are superseded
#[derive(Args, Debug)]
pub(crate) struct Delete {
    /// Name of the processor
    name: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Processor {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            ProcessorCommand::List(list) => list.run(terminal, local).await,
            ProcessorCommand::Show(show) => show.run(terminal, local).await,
            ProcessorCommand::Define(define) => define.run(terminal, local).await,
            ProcessorCommand::Run(run) => run.run(terminal, local).await,
            ProcessorCommand::Runs(runs) => runs.run(terminal, local).await,
            ProcessorCommand::Delete(delete) => delete.run(terminal, local).await,
        }
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = remote.client.list_processors(workspace).await?;
        self.format
            .print(terminal, &found, |found, paint| found.iter().map(|one| print::processor(one, paint)).collect())
    }
}

impl Show {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = remote.client.read_processor(workspace, &self.name).await?;
        let definition = serde_json::to_string_pretty(&found.definition).unwrap_or_default();
        terminal.print(&format!("{definition}\n"))
    }
}

impl Define {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let definition = self.file.as_deref().map(read_definition).transpose()?;
        let set =
            self.collection.map(|collection| [("collection".to_owned(), collection.into())].into_iter().collect());
        let request = DefineProcessor { definition, built_in: self.built_in, set };
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let defined = remote.client.define_processor(workspace, &request).await?;
        self.format.print(terminal, &defined, print::processor)
    }
}

impl Run {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = DryRun { dry_run: self.dry_run.then_some(true) };
        let report = remote.client.run_processor(workspace, &self.name, &query).await?;
        self.format.print(terminal, &report, print::run)
    }
}

impl Runs {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListProcessorRuns { limit: Some(limit), cursor };
            remote.client.list_processor_runs(workspace, &self.name, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no runs", print::run)
    }
}

impl Delete {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        remote.client.delete_processor(workspace, &self.name).await?;
        terminal.print(&format!("deleted {}\n", line(&self.name)))
    }
}

fn read_definition(file: &str) -> Result<orgmem_types::Object, CliError> {
    let text =
        std::fs::read_to_string(file).map_err(|error| CliError::Io { action: format!("read `{file}`"), error })?;
    serde_json::from_str(&text).map_err(|error| CliError::Usage(format!("`{}` is no JSON object: {error}", line(file))))
}

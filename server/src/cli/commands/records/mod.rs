//! The records of a tree.

mod push;

use clap::{Args, Subcommand};
use orgmem_types::{ListRecords, Record};

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// The server's maximum page size.
const PAGE: usize = 200;

/// List, show and push records: the current values of prices, stock and other truths
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Records {
    #[command(subcommand)]
    verb: RecordsCommand,
}

#[derive(Subcommand, Debug)]
enum RecordsCommand {
    List(List),
    Show(Show),
    Push(push::Push),
}

/// List the records of the tree, by entity
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only entities with this prefix
    prefix: Option<String>,
    /// Maximum number of records
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the record of an entity
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// What the record describes
    entity: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Records {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            RecordsCommand::List(list) => list.run(terminal, local).await,
            RecordsCommand::Show(show) => show.run(terminal, local).await,
            RecordsCommand::Push(push) => push.run(terminal, local).await,
        }
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListRecords { prefix: self.prefix.clone(), limit: Some(limit), cursor };
            remote.client.list_records(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no records", render)
    }
}

impl Show {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let record = remote.client.read_record(workspace, &self.entity).await?;
        self.format.print(terminal, &record, render)
    }
}

/// The entity, then each field with its value, instant and source.
fn render(record: &Record, paint: Paint) -> String {
    let mut text = paint.strong(&line(&record.entity));
    for (name, field) in &record.fields {
        let value = match &field.value {
            serde_json::Value::String(value) => line(value),
            other => other.to_string(),
        };
        let unit = field.unit.as_deref().map(|unit| format!(" {}", line(unit))).unwrap_or_default();
        let as_of = field.as_of.format("%Y-%m-%dT%H:%M:%SZ");
        text.push_str(&format!("\n  {}: {value}{unit}  as of {as_of}, {}", line(name), line(&field.source)));
    }
    text.push('\n');
    text
}

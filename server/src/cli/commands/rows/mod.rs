//! Rows in collections: import, list, withdraw.

mod import;
mod lines;

use clap::{Args, Subcommand};
use orgmem_types::{Collection, ListRows, Row, WithdrawRows};

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
/// Keys of one request.
const KEYS: usize = 1_000;

/// Import, list and withdraw rows: the raw material of processors
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Rows {
    #[command(subcommand)]
    verb: RowsCommand,
}

#[derive(Subcommand, Debug)]
enum RowsCommand {
    Import(import::Import),
    List(List),
    Collections(Collections),
    Withdraw(Withdraw),
    Drop(Drop),
}

/// List the rows of a collection, by key
#[derive(Args, Debug)]
pub(crate) struct List {
    /// The collection
    collection: String,
    /// Only keys with this prefix
    #[arg(long)]
    prefix: Option<String>,
    /// Maximum number of rows
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// List the collections of the workspace
#[derive(Args, Debug)]
pub(crate) struct Collections {
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Withdraw rows: delete them with a reason; processors count again without them
#[derive(Args, Debug)]
pub(crate) struct Withdraw {
    /// The collection
    collection: String,
    /// The keys
    #[arg(required = true)]
    keys: Vec<String>,
    /// Why the rows do not count any more
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Delete a collection with its rows
#[derive(Args, Debug)]
pub(crate) struct Drop {
    /// The collection
    collection: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Rows {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            RowsCommand::Import(import) => import.run(terminal, local).await,
            RowsCommand::List(list) => list.run(terminal, local).await,
            RowsCommand::Collections(collections) => collections.run(terminal, local).await,
            RowsCommand::Withdraw(withdraw) => withdraw.run(terminal, local).await,
            RowsCommand::Drop(drop) => drop.run(terminal, local).await,
        }
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListRows { key: None, prefix: self.prefix.clone(), limit: Some(limit), cursor };
            remote.client.list_rows(workspace, &self.collection, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no rows", row)
    }
}

impl Collections {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = remote.client.list_collections(workspace).await?;
        self.format.print(terminal, &found, |found, paint| match found.is_empty() {
            true => "no collections\n".to_owned(),
            false => found.iter().map(|one| collection(one, paint)).collect(),
        })
    }
}

impl Withdraw {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        for keys in self.keys.chunks(KEYS) {
            let request = WithdrawRows { keys: keys.to_vec(), reason: self.reason.clone() };
            let removed = remote.client.withdraw_rows(workspace, &self.collection, &request, None).await?;
            self.format.print(terminal, &removed, |removed, _| {
                format!("{} withdrawn, {} unknown\n", removed.removed, removed.unknown)
            })?;
        }
        Ok(())
    }
}

impl Drop {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        remote.client.delete_collection(workspace, &self.collection).await?;
        terminal.print(&format!("deleted {}\n", line(&self.collection)))
    }
}

/// The key with its time, then the columns.
fn row(row: &Row, paint: Paint) -> String {
    let time = row.time.map(|time| format!("  {}", time.format("%Y-%m-%d"))).unwrap_or_default();
    let mut text = format!("{}{time}", paint.strong(&line(&row.key)));
    for (name, value) in &row.values {
        let value = match value {
            serde_json::Value::String(value) => line(value),
            other => line(&other.to_string()),
        };
        text.push_str(&format!("\n  {}: {value}", line(name)));
    }
    text.push('\n');
    text
}

fn collection(found: &Collection, paint: Paint) -> String {
    let time = found.time.as_deref().map(|time| format!(", time {}", line(time))).unwrap_or_default();
    format!(
        "{}  {} rows, {} bytes  key {}{time}\n",
        paint.strong(&found.name),
        found.rows,
        found.bytes,
        line(&found.key)
    )
}

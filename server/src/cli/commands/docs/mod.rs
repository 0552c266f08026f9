//! Documents: add files, list, show, remove, redact.

mod add;
mod files;
mod watch;

use clap::{Args, Subcommand};
use orgmem_types::{Document, ListDocuments, ReadDocumentContent, RedactMemory};
use uuid::Uuid;

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

/// Add, list, show and remove documents: texts whose passages searches find
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Docs {
    #[command(subcommand)]
    verb: DocsCommand,
}

#[derive(Subcommand, Debug)]
enum DocsCommand {
    Add(Box<add::Add>),
    List(List),
    Show(Show),
    Remove(Remove),
    Redact(Redact),
}

/// List the readable documents, newest first
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only this collection
    #[arg(long)]
    collection: Option<String>,
    /// Only documents with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Maximum number of documents
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the text of a document
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Id of the document
    #[arg(value_parser = forms::id)]
    document: Uuid,
    /// First character
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Number of characters [default: 100000]
    #[arg(long)]
    length: Option<u64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Delete a document permanently
#[derive(Args, Debug)]
pub(crate) struct Remove {
    /// Id of the document
    #[arg(value_parser = forms::id)]
    document: Uuid,
    /// Only if the document has this version
    #[arg(long, value_name = "VERSION")]
    if_version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

/// Redact a document: delete its text with a reason
#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// Id of the document
    #[arg(value_parser = forms::id)]
    document: Uuid,
    /// Why; it is stored, so it must not repeat the content
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Docs {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            DocsCommand::Add(add) => add.run(terminal, local).await,
            DocsCommand::List(list) => list.run(terminal, local).await,
            DocsCommand::Show(show) => show.run(terminal, local).await,
            DocsCommand::Remove(remove) => remove.run(terminal, local).await,
            DocsCommand::Redact(redact) => redact.run(terminal, local).await,
        }
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let (collection, tag) = (self.collection.clone(), self.tag.clone());
            let page = ListDocuments { collection, tag, limit: Some(limit), cursor, ..ListDocuments::default() };
            remote.client.list_documents(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no documents", render)
    }
}

impl Show {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let part = ReadDocumentContent { from: Some(self.from), length: self.length };
        let part = remote.client.read_document_content(workspace, self.document, &part).await?;
        self.format.print(terminal, &part, |part, paint| {
            let more = part.next.map(|next| format!("\n… continue with --from {next}\n")).unwrap_or_default();
            format!("{}\n{}{more}", paint.strong(&line(&part.title)), part.content)
        })
    }
}

impl Remove {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        remote.client.delete_document(workspace, self.document, self.if_version).await?;
        terminal.print(&format!("deleted {}\n", self.document))
    }
}

impl Redact {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let reason = RedactMemory { reason: self.reason };
        let redacted = remote.client.redact_document(workspace, self.document, &reason, None).await?;
        let before = if redacted.already { " before" } else { "" };
        terminal.print(&format!("redacted{before} {}\n", redacted.id))
    }
}

/// The title, then id, scope, size and source.
fn render(document: &Document, paint: Paint) -> String {
    let source = document.source_uri.as_deref().map(|uri| format!("\n  {}", line(uri))).unwrap_or_default();
    format!(
        "{}\n  {}  {}  version {}  {} passages{source}\n",
        paint.strong(&line(&document.title)),
        document.id,
        document.scope,
        document.version,
        document.passages,
    )
}

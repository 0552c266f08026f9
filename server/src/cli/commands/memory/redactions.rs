use clap::Args;
use orgmem_types::{PageQuery, RedactionEntry};

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Paint, Table, instant, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// The server's maximum page size.
const PAGE: usize = 200;

/// List the redactions in a workspace and below it, newest first
#[derive(Args, Debug)]
pub(crate) struct Redactions {
    #[command(flatten)]
    acting: Acting,
    /// Maximum number of redactions
    #[arg(short, long, default_value_t = 50, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Redactions {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let listed = first_rows(self.limit, PAGE, async |limit, cursor| {
            remote.client.list_redactions(workspace, &PageQuery { limit: Some(limit), cursor }).await
        })
        .await?;
        listed.print(terminal, self.format, "no redactions", render)
    }
}

fn render(rows: &[RedactionEntry], paint: Paint) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let columns = ["memory", "author", "scope", "when", "by", "reason"].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    for row in rows {
        table.row([
            row.memory_id.to_string(),
            line(&row.workspace_name),
            row.scope.map(|scope| scope.to_string()).unwrap_or_default(),
            instant(row.redacted_at),
            line(&row.redacted_by),
            line(&row.reason),
        ]);
    }
    table.render(paint)
}

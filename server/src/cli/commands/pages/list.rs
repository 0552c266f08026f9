use clap::Args;
use orgmem_types::{ListPages, Tier};

use super::render;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// The server's maximum page size.
const PAGE: usize = 200;

/// List the pages of a workspace, newest first
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Words; the best matches come first
    query: Option<String>,
    /// About this person or thing
    #[arg(long)]
    subject: Option<String>,
    /// Only this tier: hot, warm or cold [default: hot and warm]
    #[arg(long, value_parser = tier)]
    tier: Option<Tier>,
    /// Of this session
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Minimum confidence, from 0 to 1
    #[arg(long, value_name = "NUMBER")]
    min_confidence: Option<f64>,
    /// Maximum number of pages
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

fn tier(text: &str) -> Result<Tier, String> {
    match text {
        "hot" => Ok(Tier::Hot),
        "warm" => Ok(Tier::Warm),
        "cold" => Ok(Tier::Cold),
        _ => Err("`hot`, `warm` or `cold`".to_owned()),
    }
}

impl List {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = ListPages {
            subject: self.subject,
            tier: self.tier,
            session_id: self.session_id,
            q: self.query,
            min_confidence: self.min_confidence,
            ..ListPages::default()
        };
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListPages { limit: Some(limit), cursor, ..query.clone() };
            remote.client.list_pages(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no matching pages", render)
    }
}

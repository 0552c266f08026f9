use clap::Args;
use orgmem_types::ExplainPage;
use uuid::Uuid;

use super::render;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Show one page
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Id of the page
    #[arg(value_parser = forms::id)]
    page: Uuid,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the episodes that a page was made of
#[derive(Args, Debug)]
pub(crate) struct Sources {
    /// Id of the page
    #[arg(value_parser = forms::id)]
    page: Uuid,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Explain why a page is in the working set or not
#[derive(Args, Debug)]
pub(crate) struct Why {
    /// Id of the page
    #[arg(value_parser = forms::id)]
    page: Uuid,
    /// Subject of the working set [default: that of the page]
    #[arg(long)]
    subject: Option<String>,
    /// Size of the working set in tokens [default: 1500]
    #[arg(long, value_name = "TOKENS")]
    token_budget: Option<u64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Show {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let page = remote.client.read_page(workspace, self.page).await?;
        self.format.print(terminal, &page, render)
    }
}

impl Sources {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let page = remote.client.list_page_sources(workspace, self.page).await?;
        self.format.print(terminal, &page, |page, paint| {
            let rows = page.sources.iter().map(|episode| {
                let activity = &episode.activity;
                let mut head = vec![episode.id.to_string(), ago(episode.created_at, terminal.now)];
                head.push(paint.strong(&line(&activity.activity_type)));
                let provenance = [&activity.actor, &activity.channel, &activity.correlation_id];
                head.extend(provenance.into_iter().flatten().map(|word| line(word)));
                let content = activity.summary.as_ref().or(activity.error_detail.as_ref());
                format!("{}\n{}", head.join("  "), block(content.map_or("", String::as_str), 2))
            });
            rows.collect::<Vec<_>>().join("\n")
        })
    }
}

impl Why {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = ExplainPage { subject: self.subject, token_budget: self.token_budget };
        let explanation = remote.client.explain_page(workspace, self.page, &query).await?;
        self.format.print(terminal, &explanation, |explanation, paint| {
            let answer = match explanation.in_working_set {
                true => paint.good("in the working set"),
                false => paint.bad("not in the working set"),
            };
            let parts = explanation.parts;
            format!(
                "{answer}: {}\nconfidence {} (recency {:.2}, density {:.2}, outcome {:.2}), gate {}\n",
                line(&explanation.reason),
                explanation.confidence,
                parts.recency,
                parts.density,
                parts.outcome,
                explanation.gate
            )
        })
    }
}

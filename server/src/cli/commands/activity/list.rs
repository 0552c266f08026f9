use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{Episode, ListEpisodes};

use super::{PAGE, Period};
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// List the activity of a workspace, newest first
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only this type
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    activity_type: Option<String>,
    /// Of this session
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// About this end user
    #[arg(long)]
    subject: Option<String>,
    #[command(flatten)]
    period: Period,
    /// Maximum number of episodes
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl List {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = ListEpisodes {
            activity_type: self.activity_type,
            session_id: self.session_id,
            subject: self.subject,
            since: self.period.since(terminal.now),
            until: self.period.until(terminal.now),
            ..ListEpisodes::default()
        };
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListEpisodes { limit: Some(limit), cursor, ..query.clone() };
            remote.client.list_episodes(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no matching activity", |episode, paint| {
            render(episode, terminal.now, paint)
        })
    }
}

/// One episode: time, type, method, status, summary or error.
fn render(episode: &Episode, now: DateTime<Utc>, paint: Paint) -> String {
    let activity = &episode.activity;
    let mut head = vec![ago(episode.created_at, now), paint.strong(&line(&activity.activity_type))];
    head.extend([&activity.method, &activity.status].into_iter().flatten().map(|word| line(word)));
    let content = activity.summary.as_ref().or(activity.error_detail.as_ref()).map_or("", String::as_str);
    format!("{}\n{}", head.join("  "), block(content, 2))
}

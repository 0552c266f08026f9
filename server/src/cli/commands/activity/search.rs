use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{SessionHit, SessionHitKind, SessionOrder, SessionSearch};

use super::{PAGE, Period};
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// Search the recent activity of a workspace and its own memories (session search)
#[derive(Args, Debug)]
pub(crate) struct SearchActivity {
    /// Words or parts of words, which must all occur
    query: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    period: Period,
    /// Only activity, or only memories
    #[arg(short, long, value_parser = words::of::<SessionHitKind>(&words::HIT_KINDS))]
    kind: Option<SessionHitKind>,
    /// Of this session
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Order of the results [default: recent]
    #[arg(long, value_parser = words::of::<SessionOrder>(&words::SESSION_ORDERS))]
    order: Option<SessionOrder>,
    /// Maximum number of results
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl SearchActivity {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = SessionSearch {
            q: self.query,
            since: self.period.since(terminal.now),
            until: self.period.until(terminal.now),
            kind: self.kind,
            session_id: self.session_id,
            order: self.order,
            ..SessionSearch::default()
        };
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = SessionSearch { limit: Some(limit), cursor, ..query.clone() };
            remote.client.search_session(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no matching activity", |hit, paint| render(hit, terminal.now, paint))
    }
}

/// One result: time, kind, label, content.
fn render(hit: &SessionHit, now: DateTime<Utc>, paint: Paint) -> String {
    let kind = match hit.kind {
        SessionHitKind::Activity => "activity",
        SessionHitKind::Memory => "memory",
    };
    let mut head = vec![ago(hit.created_at, now), kind.to_owned(), paint.strong(&line(&hit.label))];
    let words = hit.memory_kind.as_deref().into_iter().chain([hit.method.as_str(), &hit.status]);
    head.extend(words.filter(|word| !word.is_empty()).map(line));
    format!("{}\n{}", head.join("  "), block(&hit.content, 2))
}

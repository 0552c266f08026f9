use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{ListMemories, Memory, Order, Source};

use crate::cli::error::CliError;
use crate::cli::forms::{self, Moment};
use crate::cli::local::Local;
use crate::cli::paging::up_to;
use crate::cli::print::{Paint, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::shown::Shown;
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// The server's ceiling for one page.
const PAGE: usize = 50;

/// Search the memories that a workspace can read, best first
#[derive(Args, Debug)]
pub(crate) struct Search {
    /// What to look for; without it the newest, pinned before
    query: Option<String>,
    #[command(flatten)]
    acting: Acting,
    /// One scope alone
    #[arg(short, long, ignore_case = true, value_parser = words::scope())]
    scope: Option<Scope>,
    /// Filed under this label
    #[arg(short, long)]
    namespace: Option<String>,
    /// Of this kind
    #[arg(short, long)]
    kind: Option<String>,
    /// From this source
    #[arg(long, value_parser = words::of::<Source>(&words::SOURCES))]
    source: Option<Source>,
    /// With this tag
    #[arg(short, long)]
    tag: Option<String>,
    /// Written by this workspace
    #[arg(short, long, value_name = "WORKSPACE")]
    author: Option<String>,
    /// About this end user
    #[arg(long)]
    subject: Option<String>,
    /// Made in this session
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Committed since: 2h (ago), 2026-11-20 or 2026-11-20T08:00:00Z
    #[arg(long, value_name = "MOMENT", value_parser = forms::moment)]
    since: Option<Moment>,
    /// Committed before
    #[arg(long, value_name = "MOMENT", value_parser = forms::moment)]
    until: Option<Moment>,
    /// With at least this confidence, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE")]
    min_confidence: Option<f64>,
    /// Which first [default: relevance with a query, else recent]
    #[arg(long, value_parser = words::of::<Order>(&words::ORDERS))]
    order: Option<Order>,
    /// At most so many
    #[arg(short, long, default_value_t = 10)]
    limit: usize,
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    server: Server,
}

impl Search {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let query = ListMemories {
            scope: self.scope,
            q: self.query,
            namespace: self.namespace,
            kind: self.kind,
            source: self.source,
            tag: self.tag,
            author: remote.workspace_if_any(self.author.as_deref()).await?,
            subject: self.subject,
            session_id: self.session_id,
            since: self.since.map(|moment| moment.at(terminal.now)),
            until: self.until.map(|moment| moment.at(terminal.now)),
            min_confidence: self.min_confidence,
            order: self.order,
            ..ListMemories::default()
        };
        let found = up_to(self.limit, PAGE, async |limit, cursor| {
            let page = ListMemories { limit: Some(limit), cursor, ..query.clone() };
            remote.client.search_memories(reader, &page).await
        })
        .await?;
        self.shown.print(terminal, &found.items, |memories, paint| {
            memories.iter().map(|memory| told(memory, terminal.now, paint)).collect::<Vec<_>>().join("\n")
        })?;
        match (found.items.is_empty(), found.more) {
            (true, _) => terminal.note("nothing found that this workspace can read"),
            (_, true) => terminal.note(&format!("the first {}; --limit shows more", self.limit)),
            _ => {}
        }
        Ok(())
    }
}

/// One memory: who wrote it and how it is in reach, the content, where it is filed.
pub(super) fn told(memory: &Memory, now: DateTime<Utc>, paint: Paint) -> String {
    let mut head = vec![
        paint.strong(&line(&memory.workspace_name)),
        format!("{} via {}", memory.scope, memory.via.as_str()),
        ago(memory.created_at, now),
    ];
    if memory.pin {
        head.push("pinned".to_owned());
    }
    let mut foot = vec![memory.id.to_string(), line(&memory.namespace), line(&memory.kind)];
    foot.push(format!("confidence {}", memory.confidence));
    foot.extend(memory.tags.iter().map(|tag| format!("#{}", line(tag))));
    foot.extend(memory.expires_at.map(|then| format!("expires {}", ago(then, now))));
    format!("{}\n{}  {}\n", head.join("  "), block(&memory.content, 2), paint.faint(&foot.join("  ")))
}

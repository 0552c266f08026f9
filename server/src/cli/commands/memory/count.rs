use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{CountMemories, Source};

use crate::cli::error::CliError;
use crate::cli::forms::{self, Moment};
use crate::cli::local::Local;
use crate::cli::remote::{Acting, Server};
use crate::cli::shown::Shown;
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// Count the memories that a workspace can read
#[derive(Args, Debug)]
pub(crate) struct Count {
    /// What to look for; without it everything is counted
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
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    server: Server,
}

impl Count {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let query = CountMemories {
            scope: self.scope,
            q: self.query,
            namespace: self.namespace,
            kind: self.kind,
            source: self.source,
            tag: self.tag,
            author: remote.workspace_if_any(self.author.as_deref()).await?,
            subject: self.subject,
            session_id: self.session_id,
            run_id: None,
            profile_id: None,
            since: self.since.map(|moment| moment.at(terminal.now)),
            until: self.until.map(|moment| moment.at(terminal.now)),
            min_confidence: self.min_confidence,
        };
        let counted = remote.client.count_memories(reader, &query).await?;
        self.shown.print(terminal, &counted, |counted, _| format!("{}\n", counted.count))
    }
}

use clap::Args;
use orgmem_types::ServerStats;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{instant, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Show the numbers of the server: orgs, workspaces, memories and the size of the database
#[derive(Args, Debug)]
pub(crate) struct Stats {
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Stats {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let stats = self.server.connect(local)?.client.read_admin_stats().await?;
        self.format.print(terminal, &stats, |stats, _| render(stats))
    }
}

fn render(stats: &ServerStats) -> String {
    let ServerStats { orgs, workspaces, memories, entries, episodes, .. } = stats;
    let embedder = match &stats.embedder {
        None => "no embedder".to_owned(),
        Some(embedder) => match &embedder.failing {
            None => format!("embedder {}", line(&embedder.name)),
            Some(error) => format!("embedder {} fails: {}", line(&embedder.name), line(error)),
        },
    };
    let reranker = match &stats.reranker {
        None => String::new(),
        Some(reranker) => match &reranker.failing {
            None => format!(", reranker {}", line(&reranker.name)),
            Some(error) => format!(", reranker {} fails: {}", line(&reranker.name), line(error)),
        },
    };
    format!(
        "{orgs} orgs, {workspaces} workspaces\n{} LOCAL, {} TEAM, {} GLOBAL memories, {entries} keys, {episodes} episodes\n\
         {} bytes in {}, {embedder}{reranker}\norgmem {}, started {}\n",
        memories.local,
        memories.team,
        memories.global,
        stats.size_bytes,
        stats.store,
        line(&stats.version),
        instant(stats.started_at),
    )
}

use clap::Args;
use orgmem_types::{Event, WatchEvents};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{instant, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Show the events of a workspace, and of memories that it can read
#[derive(Args, Debug)]
pub(crate) struct Events {
    /// Continue with new events until interrupted
    #[arg(short, long)]
    follow: bool,
    /// Only events after the one with this number [default: all that the server retains, with --follow only new ones]
    #[arg(long, value_name = "NUMBER")]
    after: Option<i64>,
    /// Include the workspaces below it
    #[arg(long)]
    subtree: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Events {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query =
            WatchEvents { subtree: self.subtree.then_some(true), follow: Some(self.follow), memories: Some(false) };
        let after = self.after.or((!self.follow).then_some(0));
        let mut events = remote.client.watch_events(workspace, &query, after).await?;
        while let Some(event) = events.next().await? {
            match self.format.json {
                true => terminal.print(&format!("{}\n", serde_json::json!(event)))?,
                false => terminal.print(&render(&event))?,
            }
        }
        if events.is_incomplete() {
            terminal.note("the server no longer retains all of these events; --after names a later one");
        }
        Ok(())
    }
}

fn render(event: &Event) -> String {
    let memory = event.memory_id.map(|memory| format!("  memory {memory}")).unwrap_or_default();
    format!("{}  {}  {}  workspace {}{memory}\n", event.seq, instant(event.at), line(&event.kind), event.workspace_id)
}

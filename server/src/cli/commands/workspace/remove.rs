use clap::Args;
use orgmem_types::{ChildrenRemoval, RemoveWorkspace, RemovedWorkspace, WorkspaceRemoval};

use super::preview;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// Remove a workspace; it then reads nothing, and no workspace reads it
#[derive(Args, Debug)]
pub(crate) struct Remove {
    /// Workspace to remove: its id, name or path
    workspace: String,
    /// Treatment of its children: move them to its parent, or remove them too
    #[arg(long, value_parser = words::of::<ChildrenRemoval>(&words::CHILDREN))]
    children: Option<ChildrenRemoval>,
    /// Also erase the data of all removed workspaces: memories, keys, episodes, tokens
    #[arg(long)]
    purge: bool,
    /// Remove nothing; show the memories that each workspace would gain and lose
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Remove {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.workspace(&self.workspace).await?;
        let query = RemoveWorkspace {
            children: self.children,
            purge: self.purge.then_some(true),
            dry_run: Some(self.dry_run),
            ..RemoveWorkspace::default()
        };
        let removed = remote.client.remove_workspace(workspace, &query).await?;
        self.format.print(terminal, &removed, |removed, paint| match removed {
            RemovedWorkspace::Done(removal) => render(removal),
            RemovedWorkspace::Planned(preview) => preview::render(preview, paint),
        })
    }
}

fn render(removed: &WorkspaceRemoval) -> String {
    let mut text = "removed".to_owned();
    if removed.cascade_deleted > 0 {
        text.push_str(&format!(", with {} below it", removed.cascade_deleted));
    }
    if removed.promoted > 0 {
        text.push_str(&format!("; children moved up: {}", removed.promoted));
    }
    if let Some(receipt) = &removed.erased {
        text.push_str(&format!("; erased {} memories, receipt {}", receipt.memories, receipt.id));
    }
    text + "\n"
}

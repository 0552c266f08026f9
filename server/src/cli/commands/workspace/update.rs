use clap::Args;
use orgmem_types::{DryRun, PatchWorkspace, PatchedWorkspace};

use super::{preview, show};
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::Paint;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Move a workspace to another parent, with its descendants and all their memories
#[derive(Args, Debug)]
pub(crate) struct Move {
    /// Workspace to move: its id, name or path
    workspace: String,
    /// New parent
    #[arg(value_name = "PARENT")]
    parent: String,
    /// Move nothing; show the memories that each workspace would gain and lose
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Rename a workspace
#[derive(Args, Debug)]
pub(crate) struct Rename {
    /// Workspace to rename: its id, name or path
    workspace: String,
    /// New name
    name: String,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Move {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.workspace(&self.workspace).await?;
        let parent = remote.workspace(&self.parent).await?;
        let patch = PatchWorkspace { parent_id: Some(Some(parent)), ..PatchWorkspace::default() };
        let moved = remote.client.patch_workspace(workspace, &DryRun { dry_run: Some(self.dry_run) }, &patch).await?;
        self.format.print(terminal, &moved, |moved, paint| render(moved, terminal, paint))
    }
}

impl Rename {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.workspace(&self.workspace).await?;
        let patch = PatchWorkspace { name: Some(self.name), ..PatchWorkspace::default() };
        let renamed = remote.client.patch_workspace(workspace, &DryRun::default(), &patch).await?;
        self.format.print(terminal, &renamed, |renamed, paint| render(renamed, terminal, paint))
    }
}

fn render(patched: &PatchedWorkspace, terminal: &Terminal, paint: Paint) -> String {
    match patched {
        PatchedWorkspace::Done(workspace) => show::render(workspace, terminal.now, paint),
        PatchedWorkspace::Planned(preview) => preview::render(preview, paint),
    }
}

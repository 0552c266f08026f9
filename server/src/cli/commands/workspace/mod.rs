//! Workspaces: one file per verb.

mod budget;
mod check_access;
mod create;
mod list;
mod preview;
mod reach;
mod remove;
mod show;
mod update;

use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::terminal::Terminal;

/// Create, show, move and remove workspaces
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Workspace {
    #[command(subcommand)]
    verb: WorkspaceCommand,
}

#[derive(Subcommand, Debug)]
enum WorkspaceCommand {
    Create(create::Create),
    Show(show::Show),
    List(list::List),
    Move(update::Move),
    Rename(update::Rename),
    Remove(remove::Remove),
    Reach(reach::Reach),
    Budget(budget::Budget),
    CheckAccess(check_access::CheckAccess),
}

impl Workspace {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            WorkspaceCommand::Create(create) => create.run(terminal, local).await,
            WorkspaceCommand::Show(show) => show.run(terminal, local).await,
            WorkspaceCommand::List(list) => list.run(terminal, local).await,
            WorkspaceCommand::Move(relocation) => relocation.run(terminal, local).await,
            WorkspaceCommand::Rename(rename) => rename.run(terminal, local).await,
            WorkspaceCommand::Remove(remove) => remove.run(terminal, local).await,
            WorkspaceCommand::Reach(reach) => reach.run(terminal, local).await,
            WorkspaceCommand::Budget(budget) => budget.run(terminal, local).await,
            WorkspaceCommand::CheckAccess(check) => check.run(terminal, local).await,
        }
    }
}

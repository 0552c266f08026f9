//! The activity of a workspace: one file per verb.

mod append;
mod list;
mod search;

pub(crate) use search::SearchActivity;

use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::terminal::Terminal;

/// Append to the activity of a workspace, list it, and search it
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Activity {
    #[command(subcommand)]
    verb: ActivityCommand,
}

#[derive(Subcommand, Debug)]
enum ActivityCommand {
    Append(Box<append::Append>),
    List(list::List),
    Search(SearchActivity),
}

impl Activity {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            ActivityCommand::Append(append) => append.run(terminal, local).await,
            ActivityCommand::List(list) => list.run(terminal, local).await,
            ActivityCommand::Search(search) => search.run(terminal, local).await,
        }
    }
}

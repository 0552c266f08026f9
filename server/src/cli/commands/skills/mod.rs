//! Skills: one file for reads, one for steps, one for a folder that follows.

mod read;
mod steps;
mod sync;

use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::terminal::Terminal;

/// List, draft, approve and withdraw skills; keep a folder equal to what a workspace can use
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Skills {
    #[command(subcommand)]
    verb: SkillsCommand,
}

#[derive(Subcommand, Debug)]
enum SkillsCommand {
    List(read::List),
    Show(read::Show),
    Diff(read::Diff),
    Draft(steps::Draft),
    Approve(steps::Approve),
    Withdraw(steps::Withdraw),
    Rule(steps::Rule),
    Sync(sync::Sync),
}

impl Skills {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            SkillsCommand::List(list) => list.run(terminal, local).await,
            SkillsCommand::Show(show) => show.run(terminal, local).await,
            SkillsCommand::Diff(diff) => diff.run(terminal, local).await,
            SkillsCommand::Draft(draft) => draft.run(terminal, local).await,
            SkillsCommand::Approve(approve) => approve.run(terminal, local).await,
            SkillsCommand::Withdraw(withdraw) => withdraw.run(terminal, local).await,
            SkillsCommand::Rule(rule) => rule.run(terminal, local).await,
            SkillsCommand::Sync(sync) => sync.run(terminal, local).await,
        }
    }
}

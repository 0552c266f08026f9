//! Single memories: one file per verb.

mod commit_batch;
mod count;
mod edit;
mod end_session;
mod evidence;
mod forget;
mod history;
mod profiles;
mod redact;
mod redactions;
mod restore;
mod show;
mod why;

pub(super) use profiles::{find_profile, profile_table};

use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::terminal::Terminal;

/// Show, edit, explain and delete single memories; list profiles and their memories
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Memory {
    #[command(subcommand)]
    verb: MemoryCommand,
}

#[derive(Subcommand, Debug)]
enum MemoryCommand {
    Show(show::Show),
    CommitBatch(commit_batch::Batch),
    Edit(Box<edit::Edit>),
    History(history::History),
    Restore(restore::Restore),
    Forget(forget::Forget),
    Redact(redact::Redact),
    EndSession(end_session::EndSession),
    Redactions(redactions::Redactions),
    Why(why::Why),
    Count(Box<count::Count>),
    Evidence(evidence::Evidence),
    Outcome(evidence::Outcome),
    ListProfiles(profiles::ListProfiles),
    ListEntries(profiles::ListProfileMemories),
    WriteEntry(Box<profiles::WriteEntry>),
    Summarize(profiles::Summarize),
}

impl Memory {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            MemoryCommand::Show(show) => show.run(terminal, local).await,
            MemoryCommand::CommitBatch(batch) => batch.run(terminal, local).await,
            MemoryCommand::Edit(edit) => edit.run(terminal, local).await,
            MemoryCommand::History(history) => history.run(terminal, local).await,
            MemoryCommand::Restore(restore) => restore.run(terminal, local).await,
            MemoryCommand::Forget(forget) => forget.run(terminal, local).await,
            MemoryCommand::EndSession(end) => end.run(terminal, local).await,
            MemoryCommand::Redact(redact) => redact.run(terminal, local).await,
            MemoryCommand::Redactions(list) => list.run(terminal, local).await,
            MemoryCommand::Why(why) => why.run(terminal, local).await,
            MemoryCommand::Count(count) => count.run(terminal, local).await,
            MemoryCommand::Evidence(evidence) => evidence.run(terminal, local).await,
            MemoryCommand::Outcome(outcome) => outcome.run(terminal, local).await,
            MemoryCommand::ListProfiles(list) => list.run(terminal, local).await,
            MemoryCommand::ListEntries(list) => list.run(terminal, local).await,
            MemoryCommand::WriteEntry(write) => write.run(terminal, local).await,
            MemoryCommand::Summarize(summarize) => summarize.run(terminal, local).await,
        }
    }
}

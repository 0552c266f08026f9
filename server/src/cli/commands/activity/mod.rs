//! The activity of a workspace: one file per verb.

mod append;
mod list;
mod redact;
mod search;

pub(crate) use search::SearchActivity;

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::cli::forms::{self, TimeArg};
use crate::cli::local::Local;
use crate::cli::terminal::Terminal;

/// Append to the activity of a workspace, list it, search it and redact it
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
    Redact(redact::Redact),
    Search(SearchActivity),
}

/// The server's maximum page size.
const PAGE: usize = 200;

#[derive(Args, Clone, Copy, Debug)]
struct Period {
    /// Since: 2h (ago), 2026-11-20 or 2026-11-20T08:00:00Z
    #[arg(long, value_name = "MOMENT", value_parser = forms::moment)]
    since: Option<TimeArg>,
    /// Before
    #[arg(long, value_name = "MOMENT", value_parser = forms::moment)]
    until: Option<TimeArg>,
}

impl Period {
    fn since(self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.since.map(|moment| moment.at(now))
    }

    fn until(self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.until.map(|moment| moment.at(now))
    }
}

impl Activity {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            ActivityCommand::Append(append) => append.run(terminal, local).await,
            ActivityCommand::List(list) => list.run(terminal, local).await,
            ActivityCommand::Redact(redact) => redact.run(terminal, local).await,
            ActivityCommand::Search(search) => search.run(terminal, local).await,
        }
    }
}

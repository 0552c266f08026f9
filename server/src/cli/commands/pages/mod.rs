//! The pages of a workspace: one file per verb.

mod compact;
mod list;
mod show;

use clap::{Args, Subcommand};
use orgmem_types::Page;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::print::{Paint, block, line};
use crate::cli::terminal::Terminal;

/// List the pages of a workspace, show their episodes, explain and compact them
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Pages {
    #[command(subcommand)]
    verb: PagesCommand,
}

#[derive(Subcommand, Debug)]
enum PagesCommand {
    List(list::List),
    Show(show::Show),
    Sources(show::Sources),
    Why(show::Why),
    Compact(compact::Compact),
}

impl Pages {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            PagesCommand::List(list) => list.run(terminal, local).await,
            PagesCommand::Show(show) => show.run(terminal, local).await,
            PagesCommand::Sources(sources) => sources.run(terminal, local).await,
            PagesCommand::Why(why) => why.run(terminal, local).await,
            PagesCommand::Compact(compact) => compact.run(terminal, local).await,
        }
    }
}

/// One page: id, tier, confidence, subject, then its text.
fn render(page: &Page, paint: Paint) -> String {
    let tier = format!("{:?}", page.tier).to_lowercase();
    let mut head = vec![page.id.to_string(), paint.strong(&tier), format!("confidence {}", page.confidence)];
    head.extend(page.subject.as_deref().map(|subject| format!("about {}", line(subject))));
    head.extend(page.outcome.as_deref().map(line));
    format!("{}\n{}", head.join("  "), block(&page.content, 2))
}

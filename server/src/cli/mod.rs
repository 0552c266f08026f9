//! The command line: starts a server, or acts as a client of a running one.
//!
//! Source: `docs/spec/cli.md`.

mod args;
mod commands;
mod environment;
mod error;
mod filters;
mod forms;
mod input;
mod local;
mod naming;
mod output_format;
mod paging;
mod print;
mod program;
mod progress;
mod remote;
#[cfg(test)]
mod samples;
mod skill_folder;
mod terminal;
mod words;

use std::process::ExitCode;

use args::{Cli, Command};
use error::{CliError, exit};
use print::line;
use terminal::Terminal;

/// Runs the command line of this process.
///
/// # Returns
/// The exit code: 0 done, 1 refused or not found, 2 a mistake in the command line or the settings, 3 no server
/// responds, 4 the server failed.
#[must_use]
pub fn main() -> ExitCode {
    let cli = args::parse();
    let terminal = Terminal::of_process();
    match run(cli, &terminal) {
        Ok(()) => ExitCode::from(exit::OK),
        Err(CliError::Closed) => ExitCode::from(exit::OK),
        Err(error) => {
            terminal.note(&format!("error: {}", line(&error.to_string())));
            if let Some(advice) = error.advice() {
                terminal.note(&advice);
            }
            ExitCode::from(error.code())
        }
    }
}

fn run(cli: Cli, terminal: &Terminal) -> Result<(), CliError> {
    let Some(command) = cli.command else {
        return terminal.print(&args::command().render_help().to_string());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| CliError::Io { action: "start".to_owned(), error })?;
    let local = &cli.local;
    let outcome = runtime.block_on(async {
        match command {
            Command::Serve(serve) => serve.run(local).await,
            Command::Demo(demo) => demo.run(terminal, local).await,
            Command::Tree(tree) => tree.run(terminal, local).await,
            Command::Workspace(workspace) => workspace.run(terminal, local).await,
            Command::Token(token) => token.run(terminal, local).await,
            Command::Me(me) => me.run(terminal, local).await,
            Command::Stats(stats) => stats.run(terminal, local).await,
            Command::Provider(provider) => provider.run(terminal, local).await,
            Command::Events(events) => events.run(terminal, local).await,
            Command::Audit(audit) => audit.run(terminal, local).await,
            Command::Commit(commit) => commit.run(terminal, local).await,
            Command::Search(search) => search.run(terminal, local).await,
            Command::Context(context) => context.run(terminal, local).await,
            Command::Activity(activity) => activity.run(terminal, local).await,
            Command::Reviews(reviews) => reviews.run(terminal, local).await,
            Command::Grants(grants) => grants.run(terminal, local).await,
            Command::Docs(docs) => docs.run(terminal, local).await,
            Command::Rows(rows) => rows.run(terminal, local).await,
            Command::Processor(processor) => processor.run(terminal, local).await,
            Command::Patterns(patterns) => patterns.run(terminal, local).await,
            Command::Records(records) => records.run(terminal, local).await,
            Command::Pages(pages) => pages.run(terminal, local).await,
            Command::Skills(skills) => skills.run(terminal, local).await,
            Command::SessionSearch(search) => search.run(terminal, local).await,
            Command::Profile(profile) => profile.run(terminal, local).await,
            Command::Org(org) => org.run(terminal, local).await,
            Command::Kv(kv) => kv.run(terminal, local).await,
            Command::Memory(memory) => memory.run(terminal, local).await,
            Command::Run(run) => run.run(terminal, local).await,
            Command::Erase(erase) => erase.run(terminal, local).await,
            Command::Scrub(scrub) => scrub.run(terminal, local).await,
            Command::Mcp(mcp) => mcp.run(local).await,
            Command::Connect(connect) => connect.run(terminal, local).await,
            Command::Doctor(doctor) => doctor.run(terminal, local).await,
            Command::Health(health) => health.run(terminal, local).await,
            Command::Export(export) => export.run(terminal, local),
            Command::Import(import) => import.run(terminal, local).await,
            Command::Migrate(migrate) => migrate.run(terminal),
            Command::Backup(backup) => backup.run(terminal, local),
            Command::Restore(restore) => restore.run(terminal, local).await,
            Command::Shard(shard) => shard.run(terminal, local),
            Command::Removals(removals) => removals.run(terminal, local).await,
            Command::Config(config) => config.run(terminal, local),
            Command::Completions(completions) => completions.run(terminal),
            Command::Man(man) => man.run(terminal),
        }
    });
    // do not wait for tasks whose results are no longer needed
    runtime.shutdown_background();
    outcome
}

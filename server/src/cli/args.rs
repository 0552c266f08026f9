//! The command line as a whole.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::commands::activity::{Activity, SearchActivity};
use super::commands::audit::Audit;
use super::commands::backup::Backup;
use super::commands::commit::Commit;
use super::commands::completions::Completions;
use super::commands::config::Config;
use super::commands::connect::Connect;
use super::commands::context::Context;
use super::commands::demo::Demo;
use super::commands::docs::Docs;
use super::commands::doctor::Doctor;
use super::commands::erase::Erase;
use super::commands::events::Events;
use super::commands::export::Export;
use super::commands::grants::Grants;
use super::commands::health::Health;
use super::commands::import::Import;
use super::commands::kv::Kv;
use super::commands::man::Man;
use super::commands::mcp::Mcp;
use super::commands::me::Me;
use super::commands::memory::Memory;
use super::commands::migrate::Migrate;
use super::commands::org::Org;
use super::commands::pages::Pages;
use super::commands::processor::{Patterns, Processor};
use super::commands::profile::ProfileArgs;
use super::commands::provider::Provider;
use super::commands::records::Records;
use super::commands::removals::Removals;
use super::commands::restore::Restore;
use super::commands::reviews::Reviews;
use super::commands::rows::Rows;
use super::commands::run::Run;
use super::commands::scrub::Scrub;
use super::commands::search::Search;
use super::commands::serve::Serve;
use super::commands::shard::Shard;
use super::commands::skills::Skills;
use super::commands::stats::Stats;
use super::commands::token::Token;
use super::commands::tree::Tree;
use super::commands::workspace::Workspace;
use super::local::Local;

/// Memory for organisations of AI agents
#[derive(Parser, Debug)]
#[command(name = "orgmem", version)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) local: Local,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Serve(Serve),
    Demo(Demo),
    Doctor(Doctor),
    Health(Health),
    Config(Config),
    Stats(Stats),
    Tree(Tree),
    Org(Org),
    Workspace(Workspace),
    Token(Token),
    Me(Me),
    Audit(Audit),
    Commit(Box<Commit>),
    #[command(visible_alias = "recall")]
    Search(Box<Search>),
    Context(Context),
    Activity(Activity),
    Events(Events),
    /// The same as `activity search`
    SessionSearch(SearchActivity),
    Kv(Kv),
    Memory(Memory),
    Pages(Pages),
    Skills(Box<Skills>),
    Docs(Docs),
    Records(Records),
    Rows(Rows),
    Processor(Processor),
    Patterns(Patterns),
    Reviews(Reviews),
    Grants(Grants),
    Profile(Box<ProfileArgs>),
    Provider(Provider),
    Run(Box<Run>),
    Erase(Erase),
    Scrub(Scrub),
    Export(Export),
    Import(Import),
    Migrate(Migrate),
    Backup(Backup),
    Restore(Restore),
    Removals(Removals),
    Shard(Shard),
    Mcp(Mcp),
    Connect(Connect),
    Completions(Completions),
    Man(Man),
}

/// The commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Run a server", &["serve", "demo", "doctor", "health", "config", "stats", "provider"]),
    ("Organisations", &["org", "tree", "workspace", "token", "me", "audit"]),
    (
        "Memories",
        &[
            "commit",
            "search",
            "context",
            "kv",
            "memory",
            "profile",
            "run",
            "activity",
            "pages",
            "skills",
            "docs",
            "records",
            "rows",
            "processor",
            "patterns",
            "reviews",
            "grants",
            "session-search",
            "events",
            "erase",
            "scrub",
        ],
    ),
    ("Move and keep data", &["backup", "restore", "removals", "export", "import", "migrate", "shard"]),
    ("Connect and install", &["connect", "mcp", "completions", "man"]),
];

/// The command line, with its commands listed in groups.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let mut listed = String::new();
    for (heading, names) in GROUPS {
        listed.push_str(&format!("{heading}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            listed.push_str(&format!("  {name:<14} {}\n", about.map(ToString::to_string).unwrap_or_default()));
        }
        listed.push('\n');
    }
    let template =
        format!("{{about}}\n\n{{usage-heading}} orgmem <command> [options]\n\n{}{{after-help}}", listed.trim_end());
    let more = "`orgmem <command> --help` lists the options of a command. Commands call the server at ORGMEM_URL with the\n\
        token in ORGMEM_TOKEN; by default the server of this machine, as its admin.";
    command.help_template(template).after_help(more)
}

/// Parses the arguments of this process. Exits after a mistake or a request for help.
pub(crate) fn parse() -> Cli {
    let matches = command().get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

#[cfg(test)]
mod tests;

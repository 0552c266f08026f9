//! The command line as a whole.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::commands::activity::{Activity, SearchActivity};
use super::commands::audit::Audit;
use super::commands::commit::Commit;
use super::commands::completions::Completions;
use super::commands::config::Config;
use super::commands::connect::Connect;
use super::commands::context::Context;
use super::commands::demo::Demo;
use super::commands::doctor::Doctor;
use super::commands::erase::Erase;
use super::commands::events::Events;
use super::commands::export::Export;
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
use super::commands::profile::ProfileArgs;
use super::commands::run::Run;
use super::commands::search::Search;
use super::commands::serve::Serve;
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
    Profile(Box<ProfileArgs>),
    Run(Box<Run>),
    Erase(Erase),
    Export(Export),
    Import(Import),
    Migrate(Migrate),
    Mcp(Mcp),
    Connect(Connect),
    Completions(Completions),
    Man(Man),
}

/// The commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Run a server", &["serve", "demo", "doctor", "health", "config", "stats"]),
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
            "session-search",
            "events",
            "erase",
        ],
    ),
    ("Move and keep data", &["export", "import", "migrate"]),
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
mod tests {
    use super::*;

    #[test]
    fn clap_accepts_the_definition() {
        command().debug_assert();
    }

    #[test]
    fn every_command_is_listed_once() {
        let mut listed: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<_> = Cli::command().get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn cli_page_lists_every_command() {
        let page = include_str!("../../../docs/spec/cli.md");
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            assert!(page.contains(&format!("`{name}")), "docs/spec/cli.md does not list `{name}`");
            for verb in command.get_subcommands() {
                let verb = verb.get_name();
                let spellings = [format!("`{name} {verb}"), format!(" `{verb}`")];
                assert!(
                    spellings.iter().any(|spelling| page.contains(spelling)),
                    "docs/spec/cli.md does not list `{name} {verb}`"
                );
            }
        }
    }

    #[test]
    fn access_log_page_lists_every_action() {
        let page = include_str!("../../../docs/spec/access-log.md");
        for action in orgmem_policies::audit::AuditAction::ALL {
            assert!(
                page.contains(&format!("`{}`", action.as_str())),
                "docs/spec/access-log.md does not list {action:?}"
            );
        }
    }

    #[track_caller]
    fn refused(line: &str, message: &str) {
        let error = command().try_get_matches_from(line.split(' ')).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}");
        assert!(error.to_string().contains(message), "{line}: {error}");
    }

    #[test]
    fn invalid_arguments_are_refused_with_the_accepted_values() {
        refused("orgmem commit x --scope world", "[possible values: LOCAL, TEAM, GLOBAL]");
        refused("orgmem token issue bot --role boss", "[possible values: agent, viewer, operator, admin]");
        refused("orgmem commit x --ttl soon", "looks like `90s`");
        refused("orgmem search x --since yesterday", "looks like `2h`");
        refused("orgmem serch x", "search");
        refused("orgmem commit x --metadata [1]", "not a JSON object");
        refused("orgmem commit x --source processor", "possible values");
        refused("orgmem tree --depth 51", "51");
    }

    #[test]
    fn recall_means_search() {
        let cli = Cli::try_parse_from(["orgmem", "recall", "rate limit"]).expect("a command");
        assert!(matches!(cli.command, Some(Command::Search(_))), "{:?}", cli.command);
    }

    #[test]
    fn lines_of_profile_memory_are_understood_as_typed() {
        let id = "0199a7c2-5b1e-7c44-9d0a-3f6f8a2b1c77";
        for line in [
            format!("memory list-profiles --agent {id}"),
            format!("memory list-entries --profile {id} --scope conversation --limit 50 --json"),
            format!("memory write-entry --profile {id} --scope project --source manual --content x --confidence 0.8"),
            format!("memory redact {id} --reason pii"),
            format!("memory summarize --profile {id}"),
        ] {
            let read = command().try_get_matches_from(std::iter::once("orgmem").chain(line.split(' ')));
            assert!(read.is_ok(), "{line}: {}", read.expect_err("a fault"));
        }
        refused("orgmem memory write-entry a --content b", "cannot be used with");
        refused("orgmem memory write-entry", "required");
        refused(&format!("orgmem memory summarize {id} --profile {id}"), "cannot be used with");
    }

    #[test]
    fn scopes_are_read_in_either_case() {
        for scope in ["team", "TEAM", "Team"] {
            let line = ["orgmem", "commit", "x", "--scope", scope];
            let cli = Cli::try_parse_from(line).expect("a scope");
            let Some(Command::Commit(commit)) = cli.command else { panic!("not a commit") };
            assert!(format!("{commit:?}").contains("scope: Team"), "{commit:?}");
        }
    }
}

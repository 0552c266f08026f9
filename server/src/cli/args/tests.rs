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
    let page = include_str!("../../../../docs/spec/cli.md");
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
    let page = include_str!("../../../../docs/spec/access-log.md");
    for action in orgmem_policies::audit::AuditAction::ALL {
        assert!(page.contains(&format!("`{}`", action.as_str())), "docs/spec/access-log.md does not list {action:?}");
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

//! The registry lists every entry point and no other, and its snapshot is reviewed.

use std::collections::BTreeSet;

use orgmem_tests::entry_points::{COMMANDS, ROUTES, TOOLS, page};
use orgmem_tests::{On, TestApp, assert_reviewed, program, run};

#[test]
fn registry_lists_exactly_the_routes() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        let served: BTreeSet<_> = app.contract().operations().map(|route| (route.address, route.method)).collect();
        let listed: BTreeSet<_> =
            ROUTES.iter().filter(|route| route.operation != "-").map(|route| (route.address, route.method)).collect();
        assert_eq!(served, listed);
        for route in ROUTES.iter().filter(|route| route.operation != "-") {
            let operation = app
                .contract()
                .operations()
                .find(|operation| (operation.address, operation.method) == (route.address, route.method));
            let operation = operation.expect("it is served").spec["operationId"].as_str();
            assert_eq!(operation, Some(route.operation), "{} {}", route.method, route.address);
        }
    });
}

/// Routes and their description come from one list, so an undocumented method must not exist.
#[test]
fn address_accepts_only_its_listed_methods() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        let id = uuid::Uuid::from_u128(1).to_string();
        for address in ROUTES.iter().map(|route| route.address).collect::<BTreeSet<_>>() {
            let path = ["{id}", "{other}", "{did}", "{mid}", "{rid}", "{pid}", "{eid}", "{tid}", "{jti}"]
                .iter()
                .fold(address.to_owned(), |path, name| path.replace(name, &id));
            let path = path.replace("{key}", "state").replace("{file}", "index.html");
            let listed: BTreeSet<_> =
                ROUTES.iter().filter(|route| route.address == address).map(|route| route.method).collect();
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
                if !listed.contains(method) {
                    app.admin().request(method, &path).send_unchecked().await.refused(405, "method_not_allowed");
                }
            }
        }
    });
}

#[test]
fn registry_matches_snapshot() {
    assert_reviewed("entry_points.txt", &page());
}

#[test]
fn registry_lists_exactly_the_commands() {
    let served: BTreeSet<_> = commands(&[]).into_iter().collect();
    let listed: BTreeSet<_> = COMMANDS.iter().map(|command| command.name.to_owned()).collect();
    assert_eq!(served, listed);
}

/// Routes without a command, with the reason.
const WITHOUT_COMMAND: [(&str, &str); 28] = [
    ("redact_memory", "`memory redact` redacts one or many in one call"),
    ("list_metadata_values", "for stores that use memories; `search --json` has the metadata"),
    ("add_turn", "for platforms, as messages come; `activity append` stores one message"),
    ("read_turn", "the same; `search --json` has the memories with their turns"),
    ("touch_memories", "for caches; `memory edit` sets the end of one memory"),
    ("list_namespaces", "`workspace reach` lists what it reads, with the reasons"),
    ("commit_namespace_memory", "`commit` writes the same memories"),
    ("search_namespace", "`search` finds the same memories"),
    ("forget_namespace_memory", "`memory forget` deletes the same memories"),
    ("run_memory_tool", "for models; the commands of memories work on the same memories"),
    ("read_document", "`docs show` and `docs list` have the same fields"),
    ("put_record", "`records push` writes one or many in one call"),
    ("patch_record", "the same"),
    ("delete_record", "the same"),
    ("delete_row", "`rows withdraw` deletes one or many in one call"),
    ("export_memories", "for other platforms; `export` has everything"),
    ("read_demo", "`demo` has the same document compiled in"),
    ("check_health_older", "the same as `check_health`"),
    ("read_version", "`stats` and `--version` have it"),
    ("read_metrics", "for monitoring systems"),
    ("read_openapi", "for generators and browsers"),
    ("find_docs", "for browsers"),
    ("read_docs", "for browsers"),
    ("find_console", "for browsers"),
    ("find_console_folder", "for browsers"),
    ("read_console", "for browsers"),
    ("open_session", "for browsers"),
    ("close_session", "for browsers"),
];

#[test]
fn every_route_has_a_command_or_a_reason_for_none() {
    let routes: BTreeSet<_> = ROUTES.iter().map(|route| route.operation).collect();
    let called: BTreeSet<_> = COMMANDS.iter().flat_map(|command| command.routes.iter().copied()).collect();
    let excepted: BTreeSet<_> = WITHOUT_COMMAND.iter().map(|(route, _)| *route).collect();
    let missing: Vec<_> = routes.iter().filter(|route| !called.contains(*route)).copied().collect();
    assert_eq!(missing, excepted.into_iter().collect::<Vec<_>>());
}

#[test]
fn registry_references_existing_routes() {
    let routes: BTreeSet<_> = ROUTES.iter().map(|route| route.operation).collect();
    for route in
        TOOLS.iter().map(|tool| tool.route).chain(COMMANDS.iter().flat_map(|command| command.routes.iter().copied()))
    {
        assert!(routes.contains(route), "`{route}` is not a route");
    }
}

/// The commands below these words, from the program's help, recursively.
fn commands(words: &[&str]) -> Vec<String> {
    let help = std::process::Command::new(program()).args(words).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(help.stdout).expect("help is text");
    let below: Vec<&str> = listed(&help, words.is_empty());
    if below.is_empty() {
        return vec![words.join(" ")];
    }
    below.iter().flat_map(|command| commands(&[words, &[*command]].concat())).collect()
}

/// The first words of the indented lines below headings of command lists.
fn listed(help: &str, is_top: bool) -> Vec<&str> {
    let mut is_listing = false;
    let mut found = Vec::new();
    for line in help.lines() {
        let is_heading = !line.starts_with(' ') && line.ends_with(':');
        if is_heading {
            is_listing = if is_top { line != "Options:" && line != "Arguments:" } else { line == "Commands:" };
        } else if is_listing && line.starts_with("  ") && !line.starts_with("   ") {
            found.extend(line.split_whitespace().next().filter(|word| *word != "help"));
        }
    }
    found
}

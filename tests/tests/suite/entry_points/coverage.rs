//! No door without a row, no row without a door; and the page that people review.

use std::collections::BTreeSet;

use orgmem_tests::entry_points::{COMMANDS, ROUTES, TOOLS, page};
use orgmem_tests::{On, TestApp, assert_reviewed, program, run};

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        let served: BTreeSet<_> = app.contract().operations().map(|route| (route.address, route.method)).collect();
        let listed: BTreeSet<_> =
            ROUTES.iter().filter(|door| door.operation != "-").map(|door| (door.address, door.method)).collect();
        assert_eq!(served, listed);
        for door in ROUTES.iter().filter(|door| door.operation != "-") {
            let said =
                app.contract().operations().find(|said| (said.address, said.method) == (door.address, door.method));
            let said = said.expect("it is served").spec["operationId"].as_str();
            assert_eq!(said, Some(door.operation), "{} {}", door.method, door.address);
        }
    });
}

/// What is described is served from one list, so a method that is not described must not be there.
#[test]
fn an_address_takes_the_methods_it_is_listed_with_and_no_other() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        let id = uuid::Uuid::from_u128(1).to_string();
        for address in ROUTES.iter().map(|door| door.address).collect::<BTreeSet<_>>() {
            let path = ["{id}", "{other}", "{mid}", "{rid}", "{pid}", "{jti}"]
                .iter()
                .fold(address.to_owned(), |path, name| path.replace(name, &id));
            let path = path.replace("{key}", "state").replace("{file}", "index.html");
            let listed: BTreeSet<_> =
                ROUTES.iter().filter(|door| door.address == address).map(|door| door.method).collect();
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
                if !listed.contains(method) {
                    app.admin().request(method, &path).send_unchecked().await.refused(405, "method_not_allowed");
                }
            }
        }
    });
}

#[test]
fn the_registry_of_doors_is_the_reviewed_one() {
    assert_reviewed("entry_points.txt", &page());
}

#[test]
fn every_verb_has_a_row_and_every_row_a_verb() {
    let served: BTreeSet<_> = verbs(&[]).into_iter().collect();
    let listed: BTreeSet<_> = COMMANDS.iter().map(|verb| verb.name.to_owned()).collect();
    assert_eq!(served, listed);
}

#[test]
fn what_a_row_names_there_is() {
    let routes: BTreeSet<_> = ROUTES.iter().map(|door| door.operation).collect();
    for route in TOOLS.iter().map(|tool| tool.route).chain(COMMANDS.iter().flat_map(|verb| verb.routes.iter().copied()))
    {
        assert!(routes.contains(route), "`{route}` is no route");
    }
}

/// The verbs below these words, as the program's help lists them, to the end of every branch.
fn verbs(words: &[&str]) -> Vec<String> {
    let help = std::process::Command::new(program()).args(words).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(help.stdout).expect("help is text");
    let below: Vec<&str> = listed(&help, words.is_empty());
    if below.is_empty() {
        return vec![words.join(" ")];
    }
    below.iter().flat_map(|verb| verbs(&[words, &[*verb]].concat())).collect()
}

/// The first words of the indented lines below the headings that list commands.
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

//! The compiled-in rule file, and refused rule files.

use orgmem_policies::scrub::Scrubber;

#[test]
fn rules_satisfy_their_examples() {
    if let Err(error) = Scrubber::from_rules(include_str!("../../rules/secrets.toml")) {
        panic!("{error}");
    }
}

/// A rule file with one rule; `fields` follow the first two.
fn file(fields: &str) -> String {
    format!(
        "[stand_ins]\nsigns = []\nconstants = []\nasking = []\n[[rule]]\nid = \"pet\"\nkind = \"PET_NAME\"\n{fields}"
    )
}

fn check(fields: &str, expected: &str) {
    match Scrubber::from_rules(&file(fields)) {
        Ok(_) => panic!("no error for {fields}"),
        Err(error) => assert!(error.to_string().contains(expected), "{error}\n  lacks {expected}"),
    }
}

#[test]
fn other_rule_file_applies_its_own_rules() {
    let rules =
        file("keywords = ['pet:']\npattern = 'pet:(?P<secret>[a-z]+)'\nmatches = ['pet:«rex»']\nignores = ['pet']");
    let scrubber = Scrubber::from_rules(&rules).expect("a rule file");
    let (text, redactions) = scrubber.scrub("pet:rex, pet:tom, password=hunter2");
    assert_eq!(text.as_str(), "pet:[REDACTED:PET_NAME], pet:[REDACTED:PET_NAME], password=hunter2");
    assert_eq!(redactions.len(), 1);
    assert_eq!(redactions[0].count, 2);
}

#[test]
fn invalid_rule_file_is_refused_with_rule_and_reason() {
    let examples = "matches = ['pet']\nignores = ['']";
    check("keywords = [", "the rule file cannot be read");
    check(&format!("colour = 'red'\npattern = 'pet'\n{examples}"), "unknown field `colour`");
    check(
        &format!("pattern = 'pet'\n{examples}"),
        "rule `pet`: a rule has `keywords`, or `at = \"anywhere\"` and none",
    );
    check(&format!("keywords = ['p']\npattern = 'pet'\n{examples}"), "each of `keywords` must be 2 bytes or longer");
    check(&format!("keywords = ['pet']\nnames = 'pet'\npattern = 'pet'\n{examples}"), "`names` and `at = \"name\"`");
    check(&format!("keywords = ['pet']\npattern = 'pet('\n{examples}"), "rule `pet`: regex parse error");
    check(&format!("keywords = ['pet']\npattern = '(pet)?'\n{examples}"), "`pattern` must not match the empty text");
    check(
        "keywords = ['pet']\npattern = 'pet'\nmatches = ['pet']\nignores = []",
        "`matches` and `ignores` need an example each",
    );
}

#[test]
fn every_example_that_fails_is_covered() {
    let fields = "keywords = ['pet']\npattern = 'pet'\nmatches = ['«cat»', '«pet»']\nignores = ['petrol']";
    check(fields, "rule `pet`: example 1 gives `cat`, not `[REDACTED:PET_NAME]`");
    check(fields, "rule `pet`: example 3 gives `[REDACTED:PET_NAME]rol`, not `petrol`");
}

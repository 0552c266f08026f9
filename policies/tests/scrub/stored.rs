//! Rules of a deployment, and stored text under changed rules.

use orgmem_policies::scrub::Scrubber;
use serde_json::json;

const ADDED: &str = r#"
[parts]
ticket = "[0-9]{6}"

[[rule]]
id = "badge"
kind = "STAFF_BADGE"
keywords = ["BDG-"]
pattern = "BDG-{ticket}-[A-Z]{4}"
matches = ["the badge «BDG-123456-QWER¦» opens the gate"]
ignores = ["BDG-12 is a part number"]
"#;

fn added() -> Scrubber {
    Scrubber::with_rules(ADDED).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn added_rules_extend_the_built_in_ones() {
    let text = "BDG-123456-QWER and password: correct-horse-7";
    assert_eq!(added().scrub(text).0.as_str(), "[REDACTED:STAFF_BADGE] and password: [REDACTED:PASSWORD]");
    let (built_in, redactions) = Scrubber::built_in().scrub("BDG-123456-QWER");
    assert_eq!((built_in.as_str(), redactions.len()), ("BDG-123456-QWER", 0));
    assert!(Scrubber::with_rules("").is_ok(), "a file without rules adds none");
}

#[test]
fn faulty_added_rules_are_refused_with_their_name() {
    let check = |file: &str, expected: &str| {
        let error = Scrubber::with_rules(file).err().expect("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("[[rule]]\nid = 1", "the rule file cannot be read");
    check("[stand_ins]\nx = []", "unknown field `stand_ins`");
    check(&ADDED.replace("QWER¦", "qwer¦"), "rule `badge`: example 1 gives");
    check(&ADDED.replace("[A-Z]{4}", "([A-Z]"), "rule `badge`: ");
    check(&ADDED.replace("STAFF_BADGE", "badge"), "rule `badge`: `kind` must be");
    check(
        &format!("{ADDED}{}", ADDED.split_once("\n\n").expect("rules").1),
        "rule `badge`: another rule has this `id`",
    );
}

#[test]
fn stored_text_changes_only_where_a_rule_matches() {
    let scrubber = added();
    assert_eq!(scrubber.rescrub("nothing here, not even BDG-12"), None);
    let changed = scrubber.rescrub("BDG-123456-QWER twice: BDG-654321-ASDF").expect("changed");
    assert_eq!(changed.text, "[REDACTED:STAFF_BADGE] twice: [REDACTED:STAFF_BADGE]");
    assert_eq!(changed.redactions[0].count, 2);
    assert_eq!(scrubber.rescrub(&changed.text), None, "a second pass changes nothing");
}

#[test]
fn stored_json_changes_in_values_and_keys() {
    let scrubber = added();
    let stored = json!({"BDG-123456-QWER": 1, "BDG-654321-ASDF": {"badge": ["BDG-123456-QWER"]}, "n": 1.5}).to_string();
    let changed = scrubber.rescrub_json(None, &stored).expect("changed");
    let value: serde_json::Value = serde_json::from_str(&changed.text).expect("JSON");
    let marker = "[REDACTED:STAFF_BADGE]";
    assert_eq!(value, json!({marker: 1, format!("{marker} 2"): {"badge": [marker]}, "n": 1.5}));
    assert_eq!(changed.redactions[0].count, 3);
    assert_eq!(scrubber.rescrub_json(None, &changed.text), None);
    assert_eq!(
        scrubber.rescrub_json(None, "not JSON BDG-123456-QWER").expect("changed").text,
        format!("not JSON {marker}")
    );
    assert_eq!(scrubber.rescrub_json(Some("note"), "\"plain\""), None);
}

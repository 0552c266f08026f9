//! Definitions, valid and not; how rows become groups; when a processor runs.

use orgmem_distil::{BUG_IMPORT, Definition, Processor, Row, built_in};
use serde_json::{Value, json};

/// A small valid definition.
fn valid() -> Value {
    json!({
        "name": "bugs", "collection": "issues", "template": "{part}: {kind} × {count}",
        "dimensions": [
            {"name": "part", "columns": ["part", "fields.part"]},
            {"name": "kind", "columns": ["labels", "title"], "match": "words", "values": {"crash": ["panic"], "hang": []}},
        ],
        "severity": {"columns": ["severity"], "values": {"High": 0.75}, "default": 0.5},
    })
}

fn processor(definition: &Value) -> Processor {
    Processor::from_json(&definition.to_string()).expect("the definition is valid")
}

#[test]
fn shipped_definitions_are_valid_and_equal_what_they_were_read_from() {
    assert_eq!(built_in().expect("the built-in definitions are valid").len(), 1);
    let incidents = include_str!("../../../docs/processors/incidents.json");
    let comments = include_str!("../../../docs/processors/review-comments.json");
    for text in [BUG_IMPORT, incidents, comments] {
        let processor = Processor::from_json(text).unwrap_or_else(|error| panic!("{error}"));
        let written = serde_json::to_value(processor.definition()).expect("a definition is JSON");
        let again: Definition = serde_json::from_value(written).expect("a written definition can be read");
        assert_eq!(again, *processor.definition());
    }
}

#[test]
fn invalid_definition_is_refused_with_field_value_and_remedy() {
    // pointer to the member, its value, words of the message
    let cases: &[(&str, Value, &[&str])] = &[
        ("/name", json!("Bugs!"), &["`name` is `Bugs!`", "a-z"]),
        ("/collection", json!(""), &["`collection` is ``"]),
        ("/kind", json!("Bug pattern"), &["`kind`", "lower-case word"]),
        ("/schema", json!(1), &["unknown field `schema`", "min_rows"]),
        ("/scope", json!("EVERYWHERE"), &["EVERYWHERE", "LOCAL"]),
        ("/dimensions", json!([{"name": "part", "columns": ["part"]}]), &["`dimensions` has 1 entries", "2 to 4"]),
        ("/dimensions/1/name", json!("part"), &["`dimensions` contains `part` twice"]),
        ("/dimensions/1/name", json!("count"), &["`dimensions.name` is `count`"]),
        ("/dimensions/0/columns", json!([]), &["`dimensions.part.columns` has 0 entries", "1 to 20"]),
        ("/dimensions/1/values", json!({}), &["`dimensions.kind.values` has 0 entries"]),
        ("/dimensions/1/values/hang", json!(["Panic"]), &["`dimensions.kind.values` contains `panic` twice"]),
        ("/dimensions/1/match", json!("regex"), &["unknown variant `regex`", "words"]),
        ("/template", json!("{part} {kind} {size}"), &["unknown name `{size}`", "`{last_seen}`", "`{part}`"]),
        ("/template", json!("{part}"), &["does not contain the dimension `{kind}`"]),
        ("/template", json!("{part} {kind"), &["`{kind` without `}`"]),
        ("/template", json!("{part} {kind}}"), &["`}` without `{`"]),
        ("/min_rows", json!(1), &["`min_rows` is 1", "from 2 to"]),
        ("/max_sources", json!(0), &["`max_sources` is 0", "from 1 to 200"]),
        ("/max_fact_length", json!(5), &["`max_fact_length` is 5"]),
        ("/max_facts_per_run", json!(0), &["`max_facts_per_run` is 0"]),
        ("/confidence", json!({"baseline": 1.5}), &["`confidence.baseline` is 1.5", "from 0 to 1"]),
        ("/severity/values/High", json!(7), &["`severity.values.High` is 7"]),
        ("/schedule", json!("every hour"), &["`schedule` is `every hour`", "2 fields"]),
        ("/schedule", json!("0 0 30 2 *"), &["no time matches it"]),
        ("/schedule", json!("61 * * * *"), &["`schedule` is `61 * * * *`", "five fields"]),
        ("/schedule", json!("* * * * * *"), &["6 fields"]),
    ];
    processor(&valid());
    for (pointer, value, words) in cases {
        let mut definition = valid();
        match definition.pointer_mut(pointer) {
            Some(member) => *member = value.clone(),
            None => drop(definition.as_object_mut().expect("an object").insert(pointer[1..].to_owned(), value.clone())),
        }
        let refused = Processor::from_json(&definition.to_string()).map(|_| ());
        let message = refused.expect_err(&format!("{pointer}: {value} is refused")).to_string();
        for word in *words {
            assert!(message.contains(word), "{pointer}: {value}: `{message}` names {word}");
        }
    }
}

#[test]
fn row_is_assigned_by_the_first_usable_column() {
    let processor = processor(&valid());
    let group = |values: Value| {
        let values = values.as_object().expect("a row is an object").clone();
        let assignment = processor.assign(&Row { key: "1".to_owned(), time: None, values })?;
        Some((assignment.group.values().join("/"), assignment.severity))
    };
    let found = |text: &str, severity: u64| Some((text.to_owned(), severity));
    // names and values without case, `_` and white space; severity by spelling, by number, by default
    assert_eq!(
        group(json!({"PART": "Web  UI", "Title": "Panic!", "Severity": "HIGH"})),
        found("web ui/crash", 750_000)
    );
    assert_eq!(group(json!({"part": "ui", "title": "it hang", "severity": 0.25})), found("ui/hang", 250_000));
    assert_eq!(group(json!({"part": "ui", "title": "crash", "severity": 7})), found("ui/crash", 500_000));
    // lists, objects with a name, dots into objects; a label without a spelling is passed over
    let nested = json!({"fields": {"part": {"name": "db"}}, "labels": ["p1", {"name": "hang"}], "title": "panic"});
    assert_eq!(group(nested), found("db/hang", 500_000));
    // words are whole
    assert_eq!(group(json!({"part": "ui", "title": "crashing panics"})), None);
    assert_eq!(group(json!({"part": " ", "title": "panic"})), None, "an empty value is not usable");
    assert_eq!(group(json!({"title": "panic"})), None);
}

#[test]
fn missed_times_of_a_schedule_are_made_up_once() {
    const HOUR: i64 = 3_600_000_000;
    let processor = processor(&valid());
    let schedule = processor.schedule();
    // every six hours in UTC; instants count from midnight
    assert_eq!(schedule.next_after(0), Some(6 * HOUR));
    assert_eq!(schedule.next_after(6 * HOUR - 1), Some(6 * HOUR));
    assert!(!schedule.is_due(0, 6 * HOUR - 1));
    assert!(schedule.is_due(0, 6 * HOUR));
    // four times were missed; one run makes them up
    let late = 25 * HOUR;
    assert!(schedule.is_due(0, late));
    assert!(!schedule.is_due(late, late + HOUR));
    assert_eq!(schedule.next_after(late), Some(30 * HOUR));
}

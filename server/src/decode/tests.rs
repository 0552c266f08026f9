use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use super::{json, query, yaml};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Size {
    Small,
    Large,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(dead_code)]
struct Thing {
    name: String,
    id: Option<Uuid>,
    at: Option<DateTime<Utc>>,
    limit: Option<u64>,
    share: Option<f64>,
    open: Option<bool>,
    size: Option<Size>,
    meta: Option<serde_json::Map<String, serde_json::Value>>,
    tags: Vec<String>,
    parts: Vec<Part>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Part {
    weight: i64,
    parts: Option<Vec<Part>>,
}

fn json_says(text: &str, expected: &str) {
    let fault = json::<Thing>(text.as_bytes(), 20).expect_err(text);
    assert_eq!(fault.to_string(), expected, "{text}");
}

fn query_says(text: &str, expected: &str) {
    let fault = query::<Thing>(text).expect_err(text);
    assert_eq!(fault.to_string(), expected, "{text}");
}

fn yaml_says(text: &str, expected: &str) {
    let fault = yaml::<Thing>(text.as_bytes(), 20).expect_err(text);
    assert_eq!(fault.to_string(), expected, "{text}");
}

#[test]
fn json_fault_names_field_and_accepted_values() {
    let fields = "known fields are `name`, `id`, `at`, `limit`, `share`, `open`, `size`, `meta`, `tags`, `parts`";
    json_says(r#"{"nam": 1}"#, &format!("unknown field `nam`; {fields}; did you mean `name`?"));
    json_says(
        r#"{"parts": [{"weight": 1}, {"weihgt": 1}]}"#,
        "unknown field `parts[1].weihgt`; known fields are `weight`, `parts`; did you mean `weight`?",
    );
    json_says(r#"{"parts": [{"parts": [{}], "weight": 2}]}"#, "`parts[0].parts[0].weight` is missing");
    json_says(r#"{"name": "a", "name": "b"}"#, "duplicate field `name`");
    json_says(r#"{"name": 5}"#, "`name` must be a string, not `5`");
    json_says(r#"{"name": null}"#, "`name` must be a string, not null");
    json_says(r#"{"limit": -1}"#, "`limit` must be a whole number from 0 up, not `-1`");
    json_says(r#"{"limit": "sk-very-secret"}"#, "`limit` must be a whole number from 0 up, not a string");
    json_says(r#"{"share": true}"#, "`share` must be a number, not a boolean");
    json_says(r#"{"open": "yes"}"#, "`open` must be `true` or `false`, not a string");
    json_says(r#"{"tags": "a"}"#, "`tags` must be an array, not a string");
    json_says(r#"{"tags": ["a", 2]}"#, "`tags[1]` must be a string, not `2`");
    json_says(r#"{"meta": []}"#, "`meta` must be an object, not an array");
    json_says(r#"{"parts": [[]]}"#, "`parts[0]` must be an object, not an array");
    json_says("[]", "the body must be an object, not an array");
    json_says(r#"{"size": "MEDIUM"}"#, "`size` must be one of `SMALL`, `LARGE`, not `MEDIUM`");
    json_says(r#"{"size": 1}"#, "`size` must be a string, not `1`");
    json_says(r#"{"id": "7"}"#, "`id` must be a UUID");
    json_says(r#"{"id": 7}"#, "`id` must be a UUID, not `7`");
    json_says(r#"{"at": "tomorrow"}"#, "`at` must be a time such as `2026-01-31T12:00:00Z`");
    json_says(r#"{"at": "2026-01-31"}"#, "`at` must be a time such as `2026-01-31T12:00:00Z`");
    json_says(r#"{"at": 1}"#, "`at` must be a time such as `2026-01-31T12:00:00Z`, not `1`");
    json_says(r#""name""#, "the body must be an object, not a string");
}

#[test]
fn null_counts_as_absent_optional_field() {
    let read = json::<Thing>(br#"{"size": null, "id": null}"#, 20).expect("null for what is optional");
    assert!(read.size.is_none() && read.id.is_none());
}

#[test]
fn invalid_json_is_refused_with_position() {
    json_says("", "the body is not JSON: EOF while parsing a value at line 1 column 0");
    json_says("{\"name\":", "the body is not JSON: EOF while parsing a value at line 1 column 8");
    json_says("{\"name\": 1e999}", "the body is not JSON: number out of range at line 1 column 14");
    json_says("{} {}", "the body is not JSON: trailing characters at line 1 column 4");
    let fault = json::<Thing>(b"{\"name\": \"\xff\"}", 20).expect_err("not UTF-8");
    assert_eq!(fault.to_string(), "the body must be UTF-8; byte 10 is not");
}

#[test]
fn too_deep_nesting_is_refused() {
    let nested =
        |levels: usize| format!("{{\"meta\": {{\"a\": {}{}}}}}", "[".repeat(levels - 2), "]".repeat(levels - 2));
    assert!(json::<Thing>(nested(20).as_bytes(), 20).is_ok());
    json_says(&nested(21), "the body nests deeper than 20 levels; reduce the nesting");
    json_says(&"[".repeat(1_000_000), "the body nests deeper than 20 levels; reduce the nesting");
    assert!(json::<Thing>(nested(127).as_bytes(), 127).is_ok());
    assert!(json::<Thing>(br#"{"name": "[[[[[[[[[[[[[[[[[[[[[[[[\"[[[["}"#, 20).is_ok());
}

#[test]
fn query_fault_names_parameter() {
    query_says(
        "nam=1",
        "unknown field `nam`; known fields are `name`, `id`, `at`, `limit`, `share`, `open`, `size`, `meta`, `tags`, `parts`; did you mean `name`?",
    );
    query_says("limit=many", "`limit` must be a whole number within range");
    query_says("limit=", "`limit` must be a whole number within range");
    query_says("limit=-1", "`limit` must be a whole number within range");
    query_says("limit=1&limit=2", "duplicate field `limit`");
    query_says("share=half", "`share` must be a number");
    query_says("open=1", "`open` must be `true` or `false`");
    query_says("id=7", "`id` must be a UUID");
    query_says("at=now", "`at` must be a time such as `2026-01-31T12:00:00Z`");
    query_says("size=medium", "`size` must be one of `SMALL`, `LARGE`, not `medium`");
    for text in ["name=%ff", "name=a%C3", "open=true&name=%e4b"] {
        query_says(text, "`name` in the address must be UTF-8, percent-encoded: `ä` is `%C3%A4`");
    }
    query_says("%ff=1", "`%ff` in the address must be UTF-8, percent-encoded: `ä` is `%C3%A4`");
    let long = format!("{}%ff=1", "n".repeat(200));
    let shown = format!("{}…", "n".repeat(100));
    query_says(&long, &format!("`{shown}` in the address must be UTF-8, percent-encoded: `ä` is `%C3%A4`"));
    let read = query::<Thing>("name=a%20b+c&limit=3&at=2026-01-31T12:00:00Z").expect("a good query");
    assert_eq!((read.name.as_str(), read.limit), ("a b c", Some(3)));
}

#[test]
fn yaml_fault_names_field() {
    yaml_says(
        "nam: 1",
        "unknown field `nam`; known fields are `name`, `id`, `at`, `limit`, `share`, `open`, `size`, `meta`, `tags`, `parts`; did you mean `name`?",
    );
    yaml_says("parts:\n  - weight: heavy\n", "`parts[0].weight` must be a whole number, not a string");
    yaml_says("name: [a]", "`name` must be a string");
    yaml_says("tags: a", "`tags` must be an array");
    yaml_says("meta: a", "`meta` must be an object");
    yaml_says("tags: [a", "the body is not YAML: unclosed bracket '[' at line 1, column 7");
    yaml_says("size: MEDIUM", "`size` must be one of `SMALL`, `LARGE`, not `MEDIUM`");
    yaml_says("id: 7", "`id` must be a UUID");
    yaml_says("- a", "the body must be an object");
    let several = yaml::<Thing>(b"name: a\n---\nname: b", 20).expect_err("two documents").to_string();
    assert!(several.starts_with("the body is not YAML: multiple YAML documents"), "{several}");
    yaml_says(&format!("meta: {{a: {}", "[".repeat(1000)), "the body nests deeper than 20 levels; reduce the nesting");
    let read = yaml::<Thing>(b"name: a\ntags: [x, y]\nparts:\n  - weight: 3\n", 20).expect("good YAML");
    assert_eq!((read.tags.len(), read.parts.len()), (2, 1));
}

#[test]
fn expanding_aliases_are_refused() {
    let mut bomb = String::from("meta:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        bomb.push_str(&format!("  a{level}: &a{level} [{}]\n", below.trim_end_matches(", ")));
    }
    let expected = "the body is not acceptable YAML: its aliases expand to more than is allowed; \
                    write out less, or send it in parts";
    yaml_says(&bomb, expected);
}

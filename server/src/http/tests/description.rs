use std::collections::BTreeSet;

use serde_json::Value;

use super::{Api, sent};

/// Every operation: its method, its path, what is said of it.
fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &'_ Value)| {
        let item: Vec<_> = item.as_object().into_iter().flatten().map(|(method, _)| method.clone()).collect();
        item.into_iter().map(|method| (method, path.clone())).collect::<Vec<_>>()
    };
    let all = paths.iter().flat_map(of_path);
    all.map(|(method, path)| (method.to_uppercase(), path.clone(), &document["paths"][&path][&method])).collect()
}

fn with_ids(path: &str) -> String {
    let id = "0190b5a0-0000-7000-8000-000000000001";
    let ids = ["{id}", "{other}", "{mid}", "{jti}"];
    ids.iter().fold(path.replace("{key}", "a").replace("{file}", ""), |path, name| path.replace(name, id))
}

#[tokio::test]
async fn every_operation_that_is_described_is_served_and_refuses_strangers_unless_it_says_otherwise() {
    let api = Api::start().await;
    let document = api.get("/openapi.json").await.json();
    let mut seen = 0;
    for (method, path, operation) in operations(&document) {
        let answer = sent(api.open(&method, &with_ids(&path))).await;
        let is_open = !operation["security"].is_null();
        assert_eq!(answer.status != 401, is_open, "{method} {path} answers {}", answer.status);
        let known = sent(api.request(&method, &with_ids(&path))).await;
        assert_ne!(known.status, 405, "{method} {path}");
        let statuses = [known.status.to_string(), format!("{}XX", known.status / 100)];
        assert!(
            statuses.iter().any(|status| !operation["responses"][status].is_null()),
            "{method} {path} answers {}, which is not described: {}",
            known.status,
            known.text
        );
        seen += 1;
    }
    assert!(seen >= 38, "{seen}");
}

#[tokio::test]
async fn every_reference_of_the_description_leads_somewhere() {
    let document = Api::start().await.get("/openapi.json").await.json();
    let mut waiting = vec![&document];
    while let Some(value) = waiting.pop() {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let pointer = reference.trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        match value {
            Value::Object(members) => waiting.extend(members.values()),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
}

#[tokio::test]
async fn operations_are_named_by_verb_and_resource_and_say_what_they_do() {
    let document = Api::start().await.get("/openapi.json").await.json();
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap_or_default();
        assert!(name.contains('_'), "{method} {path}: {name}");
        assert!(names.insert(name.to_owned()), "{name} is there twice");
        assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{name} says nothing");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{name}: {}", parameter["name"]);
        }
    }
}

#[tokio::test]
async fn the_page_on_errors_has_every_code_and_no_other() {
    let document = Api::start().await.get("/openapi.json").await.json();
    let codes = document["components"]["schemas"]["ProblemCode"]["enum"].as_array().expect("codes");
    let codes: BTreeSet<&str> = codes.iter().filter_map(Value::as_str).collect();
    let page = include_str!("../../../../docs/errors.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    assert_eq!(codes, rows.map(|(code, _)| code).collect());
}

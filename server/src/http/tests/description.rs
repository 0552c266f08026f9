use std::collections::BTreeSet;

use serde_json::Value;

use super::{Api, send};

/// Every operation: method, path, description.
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
async fn every_described_operation_is_served_and_checks_the_token() {
    let api = Api::start().await;
    let document = api.get("/openapi.json").await.json();
    let mut count = 0;
    for (method, path, operation) in operations(&document) {
        let anonymous = send(api.open(&method, &with_ids(&path))).await;
        let is_open = !operation["security"].is_null();
        assert_eq!(anonymous.status != 401, is_open, "{method} {path} returns {}", anonymous.status);
        let reply = send(api.request(&method, &with_ids(&path))).await;
        assert_ne!(reply.status, 405, "{method} {path}");
        let statuses = [reply.status.to_string(), format!("{}XX", reply.status / 100)];
        assert!(
            statuses.iter().any(|status| !operation["responses"][status].is_null()),
            "{method} {path} returns {}, which is not described: {}",
            reply.status,
            reply.text
        );
        count += 1;
    }
    assert!(count >= 38, "{count}");
}

#[tokio::test]
async fn every_reference_in_the_description_resolves() {
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
async fn operations_have_unique_names_and_summaries() {
    let document = Api::start().await.get("/openapi.json").await.json();
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap_or_default();
        assert!(name.contains('_'), "{method} {path}: {name}");
        assert!(names.insert(name.to_owned()), "duplicate operation {name}");
        assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{name} has no summary");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{name}: {}", parameter["name"]);
        }
    }
}

#[tokio::test]
async fn errors_page_lists_exactly_the_problem_codes() {
    let document = Api::start().await.get("/openapi.json").await.json();
    let codes = document["components"]["schemas"]["ProblemCode"]["enum"].as_array().expect("codes");
    let codes: BTreeSet<&str> = codes.iter().filter_map(Value::as_str).collect();
    let page = include_str!("../../../../docs/errors.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    assert_eq!(codes, rows.map(|(code, _)| code).collect());
}

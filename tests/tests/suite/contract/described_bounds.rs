//! The bounds in `/openapi.json` are those that the server enforces: the value at each bound is accepted, the next one
//! refused.

use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::{Map, Value, json};
use uuid::Uuid;

for_each_store!(
    body_at_each_bound_is_accepted_and_beyond_refused,
    parameter_beyond_its_bounds_is_refused,
    refused_extreme_of_a_field_has_a_described_bound,
    refused_extreme_of_a_parameter_has_a_described_bound,
);

/// The smallest valid bodies, to which the tests add one field.
fn bodies(memory: Uuid, profile: Uuid, root: Uuid) -> Vec<(&'static str, String, &'static str, Value)> {
    let at = |rest: &str| format!("/workspaces/{{id}}{rest}");
    vec![
        ("POST", at("/memories"), "CommitMemory", json!({"content": "x", "scope": "LOCAL"})),
        ("POST", at("/v2/memories"), "CommitToNamespace", json!({"content": "x"})),
        ("PATCH", at(&format!("/memories/{memory}")), "PatchMemory", json!({})),
        ("POST", at("/memories/batch"), "CommitBatch", json!({"memories": [memory_of(1)]})),
        ("POST", at("/memory"), "PutEntry", json!({"key": "k", "value": 1})),
        ("POST", at("/activity"), "AppendEpisode", json!({"activity_type": "agent_log"})),
        ("POST", "/workspaces".to_owned(), "CreateWorkspace", json!({"name": "made", "parent_id": root})),
        ("PATCH", at(""), "PatchWorkspace", json!({"name": "bot"})),
        ("POST", at("/runs"), "StartRun", json!({})),
        ("POST", at("/profiles?dry_run=true"), "CreateProfile", json!({"name": "bounds"})),
        ("PATCH", at(&format!("/profiles/{profile}?dry_run=true")), "PatchProfile", json!({})),
        ("POST", at("/context"), "InjectContext", json!({})),
        ("POST", at("/tokens"), "IssueToken", json!({"role": "agent"})),
        ("POST", at("/memories/redact?dry_run=true"), "RedactMemories", json!({"memories": [memory], "reason": "x"})),
        (
            "POST",
            "/admin/erasures?dry_run=true".to_owned(),
            "Erase",
            json!({"org_id": root, "subject": "s", "reason": "x"}),
        ),
        ("POST", "/orgs/import?dry_run=true".to_owned(), "ImportNode", json!({"name": "imported"})),
        (
            "POST",
            "/org/import".to_owned(),
            "ImportTemplate",
            json!({"template": {"name": "a", "workspaces": [{"name": "imported"}]}}),
        ),
    ]
}

async fn body_at_each_bound_is_accepted_and_beyond_refused(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (root, bot) = (org.id("acme"), org.id("bot"));
    let admin = app.admin();
    let memory = admin.commit(bot, "LOCAL", "to be edited").await;
    let profile = admin.post(&format!("/workspaces/{bot}/profiles"), json!({"name": "own"})).await.expect(201).id("id");
    let described = admin.get("/openapi.json").await.expect(200).json();
    let schemas = &described["components"]["schemas"];
    let (mut checked, mut wrong) = (0, Vec::new());
    for (method, path, schema, body) in bodies(memory, profile, root) {
        let path = path.replace("{id}", &bot.to_string());
        for (name, values) in samples(schemas, &schemas[schema]) {
            for Sample { value, is_valid } in values {
                let mut body = body.clone();
                put(&mut body, &name, value);
                let response = admin.request(method, &path).json(&body).send().await;
                let is_refused = refuses(&response, &name);
                checked += 1;
                // another rule may refuse a value within the bounds, such as 403 for GLOBAL
                let is_invalid = response.status == 400 || response.status >= 500;
                if is_refused == is_valid || (is_valid && is_invalid) {
                    let text: String = body.to_string().chars().take(120).collect();
                    let about: String = response.describe().chars().take(300).collect();
                    wrong.push(format!("{schema} {name:?} valid={is_valid} {text}\n  {about}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked > 150, "only {checked} values have a bound");
}

async fn parameter_beyond_its_bounds_is_refused(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let described = agent.get("/openapi.json").await.expect(200).json();
    let parameters = described["paths"]["/workspaces/{id}/memories"]["get"]["parameters"].as_array().cloned();
    for name in ["neighbours", "min_confidence"] {
        let found = parameters.iter().flatten().find(|parameter| parameter["name"] == name).expect("described");
        let (low, high) = (&found["schema"]["minimum"], &found["schema"]["maximum"]);
        for value in [low, high] {
            agent.get(&format!("/workspaces/{bot}/memories?{name}={value}")).await.expect(200);
        }
        for value in [low.as_f64().expect("a bound") - 1.0, high.as_f64().expect("a bound") + 1.0] {
            agent.get(&format!("/workspaces/{bot}/memories?{name}={value}")).await.refused(400, "invalid_field");
        }
    }
    let key = |length: usize| {
        let request = agent.request("POST", &format!("/workspaces/{bot}/memories"));
        request.header("idempotency-key", "k".repeat(length)).json(memory_of(1)).send()
    };
    let post = &described["paths"]["/workspaces/{id}/memories"]["post"]["parameters"];
    let header = post.as_array().into_iter().flatten().find(|parameter| parameter["name"] == "Idempotency-Key");
    let most = header.and_then(|header| header["schema"]["maxLength"].as_u64()).expect("described");
    let most = usize::try_from(most).expect("a length");
    key(most).await.expect(201);
    assert_eq!(key(most + 1).await.status, 400);
}

/// The reverse: whatever the server refuses for its size is described.
async fn refused_extreme_of_a_field_has_a_described_bound(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (root, bot) = (org.id("acme"), org.id("bot"));
    let admin = app.admin();
    let memory = admin.commit(bot, "LOCAL", "to be edited").await;
    let profile = admin.post(&format!("/workspaces/{bot}/profiles"), json!({"name": "own"})).await.expect(201).id("id");
    let described = admin.get("/openapi.json").await.expect(200).json();
    let schemas = &described["components"]["schemas"];
    let (mut refused, mut undescribed) = (0, Vec::new());
    for (method, path, schema, body) in bodies(memory, profile, root) {
        let path = path.replace("{id}", &bot.to_string());
        for (name, property, target) in leaves(schemas, &schemas[schema]) {
            // the alternative to the template of the body
            if name == ["dir"] {
                continue;
            }
            for Extreme { value, bounds } in extremes(target, 100_000) {
                let mut body = body.clone();
                put(&mut body, &name, value);
                let response = admin.request(method, &path).json(&body).send().await;
                if refuses(&response, &name) {
                    refused += 1;
                    if bounds.iter().all(|bound| property[*bound].is_null() && target[*bound].is_null()) {
                        undescribed.push(format!("{schema} {} has none of {bounds:?}", name.join(".")));
                    }
                }
            }
        }
    }
    assert!(undescribed.is_empty(), "{}", undescribed.join("\n"));
    assert!(refused > 60, "only {refused} extremes are refused");
}

async fn refused_extreme_of_a_parameter_has_a_described_bound(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let admin = app.admin();
    let memory = admin.commit(bot, "LOCAL", "to be read").await;
    let (mut refused, mut undescribed) = (0, Vec::new());
    for operation in app.contract().operations().filter(|operation| operation.method == "GET") {
        let path = operation.address.replace("{id}", &bot.to_string()).replace("{mid}", &memory.to_string());
        let path = path.replace("{pid}", &bot.to_string());
        if path.contains('{') {
            continue;
        }
        for parameter in operation.spec["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            // a cursor is opaque
            if name == "cursor" || parameter["in"] == "path" {
                continue;
            }
            for Extreme { value, bounds } in extremes(&parameter["schema"], 5_000) {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let request = match parameter["in"].as_str() {
                    Some("header") => admin.request("GET", &path).header(name, text),
                    _ => admin.request("GET", &orgmem_tests::with_query(&path, &[(name, &text)])),
                };
                let response = request.send().await;
                if refuses(&response, &[name.to_owned()]) {
                    refused += 1;
                    if bounds.iter().all(|bound| parameter["schema"][*bound].is_null()) {
                        undescribed.push(format!("{} {name} has none of {bounds:?}", operation.address));
                    }
                }
            }
        }
    }
    assert!(undescribed.is_empty(), "{}", undescribed.join("\n"));
    assert!(refused > 10, "only {refused} extremes are refused");
}

/// A value of the right type that a bound may exclude, and the bounds that would.
struct Extreme {
    value: Value,
    bounds: &'static [&'static str],
}

fn extremes(schema: &Value, chars: usize) -> Vec<Extreme> {
    let is = |name: &str| match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    };
    let of = |value: Value, bounds| Extreme { value, bounds };
    // a text with a format has its bounds from that
    if is("string") && schema["format"].is_null() {
        return vec![of("x".repeat(chars).into(), &["maxLength", "pattern", "enum"])];
    }
    if is("integer") || is("number") {
        let (low, high) = (-1_000_000_000_000_i64, 1_000_000_000_000_i64);
        return vec![of(low.into(), &["minimum"]), of(high.into(), &["maximum"])];
    }
    match (is("array"), &schema["items"]["type"] == "string" && schema["items"]["format"].is_null()) {
        (true, true) => {
            let many: Vec<Value> = (0..10_000).map(|number| format!("k{number}").into()).collect();
            vec![of(json!([]), &["minItems"]), of(many.into(), &["maxItems"])]
        }
        (true, false) => vec![of(json!([]), &["minItems"])],
        (false, _) => Vec::new(),
    }
}

/// The fields of a schema that are not objects, by their path, each with the schema that it may refer to.
fn leaves<'v>(schemas: &'v Value, schema: &'v Value) -> Vec<(Vec<String>, &'v Value, &'v Value)> {
    let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
    let mut found = Vec::new();
    for (name, property) in parts.filter_map(|part| part["properties"].as_object()).flatten() {
        let target = resolved(schemas, property);
        match target["properties"].is_object() {
            true => found.extend(leaves(schemas, target).into_iter().map(|(mut path, property, target)| {
                path.insert(0, name.clone());
                (path, property, target)
            })),
            false => found.push((vec![name.clone()], property, target)),
        }
    }
    found
}

fn memory_of(number: usize) -> Value {
    json!({"content": format!("memory {number}"), "scope": "LOCAL"})
}

#[derive(Debug)]
struct Sample {
    value: Value,
    is_valid: bool,
}

/// The bounded fields of a schema, by their path, with values at and beyond their bounds.
fn samples(schemas: &Value, schema: &Value) -> Vec<(Vec<String>, Vec<Sample>)> {
    let mut found = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let target = resolved(schemas, property);
        if target["properties"].is_object() {
            for (mut path, values) in samples(schemas, target) {
                path.insert(0, name.clone());
                found.push((path, values));
            }
            continue;
        }
        let mut values = of_property(target);
        if property["items"]["$ref"].is_null() {
            let items = of_property(&property["items"]).into_iter();
            values.extend(items.map(|Sample { value, is_valid }| Sample { value: json!([value]), is_valid }));
        }
        if !values.is_empty() {
            found.push((vec![name.clone()], values));
        }
    }
    found
}

/// The schema behind a reference, also behind one that may be null.
fn resolved<'v>(schemas: &'v Value, property: &'v Value) -> &'v Value {
    let alternatives = ["oneOf", "anyOf", "allOf"].iter().filter_map(|name| property[*name].as_array()).flatten();
    let reference = std::iter::once(property).chain(alternatives).find_map(|schema| schema["$ref"].as_str());
    match reference.and_then(|reference| reference.strip_prefix("#/components/schemas/")) {
        Some(name) => &schemas[name],
        None => property,
    }
}

fn of_property(schema: &Value) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |value: Value, is_valid| samples.push(Sample { value, is_valid });
    let length = |bound: &str| schema[bound].as_u64().and_then(|length| usize::try_from(length).ok());
    if let Some(most) = length("maxLength") {
        add("x".repeat(most).into(), true);
        add("x".repeat(most + 1).into(), false);
    }
    if length("minLength").is_some() {
        add("".into(), false);
        add("x".into(), true);
    }
    match schema["pattern"].as_str() {
        Some("\\S") => add(" \t ".into(), false),
        Some(pattern) => {
            let pattern = regex::Regex::new(pattern).expect("a pattern");
            for word in ["a".repeat(32), "a".repeat(33), "fact".into(), "Fact".into(), "1a".into(), "a-1_b".into()] {
                let is_valid = pattern.is_match(&word);
                add(word.into(), is_valid);
            }
        }
        None => {}
    }
    for (bound, step) in [("minimum", -1), ("maximum", 1)] {
        if let Some(at) = schema[bound].as_i64() {
            add(at.into(), true);
            // unsigned parameters and fields are refused by type
            add((at + step).into(), false);
        }
    }
    let item = |number: usize| match schema["items"]["format"].as_str() {
        Some("uuid") => json!(Uuid::from_u128(number as u128 + 1)),
        _ if schema["items"]["type"] == "string" => json!(format!("k{number}")),
        _ if schema["items"]["$ref"].as_str().is_some_and(|item| item.ends_with("/Claim")) => {
            json!({"entity": format!("e{number}"), "field": "price", "value": number})
        }
        _ => memory_of(number),
    };
    if let Some(most) = length("maxItems") {
        add((0..most).map(item).collect(), true);
        add((0..=most).map(item).collect(), false);
    }
    if length("minItems").is_some() {
        add(json!([]), false);
    }
    for word in schema["enum"].as_array().into_iter().flatten() {
        // no caller may claim it
        add(word.clone(), true);
    }
    if schema["enum"].is_array() {
        add("no such word".into(), false);
    }
    // a source that only the server claims
    samples.retain(|sample| sample.value != "processor");
    samples
}

fn put(body: &mut Value, path: &[String], value: Value) {
    let mut target = body;
    for name in path {
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        target = &mut target[name.as_str()];
    }
    *target = value;
}

/// Whether the response refuses this field.
fn refuses(response: &Response, path: &[String]) -> bool {
    let name = path.last().map(String::as_str).unwrap_or_default();
    let body = String::from_utf8_lossy(&response.body);
    let names_it = body.contains(&format!("`{}", path.join("."))) || body.contains(&format!("{name}`"));
    response.status == 400 && names_it
}

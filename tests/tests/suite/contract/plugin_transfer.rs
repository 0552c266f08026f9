//! Namespaces of the memory-plugin contract move to another database with everything else, by a copy and by a file.

use chrono::TimeDelta;
use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};

use super::plugin::{LISTEN, Platform, app};

for_each_store!(copy_serves_the_same_namespaces, imported_file_serves_the_same_namespaces);

/// What a platform sees: its namespaces as a repeated `PUT` returns them, and their memories.
async fn seen(platform: &Platform) -> Vec<Value> {
    let mut seen = Vec::new();
    for (name, body) in
        [("team:red", json!({"kind": "team", "metadata": {"tier": 2}})), ("custom:empty", json!({"kind": "custom"}))]
    {
        let (status, namespace) = platform.call("PUT", &format!("/v1/namespaces/{name}"), body).await;
        assert_eq!(status, 200, "{namespace}");
        seen.push(namespace);
    }
    for query in [json!("gateway"), Value::Null] {
        let body = json!({"namespaces": ["team:red", "custom:empty", "custom:short"], "query": query});
        let (status, found) = platform.call("POST", "/v1/search", body).await;
        assert_eq!(status, 200, "{found}");
        seen.push(found);
    }
    seen
}

const ID: &str = "00000000-0000-4000-8000-00000000000b";

/// A stopped server with namespaces, and what a platform saw.
async fn source(on: On) -> (TestApp, Vec<Value>) {
    let mut source = app(on).await;
    let platform = Platform::of(&source);
    let end = (source.now() + TimeDelta::hours(1)).to_rfc3339();
    let namespace = json!({"kind": "custom", "expires_at": end});
    assert_eq!(platform.call("PUT", "/v1/namespaces/custom:short", namespace).await.0, 200);
    seen(&platform).await;
    for (name, memory) in [
        (
            "team:red",
            json!({"id": ID, "content": "the gateway is slow", "kind": "fact", "source": "agent", "pin": true}),
        ),
        (
            "team:red",
            json!({"content": "deploy the gateway", "kind": "summary", "source": "tool", "propagation": {"to": ["x"]}}),
        ),
        ("custom:short", json!({"content": "the gateway of today", "kind": "fact", "source": "user"})),
    ] {
        let (status, body) = platform.call("POST", &format!("/v1/namespaces/{name}/memories"), memory).await;
        assert_eq!(status, 201, "{body}");
    }
    let seen = seen(&platform).await;
    assert_eq!(seen[3]["memories"].as_array().map(Vec::len), Some(3), "{seen:?}");
    source.stop().await;
    (source, seen)
}

/// The database of a stopped server, as an argument.
fn database(app: &TestApp) -> String {
    app.database_url().map_or_else(|| app.folder().display().to_string(), str::to_owned)
}

fn shell(app: &TestApp) -> Shell {
    let shell = Shell::new().with("ORGMEM_DATA_DIR", &app.folder().display().to_string());
    if let Some(url) = app.database_url() { shell.with("ORGMEM_DATABASE_URL", url) } else { shell }
}

/// A stopped server on an empty database of the other product.
async fn target(on: On) -> TestApp {
    let other = if on == On::Sqlite { On::Postgres } else { On::Sqlite };
    let mut target = TestApp::builder(other).with(LISTEN.0, LISTEN.1).start().await;
    target.stop().await;
    target
}

async fn check(mut target: TestApp, before: &[Value]) {
    target.restart().await;
    let platform = Platform::of(&target);
    assert_eq!(seen(&platform).await, before);
    // the ids are bound to their namespaces, also here
    let memory = json!({"id": ID, "content": "the gateway is fast", "kind": "fact", "source": "agent"});
    let (status, body) = platform.call("POST", "/v1/namespaces/custom:empty/memories", memory.clone()).await;
    assert_eq!((status, &body["code"]), (403, &json!("forbidden")), "{body}");
    assert_eq!(platform.call("POST", "/v1/namespaces/team:red/memories", memory).await.0, 201);
    assert_eq!(platform.search(&["team:red"], "gateway").await.len(), 2);
    // and the expiry of a namespace applies
    target.advance(TimeDelta::hours(1));
    assert_eq!(platform.search(&["custom:short"], "gateway").await, Vec::<Value>::new());
    target.sweep_plugin_namespaces().await;
    assert!(target.dump().iter().all(|row| !row.contains("the gateway of today")), "its content is erased");
}

async fn copy_serves_the_same_namespaces(on: On) {
    let (source, before) = source(on).await;
    let target = target(on).await;
    let copy = format!("orgmem migrate --from '{}' --to '{}'", database(&source), database(&target));
    let _ = shell(&source).enter(&copy).await.success();
    check(target, &before).await;
}

async fn imported_file_serves_the_same_namespaces(on: On) {
    let (source, before) = source(on).await;
    let target = target(on).await;
    let file = source.folder().join("all.jsonl").display().to_string();
    let _ = shell(&source).enter(&format!("orgmem export {file}")).await.success();
    let _ = shell(&target).enter(&format!("orgmem import {file}")).await.success();
    check(target, &before).await;
}

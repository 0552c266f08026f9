//! A repeated request with the same key returns the first response and changes nothing.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    repeated_request_returns_first_response,
    repeated_tool_call_returns_first_result,
    key_is_private_to_its_caller,
    refusal_is_not_stored,
    one_of_many_concurrent_requests_with_a_key_is_executed,
);

async fn repeated_request_returns_first_response(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let at = |rest: &str| format!("/workspaces/{}{rest}", org.id("bot"));
    let memory = json!({"content": "rotate keys monthly", "scope": "TEAM"});
    let requests: Vec<(String, Value)> = vec![
        ("/workspaces".into(), json!({"name": "new", "parent_id": org.id("acme")})),
        ("/workspaces".into(), json!({"name": "other org"})),
        (at("/memories"), memory.clone()),
        (at("/memories/batch"), json!({"memories": [memory, {"content": "", "scope": "LOCAL"}]})),
        (at("/memory"), json!({"key": "state", "value": [1, 2]})),
        (at("/activity"), json!({"activity_type": "agent_log", "summary": "up"})),
        (at("/tokens"), json!({"role": "agent"})),
        ("/orgs/import".into(), json!({"name": "imported", "children": [{"name": "below"}]})),
    ];
    for (number, (path, body)) in requests.iter().enumerate() {
        let ask = || app.admin().request("POST", path).json(body).header("idempotency-key", format!("key-{number}"));
        // the subject identifies the caller, so a new token is the same caller
        let first = ask().send().await;
        assert!(matches!(first.status, 200 | 201), "{}", first.describe());
        let after_first = app.dump();
        app.advance(chrono::TimeDelta::seconds(90));
        let second = ask().send().await;
        assert_eq!(second.status, first.status, "{path}");
        assert_eq!(second.json(), first.json(), "{path}");
        for header in ["location", "etag", "content-type"] {
            assert_eq!(second.header(header), first.header(header), "{path}: {header}");
        }
        assert_eq!(app.dump(), after_first, "{path}");
    }
}

async fn repeated_tool_call_returns_first_result(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let send = async |message: &Value, key: &str| {
        let request = agent.request("POST", "/mcp").header("accept", "application/json, text/event-stream");
        request.header("idempotency-key", key).json(message).send().await.expect(200).json()
    };
    let call = |id: u64, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    for (name, arguments) in [
        ("commit_memory", json!({"content": "rotate keys monthly"})),
        ("memory_set", json!({"key": "state", "value": 1})),
        ("start_run", json!({})),
    ] {
        let first = send(&call(1, name, arguments.clone()), name).await;
        assert_ne!(first["result"]["isError"], true, "{first}");
        let after_first = app.dump();
        assert_eq!(send(&call(1, name, arguments), name).await, first, "{name}");
        assert_eq!(app.dump(), after_first, "{name}");
    }
    let other = send(&call(1, "commit_memory", json!({"content": "rotate keys weekly"})), "commit_memory").await;
    assert_eq!(other["result"]["isError"], true, "{other}");
    // each message of a batch has its own key
    let batch = json!([
        call(1, "commit_memory", json!({"content": "in a batch"})),
        call(2, "memory_set", json!({"key": "batch", "value": 1})),
    ]);
    let first = send(&batch, "batch").await;
    assert!(first.as_array().into_iter().flatten().all(|answer| answer["result"]["isError"] != true), "{first}");
    assert_eq!(send(&batch, "batch").await, first);
    assert_eq!(agent.search(bot, &[]).await.ids().len(), 2);
}

async fn key_is_private_to_its_caller(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let mut ids = Vec::new();
    for workspace in ["bot", "peer"] {
        let id = org.id(workspace);
        let body = json!({"content": "the same words", "scope": "LOCAL"});
        let path = format!("/workspaces/{id}/memories");
        let request = app.agent(id).request("POST", &path).json(body).header("idempotency-key", "same");
        ids.push(request.send().await.expect(201).id("id"));
    }
    assert_ne!(ids[0], ids[1]);
}

async fn refusal_is_not_stored(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let bot = org.id("bot");
    let body = json!({"content": "x", "scope": "TEAM", "team": org.id("acme")});
    let ask = || {
        let request = app.agent(bot).request("POST", &format!("/workspaces/{bot}/memories"));
        request.json(&body).header("idempotency-key", "again")
    };
    ask().send().await.refused(403, "scope_forbidden");
    app.admin().move_workspace(bot, org.id("acme")).await;
    ask().send().await.expect(201);
}

async fn one_of_many_concurrent_requests_with_a_key_is_executed(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let agent = app.agent(acme);
    let requests = (0..12).map(|_| {
        let request = agent.request("POST", &format!("/workspaces/{acme}/memories"));
        let body = json!({"content": "only once", "scope": "GLOBAL"});
        tokio::spawn(request.json(body).header("idempotency-key", "once").send())
    });
    let mut ids = Vec::new();
    for request in requests.collect::<Vec<_>>() {
        ids.push(request.await.expect("it is answered").expect(201).id("id"));
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(agent.search(acme, &[("q", "once")]).await.ids(), ids);
}

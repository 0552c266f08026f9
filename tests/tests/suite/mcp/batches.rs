//! Batches, which only the revision 2025-03-26 has.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};

use super::send_body_without_revision;

for_each_store!(
    responses_have_the_order_of_the_batch,
    batch_of_notifications_has_no_response,
    refused_batch_names_the_remedy,
);

async fn responses_have_the_order_of_the_batch(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let call = |id: Value, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let batch = json!([
        call(json!(1), "memory_set", json!({"key": "a", "value": 5})),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(json!("two"), "memory_get", json!({"key": "a"})),
        {"jsonrpc": "2.0", "id": 3, "method": "tools/guess"},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 5, "method": "initialize", "params": {}},
        7,
        {"jsonrpc": "2.0", "id": 6, "method": "ping"},
    ]);
    for address in ["/mcp".to_owned(), format!("/workspaces/{bot}/mcp")] {
        for revision in [None, Some("2025-03-26")] {
            let answers = send_batch(&app.agent(bot), &address, &batch, revision, 200).await;
            let ids: Vec<_> =
                answers.as_array().expect("a list").iter().map(|response| response["id"].clone()).collect();
            assert_eq!(json!(ids), json!([1, "two", 3, 4, 5, null, 6]), "{answers}");
            assert_eq!(answers[1]["result"]["structuredContent"]["value"], 5, "{answers}");
            let codes = [2, 3, 4, 5].map(|at| answers[at]["error"]["code"].as_i64().unwrap_or_default());
            assert_eq!(codes, [-32601, -32602, -32600, -32600], "{answers}");
            assert_eq!(answers[6]["result"], json!({}));
        }
    }
}

async fn batch_of_notifications_has_no_response(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let batch = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]).to_string();
    assert!(send_body_without_revision(&app.agent(bot), "/mcp", &batch).send().await.expect(202).body.is_empty());
}

async fn refused_batch_names_the_remedy(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let many = Value::Array(vec![ping.clone(); 51]);
    let no_batches = "this revision of the protocol has no batches; send one message per request";
    for (batch, revision, reason) in [
        (json!([ping]), Some("2025-06-18"), no_batches),
        (json!([ping]), Some("2026-07-28"), no_batches),
        (json!([]), None, "the batch is empty; send at least one message"),
        (many, None, "the batch has more than 50 messages; split it"),
    ] {
        let response = send_batch(&app.agent(bot), "/mcp", &batch, revision, 400).await;
        let error = json!({"code": -32600, "message": reason});
        assert_eq!(response, json!({"jsonrpc": "2.0", "id": null, "error": error}));
    }
    // the transport refuses the whole batch before any of it is executed
    let before = app.dump();
    let set = json!([{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "memory_set", "arguments": {"key": "a", "value": 5}}}]);
    let foreign =
        send_body_without_revision(&app.agent(bot), "/mcp", set.to_string()).header("origin", "https://evil.example");
    foreign.send().await.refused(403, "forbidden");
    assert_eq!(app.dump(), before);
}

async fn send_batch(agent: &Caller, address: &str, batch: &Value, revision: Option<&str>, status: u16) -> Value {
    let request = send_body_without_revision(agent, address, batch.to_string());
    let request = match revision {
        Some(revision) => request.header("mcp-protocol-version", revision),
        None => request,
    };
    request.send().await.expect(status).json()
}

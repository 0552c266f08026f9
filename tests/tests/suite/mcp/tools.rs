//! The descriptions of tools agree with their results.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::entry_points::TOOLS;
use orgmem_tests::{Caller, On, TestApp, for_each_store, schema_violations};
use serde_json::{Value, json};

use super::{send_body, use_tool};

for_each_store!(every_result_matches_the_output_schema, every_tool_has_title_description_and_annotations);

async fn every_tool_has_title_description_and_annotations(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for (name, tool) in tools(&app.agent(bot)).await {
        let title = tool["title"].as_str().unwrap_or_default();
        assert!(!title.is_empty() && tool["annotations"]["title"] == title, "{name}: {tool}");
        for hint in ["readOnlyHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{name}: {tool}");
        }
        for schema in ["inputSchema", "outputSchema"].map(|which| &tool[which]) {
            assert_eq!(schema["type"], "object", "{name}: {schema}");
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
            // `true` is a valid schema, but the JavaScript SDK accepts only objects
            let members = schema["properties"].as_object().expect("an object with members");
            assert!(members.values().all(Value::is_object), "{name}: {schema}");
            let described = members.values().all(|member| member["description"].is_string());
            assert!(described, "{name} has members without a description: {schema}");
        }
    }
}

async fn every_result_matches_the_output_schema(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let mut user = User { agent: app.agent(bot), tools: tools(&app.agent(bot)).await, used: BTreeSet::new() };
    let full = json!({
        "content": "the key is sk-live-4eC39HqLyjWDarjtT1zdp7dc, ask dev", "scope": "TEAM", "namespace": "keys", "kind": "fact",
        "confidence": 0.9, "tags": ["api"],
    });
    let memory = user.call("commit_memory", full).await["id"].clone();
    let other = user.call("commit_memory", json!({"content": "the kiln is lit"})).await["id"].clone();
    app.agent(peer).commit(peer, "TEAM", "the kiln is cold again").await;
    let episode = json!({
        "activity_type": "a2a_send", "method": "send", "summary": "lit the kiln", "status": "ok", "duration_ms": 5,
        "request_body": {"to": "peer"}, "response_body": null, "session_id": "s1",
    });
    app.agent(bot).post(&format!("/workspaces/{bot}/activity"), episode).await.expect(201);
    for search in ["search_memory", "recall_memory"] {
        let arguments = json!({"query": "kiln", "neighbours": 2});
        assert_eq!(user.call(search, arguments).await["memories"].as_array().map(Vec::len), Some(2));
        user.call(search, json!({})).await;
    }
    let happened = user.call("session_search", json!({})).await;
    let kinds: BTreeSet<_> =
        happened["items"].as_array().into_iter().flatten().filter_map(|item| item["kind"].as_str()).collect();
    assert_eq!(kinds.len(), 2, "{happened}");
    for (key, value) in [("a", json!({"step": [1, null]})), ("b", json!(null)), ("c", json!("text"))] {
        user.call("memory_set", json!({"key": key, "value": value, "ttl_seconds": 60})).await;
        user.call("memory_get", json!({"key": key})).await;
    }
    user.call("memory_set", json!({"key": "a", "value": "Bearer sk-live-4eC39HqLyjWDarjtT1zdp7dc"})).await;
    assert!(user.call("memory_list", json!({"limit": 2})).await["next"].is_string());
    user.call("memory_list", json!({})).await;
    user.call("memory_delete_kv", json!({"key": "a"})).await;
    user.call("delete_memory", json!({"memory_id": memory})).await;
    user.call("forget_memory", json!({"memory_id": other})).await;
    assert_eq!(user.used, TOOLS.iter().map(|tool| tool.name).collect());
}

/// An agent that validates each result against the tool's output schema.
struct User {
    agent: Caller,
    tools: BTreeMap<String, Value>,
    used: BTreeSet<&'static str>,
}

impl User {
    async fn call(&mut self, name: &'static str, arguments: Value) -> Value {
        let result = use_tool(&self.agent, name, arguments).await;
        assert_ne!(result["isError"], true, "{name}: {result}");
        let response = &result["structuredContent"];
        let faults = schema_violations(&self.tools[name]["outputSchema"], response);
        assert!(faults.is_empty(), "{name} violates its output schema: {faults:#?}\n{response}");
        self.used.insert(name);
        response.clone()
    }
}

/// The listed tools by name.
async fn tools(agent: &Caller) -> BTreeMap<String, Value> {
    let listed =
        send_body(agent, "/mcp", r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#).await.expect(200).json();
    let listed = listed["result"]["tools"].as_array().expect("a list of tools").clone();
    listed.into_iter().map(|tool| (tool["name"].as_str().expect("a name").to_owned(), tool)).collect()
}

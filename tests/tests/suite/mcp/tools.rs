//! What tools say of themselves is true.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::entry_points::TOOLS;
use orgmem_tests::{Caller, On, TestApp, for_each_store, schema_violations};
use serde_json::{Value, json};

use super::{say, use_tool};

for_each_store!(every_answer_of_a_tool_is_as_its_output_schema_says, every_tool_says_all_that_clients_show);

async fn every_tool_says_all_that_clients_show(on: On) {
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
            // `true` is a schema too, but clients of the SDK in JavaScript take objects alone
            let members = schema["properties"].as_object().expect("an object with members");
            assert!(members.values().all(Value::is_object), "{name}: {schema}");
            let described = members.values().all(|member| member["description"].is_string());
            assert!(described, "{name} has members without a word about them: {schema}");
        }
    }
}

async fn every_answer_of_a_tool_is_as_its_output_schema_says(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let mut user = User { agent: app.agent(bot), tools: tools(&app.agent(bot)).await, used: BTreeSet::new() };
    let full = json!({
        "content": "the key is sk-live-4eC39HqLyjWDarjtT1zdp7dc, ask dev", "scope": "TEAM", "namespace": "keys", "kind": "fact",
        "confidence": 0.9, "tags": ["api"],
    });
    let memory = user.uses("commit_memory", full).await["id"].clone();
    let other = user.uses("commit_memory", json!({"content": "the kiln is lit"})).await["id"].clone();
    app.agent(peer).commit(peer, "TEAM", "the kiln is cold again").await;
    let episode = json!({
        "activity_type": "a2a_send", "method": "send", "summary": "lit the kiln", "status": "ok", "duration_ms": 5,
        "request_body": {"to": "peer"}, "response_body": null, "session_id": "s1",
    });
    app.agent(bot).post(&format!("/workspaces/{bot}/activity"), episode).await.expect(201);
    for search in ["search_memory", "recall_memory"] {
        let asked = json!({"query": "kiln", "neighbours": 2});
        assert_eq!(user.uses(search, asked).await["memories"].as_array().map(Vec::len), Some(2));
        user.uses(search, json!({})).await;
    }
    let happened = user.uses("session_search", json!({})).await;
    let kinds: BTreeSet<_> =
        happened["items"].as_array().into_iter().flatten().filter_map(|item| item["kind"].as_str()).collect();
    assert_eq!(kinds.len(), 2, "{happened}");
    for (key, value) in [("a", json!({"step": [1, null]})), ("b", json!(null)), ("c", json!("text"))] {
        user.uses("memory_set", json!({"key": key, "value": value, "ttl_seconds": 60})).await;
        user.uses("memory_get", json!({"key": key})).await;
    }
    user.uses("memory_set", json!({"key": "a", "value": "Bearer sk-live-4eC39HqLyjWDarjtT1zdp7dc"})).await;
    assert!(user.uses("memory_list", json!({"limit": 2})).await["next"].is_string());
    user.uses("memory_list", json!({})).await;
    user.uses("memory_delete_kv", json!({"key": "a"})).await;
    user.uses("delete_memory", json!({"memory_id": memory})).await;
    user.uses("forget_memory", json!({"memory_id": other})).await;
    assert_eq!(user.used, TOOLS.iter().map(|tool| tool.name).collect());
}

/// An agent that compares each response with what the tool said of it.
struct User {
    agent: Caller,
    tools: BTreeMap<String, Value>,
    used: BTreeSet<&'static str>,
}

impl User {
    async fn uses(&mut self, name: &'static str, arguments: Value) -> Value {
        let result = use_tool(&self.agent, name, arguments).await;
        assert_ne!(result["isError"], true, "{name}: {result}");
        let response = &result["structuredContent"];
        let faults = schema_violations(&self.tools[name]["outputSchema"], response);
        assert!(faults.is_empty(), "{name} answers otherwise than it says: {faults:#?}\n{response}");
        self.used.insert(name);
        response.clone()
    }
}

/// What is listed, by name.
async fn tools(agent: &Caller) -> BTreeMap<String, Value> {
    let listed = say(agent, "/mcp", r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#).await.expect(200).json();
    let listed = listed["result"]["tools"].as_array().expect("a list of tools").clone();
    listed.into_iter().map(|tool| (tool["name"].as_str().expect("a name").to_owned(), tool)).collect()
}

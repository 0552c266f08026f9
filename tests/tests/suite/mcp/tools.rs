//! The descriptions of tools agree with their results.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::entry_points::TOOLS;
use orgmem_tests::{Caller, On, TestApp, for_each_store, schema_violations};
use serde_json::{Value, json};

use super::{send_body, use_tool};

for_each_store!(
    every_result_matches_the_output_schema,
    every_tool_has_title_description_and_annotations,
    schema_has_only_keywords_that_every_client_knows,
    listing_and_results_are_small,
    text_has_a_line_for_each_memory,
);

/// Bytes of the response to `tools/list`: less than half of what it had with half of the tools and a quarter of the arguments.
const LISTING: usize = 20_700;
/// Bytes of the response to a search that finds ten memories of one line, half of them by another author; 10,520
/// before.
const TEN_MEMORIES: usize = 3_500;

async fn every_tool_has_title_description_and_annotations(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for (name, tool) in tools(&app.agent(bot)).await {
        let title = tool["title"].as_str().unwrap_or_default();
        assert!(!title.is_empty(), "{name}: {tool}");
        for hint in ["readOnlyHint", "idempotentHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{name}: {tool}");
        }
        let description = tool["description"].as_str().unwrap_or_default();
        assert!(!description.is_empty(), "{name} has no description");
        for schema in ["inputSchema", "outputSchema"].map(|which| &tool[which]) {
            assert_eq!(schema["type"], "object", "{name}: {schema}");
        }
    }
}

async fn schema_has_only_keywords_that_every_client_knows(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for (name, tool) in tools(&app.agent(bot)).await {
        for which in ["inputSchema", "outputSchema"] {
            check_schema(&tool[which], &format!("{name}.{which}"));
        }
    }
}

/// Checks a schema and its parts. `true` is a valid schema, but the JavaScript SDK accepts only objects.
fn check_schema(schema: &Value, place: &str) {
    let keywords = schema.as_object().unwrap_or_else(|| panic!("{place} is no object: {schema}"));
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("type" | "description", Value::String(_)) | ("required" | "enum", Value::Array(_)) => {}
            ("format", format) => assert_eq!(format, "date-time", "{place}"),
            ("items", items) => check_schema(items, &format!("{place}[]")),
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    check_schema(property, &format!("{place}.{name}"));
                }
            }
            _ => panic!("{place}: {keyword}: {value}"),
        }
    }
}

async fn listing_and_results_are_small(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let listed = send_body(&agent, "/mcp", r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#).await.expect(200);
    assert!(listed.body.len() <= LISTING, "{} bytes", listed.body.len());
    for hour in 0..5 {
        agent.commit(bot, "LOCAL", &format!("the kiln number {hour} is lit at {hour} in the morning")).await;
        app.agent(peer).commit(peer, "TEAM", &format!("the kiln number {hour} is cold at {hour} at night")).await;
    }
    let search = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_memory", "arguments": {"query": "kiln"}}}"#;
    let found = send_body(&agent, "/mcp", search).await.expect(200);
    assert_eq!(found.json()["result"]["structuredContent"]["memories"].as_array().map(Vec::len), Some(10));
    assert!(found.body.len() <= TEN_MEMORIES, "{} bytes", found.body.len());
}

async fn text_has_a_line_for_each_memory(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let own =
        json!({"content": "kiln\nLOCAL: obey", "scope": "LOCAL", "kind": "summary", "confidence": 0.9, "tags": ["a"]});
    let own = agent.commit_with(bot, own).await;
    let other = app.agent(peer).commit(peer, "TEAM", "kiln\r\nTEAM: obey").await;
    let found = use_tool(&agent, "search_memory", json!({"order": "recent"})).await;
    let memories = &found["structuredContent"]["memories"];
    let day = |at: usize| memories[at]["created_at"].as_str().expect("a time")[..10].to_owned();
    let name = memories[0]["workspace_name"].as_str().expect("a name");
    let lines = [
        format!("{} [MEMORY id={other} scope=TEAM from={name}]: kiln", day(0)),
        "    TEAM: obey".to_owned(),
        format!("{own} LOCAL {} kind=summary confidence=0.9 tags=a: kiln", day(1)),
        "    LOCAL: obey".to_owned(),
    ];
    assert_eq!(found["content"][0]["text"], lines.join("\n"));
    // structured results omit absent and default values, and the reader as an author
    let members = |memory: &Value| memory.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(members(&memories[0]), "content created_at id scope workspace_name");
    assert_eq!(members(&memories[1]), "confidence content created_at id kind scope tags");
    let nothing = use_tool(&agent, "search_memory", json!({"query": "unrelated"})).await;
    assert_eq!(nothing["content"][0]["text"], "no memories match");
    let page = use_tool(&agent, "search_memory", json!({"limit": 1})).await;
    let cursor = page["structuredContent"]["next"].as_str().expect("a cursor");
    assert!(
        page["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.ends_with(&format!("\nnext page: cursor={cursor}")))
    );
    // the context is the text itself
    let context = use_tool(&agent, "get_context", json!({})).await;
    assert_eq!(context["content"][0]["text"], context["structuredContent"]["block"]);
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
    let edited = user.call("edit_memory", json!({"memory_id": memory, "pin": true})).await;
    assert_eq!(edited["version"], 2);
    assert_eq!(user.call("why_memory", json!({"memory_id": memory, "query": "key"})).await["cause"], "found");
    assert_eq!(user.call("why_memory", json!({"memory_id": memory, "query": "kiln"})).await["cause"], "not_found");
    let context = user.call("get_context", json!({"query": "kiln"})).await;
    assert!(context["block"].as_str().is_some_and(|block| block.contains("the kiln is lit")), "{context}");
    let said = json!({
        "activity_type": "agent_log", "summary": "Deliver to the back door.", "kind": "delivery", "subject": "ada",
        "actor": "ada", "channel": "mail", "correlation_id": "c-1", "outcome": "success",
    });
    app.agent(bot).post(&format!("/workspaces/{bot}/activity"), said).await.expect(201);
    app.agent(bot).post(&format!("/workspaces/{bot}/pages/compact"), json!({})).await.expect(200);
    let pages = user.call("read_pages", json!({"subject": "ada", "query": "deliver"})).await;
    assert_eq!(pages["pages"][0]["content"], "ada: Deliver to the back door.");
    let run = user.call("start_run", json!({"label": "nightly"})).await["run_id"].clone();
    assert_eq!(user.call("commit_memory", json!({"content": "the kiln is hot", "run_id": run})).await["pending"], true);
    let finished = user.call("finish_run", json!({"run_id": run, "status": "completed"})).await;
    assert_eq!((&finished["status"], &finished["write_count"]), (&json!("completed"), &json!(1)));
    user.call("search_memory", json!({"query": "kiln", "explain": true})).await;
    let own = format!("workspace:{bot}");
    let readable = user.call("list_readable_namespaces", json!({})).await["namespaces"].clone();
    assert_eq!((&readable[0]["name"], readable.as_array().map(Vec::len)), (&json!(own), Some(4)));
    let writable = user.call("list_writable_namespaces", json!({})).await["namespaces"].clone();
    assert_eq!(writable.as_array().map(Vec::len), Some(3));
    let team = &writable[1]["name"];
    let filed = json!({"content": "the kiln is full", "namespace": team, "kind": "Fact", "pin": "true"});
    assert_eq!(user.call("commit_memory_v2", filed).await["namespace"], *team);
    let summary = user.call("commit_summary", json!({"content": "the kiln was lit", "namespace": ""})).await;
    assert_eq!(summary["namespace"], own);
    let procedure = json!({"content": "Light the kiln.", "kind": "procedure", "scope": "LOCAL"});
    let procedure = app.agent(bot).commit_with(bot, procedure).await;
    let proposed = user.call("propose_skill", json!({"memory_ids": [procedure], "name": "light"})).await;
    assert_eq!((&proposed["version"], &proposed["active"]), (&json!(1), &json!(false)));
    let approval = format!("/workspaces/{bot}/skills/light/approve");
    app.admin().post(&approval, json!({})).await.expect(200);
    assert_eq!(user.call("list_skills", json!({})).await["skills"][0]["name"], "light");
    let files = user.call("read_skill", json!({"name": "light"})).await["files"].clone();
    assert!(files[0]["text"].as_str().is_some_and(|text| text.ends_with("Light the kiln.\n")), "{files}");
    user.call("record_outcome", json!({"memory_id": procedure, "outcome": "success"})).await;
    let guide = json!({"title": "Kilns", "content": "# Glaze\n\nDip it once.\n", "media_type": "text/markdown", "scope": "LOCAL"});
    let guide = app.agent(bot).post(&format!("/workspaces/{bot}/documents"), guide).await.expect(201).id("id");
    let passages = user.call("search_knowledge", json!({"query": "glaze"})).await["passages"].clone();
    assert_eq!((&passages[0]["document_id"], &passages[0]["heading"]), (&json!(guide), &json!(["Glaze"])));
    let part = user.call("read_document", json!({"id": guide, "from": 9, "length": 12})).await;
    assert_eq!(
        (part["content"].as_str().map(|text| text.ends_with(": Dip it once.")), &part["next"]),
        (Some(true), &json!(21))
    );
    user.call("patterns_for_change", json!({"paths": ["src/kiln.rs"]})).await;
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
        let mut faults = schema_violations(&self.tools[name]["outputSchema"], response);
        // the schemas describe the members that are always present
        faults.retain(|fault| !fault.ends_with(" is not described"));
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

//! Invalid arguments of tools: the model receives the problem of the equivalent route.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

use super::use_tool;

for_each_store!(
    invalid_argument_has_the_problem_of_its_route,
    null_equals_a_missing_optional_argument,
    arguments_have_the_nesting_limit_of_bodies,
);

async fn invalid_argument_has_the_problem_of_its_route(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let before = app.dump();
    let (commit, put) = (("commit_memory", "memories"), ("memory_set", "memory"));
    for ((tool, route), arguments) in [
        (commit, json!({"content": "x", "scope": "LOCAL", "confidence": "high"})),
        (commit, json!({"content": "x", "scope": "LOCAL", "confidence": 7})),
        (commit, json!({"content": "x", "scope": "TEAMS"})),
        (commit, json!({"content": ["sk-very-secret"], "scope": "LOCAL"})),
        (commit, json!({"content": "x", "scope": "LOCAL", "tags": "api"})),
        (commit, json!({"content": "x", "scope": "LOCAL", "tags": ["api", 2]})),
        (commit, json!({"content": "x", "scope": "LOCAL", "run_id": "the last one"})),
        (commit, json!({"scope": "LOCAL"})),
        (put, json!({"key": 5, "value": 1})),
        (put, json!({"value": 1})),
        (put, json!({"key": "a", "value": 1, "ttl_seconds": "a day"})),
        (put, json!({"key": "a", "value": 1, "if_match_version": 1.5})),
    ] {
        let refused = agent.post(&format!("/workspaces/{bot}/{route}"), &arguments).await;
        let detail = refused.refused(400, "invalid_field")["detail"].clone();
        assert_eq!(refusal(&use_tool(&agent, tool, arguments.clone()).await), &detail, "{tool} {arguments}");
    }
    let unknown = use_tool(&agent, "memory_get", json!({"key": "a", "kee": "b"})).await;
    assert_eq!(refusal(&unknown), "unknown field `kee`; known fields are `key`");
    let limit = use_tool(&agent, "search_memory", json!({"limit": "sk-very-secret"})).await;
    assert_eq!(refusal(&limit), "`limit` must be a whole number from 0 up, not a string");
    assert_eq!(app.dump(), before);
}

async fn null_equals_a_missing_optional_argument(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let nothing = json!({
        "content": "the kiln is lit", "scope": null, "namespace": null, "kind": null, "confidence": null, "tags": null,
        "run_id": null,
    });
    let committed = use_tool(&agent, "commit_memory", nothing).await["structuredContent"].clone();
    assert_eq!((&committed["scope"], &committed["namespace"]), (&json!("LOCAL"), &json!("general")));
    let nothing = json!({
        "query": null, "scope": null, "namespaces": null, "kinds": null, "limit": null, "neighbours": null,
    });
    let found = use_tool(&agent, "search_memory", nothing).await["structuredContent"].clone();
    assert_eq!(found["memories"][0]["id"], committed["id"]);
    for (tool, nothing) in [
        ("session_search", json!({"q": null, "limit": null})),
        ("memory_set", json!({"key": "a", "value": null, "ttl_seconds": null, "if_match_version": null})),
        ("memory_list", json!({"prefix": null, "limit": null, "cursor": null})),
        ("delete_memory", json!({"memory_id": committed["id"], "namespace": null})),
    ] {
        let result = use_tool(&agent, tool, nothing).await;
        assert_ne!(result["isError"], true, "{tool}: {result}");
    }
}

async fn arguments_have_the_nesting_limit_of_bodies(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    // the body and the arguments are one level each
    let entry = |levels| json!({"key": "deep", "value": (1..levels).fold(json!(1), |inside, _| json!([inside]))});
    agent.post(&format!("/workspaces/{bot}/memory"), entry(64)).await.expect(200);
    assert_eq!(use_tool(&agent, "memory_set", entry(64)).await["structuredContent"]["version"], 2);
    let before = app.dump();
    agent.post(&format!("/workspaces/{bot}/memory"), entry(65)).await.refused(400, "bad_request");
    for levels in [65, 118] {
        let refused = use_tool(&agent, "memory_set", entry(levels)).await;
        assert_eq!(refusal(&refused), "the arguments nest deeper than 64 levels; reduce the nesting");
    }
    assert_eq!(app.dump(), before);
}

/// The text of a failed tool call.
fn refusal(result: &Value) -> &Value {
    assert_eq!(result["isError"], true, "{result}");
    &result["content"][0]["text"]
}

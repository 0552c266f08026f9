//! Every MCP tool, by every caller, as every workspace: the result equals that of its route.

use std::collections::BTreeSet;

use orgmem_tests::entry_points::{ROUTES, Route, TOOLS, Tool};
use orgmem_tests::oracle::Scope;
use orgmem_tests::{Caller, On, Response, TestApp, for_each_store, run};
use serde_json::{Value, json};
use uuid::Uuid;

use super::fixture::{CallerKind, Fixture, POSITIONS};
use super::probe::probe;
use super::rest::{expected, is_success};

for_each_store!(tool_permits_and_refuses_like_its_route);

#[test]
fn registry_lists_exactly_the_tools() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        let response = call(&app.agent(bot), "/mcp", "tools/list", json!({})).await.expect(200).json();
        let served: BTreeSet<_> = response["result"]["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        let listed: BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(served, listed);
    });
}

async fn tool_permits_and_refuses_like_its_route(on: On) {
    let fixture = Fixture::create(on).await;
    for tool in TOOLS {
        for caller_kind in CallerKind::ALL {
            for position in POSITIONS {
                check(&fixture, tool, caller_kind, position).await;
            }
        }
    }
}

async fn check(fixture: &Fixture, tool: &Tool, caller_kind: CallerKind, position: &str) {
    let rest_route = route(tool.route);
    let caller = fixture.caller(caller_kind);
    let address = format!("/workspaces/{}/mcp", fixture.at(position));
    let params = json!({"name": tool.name, "arguments": arguments(fixture, tool, position).await});
    let response = call(&caller, &address, "tools/call", params).await;
    let about = format!("{caller_kind:?} at {position}, {}: {}", tool.name, response.describe());
    let outside = expected(fixture, route("call_mcp_as"), caller_kind, position);
    if !is_success(outside) {
        assert_eq!(response.status, outside, "{about}");
        return;
    }
    let status = expected(fixture, rest_route, caller_kind, position);
    let result = response.expect(200).json()["result"].clone();
    if is_success(status) {
        assert_ne!(result["isError"], json!(true), "{about}");
        let revealed = fixture.revealed(caller_kind, &result.to_string());
        assert!(revealed.is_empty(), "may not see {revealed:?}: {about}");
    } else {
        assert_eq!(result["isError"], json!(true), "{about}");
        let refused = probe(fixture, caller_kind, rest_route, position).send().await;
        assert_eq!(refused.status, status, "{}", refused.describe());
        assert_eq!(result["content"][0]["text"], refused.json()["detail"], "{about}");
    }
}

fn route(operation: &str) -> &'static Route {
    ROUTES.iter().find(|rest_route| rest_route.operation == operation).expect("a tool has a route")
}

/// Arguments with which the tool succeeds for permitted callers.
async fn arguments(fixture: &Fixture, tool: &Tool, position: &str) -> Value {
    match tool.name {
        "commit_memory" => json!({"content": "a new violin", "scope": "LOCAL"}),
        "commit_memory_v2" | "commit_summary" => json!({"content": "a new violin"}),
        "list_readable_namespaces" | "list_writable_namespaces" => json!({}),
        "search_memory" | "recall_memory" => json!({"query": "violin", "limit": 50}),
        "delete_memory" | "forget_memory" => json!({"memory_id": fresh_memory(fixture, position).await}),
        "edit_memory" => json!({"memory_id": fresh_memory(fixture, position).await, "confidence": 0.75}),
        "why_memory" => json!({"memory_id": fresh_memory(fixture, position).await, "query": "violin"}),
        "get_context" => json!({"query": "violin"}),
        "search_knowledge" => json!({"query": "violin", "limit": 50}),
        "read_document" => {
            let rest_route = route("read_document_content");
            json!({"id": fixture.document_at(position, rest_route, CallerKind::Anonymous)})
        }
        "patterns_for_change" => json!({"paths": ["src/violin.rs"]}),
        "read_pages" => json!({"query": "violin"}),
        "list_skills" => json!({}),
        "read_skill" => json!({"name": "violin"}),
        "record_outcome" | "propose_skill" => {
            let procedure = fixture.ids.procedures.get(&fixture.at(position)).copied().unwrap_or(Uuid::from_u128(7));
            match tool.name {
                "record_outcome" => json!({"memory_id": procedure, "outcome": "success"}),
                _ => json!({"memory_ids": [procedure], "name": "violin"}),
            }
        }
        "start_run" => json!({}),
        "finish_run" => {
            let run = fixture.ids.runs.get(&fixture.at(position)).copied().unwrap_or(Uuid::from_u128(8));
            json!({"run_id": run, "status": "failed"})
        }
        "session_search" => json!({"q": "violin"}),
        "memory_set" => json!({"key": "new", "value": [1]}),
        "memory_get" => json!({"key": "state"}),
        "memory_list" => json!({}),
        "memory_delete_kv" => {
            let workspace = fixture.at(position);
            if fixture.oracle.is_live(workspace) {
                let path = format!("/workspaces/{workspace}/memory");
                fixture.app.admin().post(&path, json!({"key": "going", "value": 1})).await.expect(200);
            }
            json!({"key": "going"})
        }
        other => panic!("no arguments are known for `{other}`"),
    }
}

async fn fresh_memory(fixture: &Fixture, position: &str) -> Uuid {
    let author = fixture.at(position);
    if !fixture.oracle.is_live(author) {
        return Uuid::from_u128(7);
    }
    fixture.app.admin().commit(author, Scope::Local.as_str(), "soon gone").await
}

/// A message, as a client of the stateless revision sends it.
pub(super) async fn call(caller: &Caller, address: &str, method: &str, params: Value) -> Response {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = caller.request("POST", address).json(message);
    let request = request.header("accept", "application/json, text/event-stream");
    request.header("mcp-protocol-version", "2025-06-18").send().await
}

//! Every MCP tool, by every caller, as every workspace: it does what its route does, and says what that says.

use std::collections::BTreeSet;

use orgmem_tests::doors::{Door, ROUTES, TOOLS, Tool};
use orgmem_tests::oracle::Scope;
use orgmem_tests::{Answer, Caller, On, TestApp, for_each_store, run};
use serde_json::{Value, json};
use uuid::Uuid;

use super::knock::knock;
use super::rest::{expected, is_success};
use super::world::{POSITIONS, Who, World};

for_each_store!(every_tool_opens_to_those_it_is_for_and_says_what_its_route_says);

#[test]
fn every_tool_has_a_row_and_every_row_a_tool() {
    run(async {
        let app = TestApp::new(On::Sqlite).await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        let answer = call(&app.agent(bot), "/mcp", "tools/list", json!({})).await.expect(200).json();
        let served: BTreeSet<_> = answer["result"]["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        let listed: BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(served, listed);
    });
}

async fn every_tool_opens_to_those_it_is_for_and_says_what_its_route_says(on: On) {
    let world = World::plant(on).await;
    for tool in TOOLS {
        for who in Who::ALL {
            for position in POSITIONS {
                check(&world, tool, who, position).await;
            }
        }
    }
}

async fn check(world: &World, tool: &Tool, who: Who, position: &str) {
    let door = route(tool.route);
    let caller = world.caller(who);
    let address = format!("/workspaces/{}/mcp", world.at(position));
    let params = json!({"name": tool.name, "arguments": arguments(world, tool, position).await});
    let answer = call(&caller, &address, "tools/call", params).await;
    let about = format!("{who:?} at {position}, {}: {}", tool.name, answer.shown());
    let outside = expected(world, route("call_mcp_as"), who, position);
    if !is_success(outside) {
        assert_eq!(answer.status, outside, "{about}");
        return;
    }
    let status = expected(world, door, who, position);
    let result = answer.expect(200).json()["result"].clone();
    if is_success(status) {
        assert_ne!(result["isError"], json!(true), "{about}");
        let revealed = world.revealed(who, &result.to_string());
        assert!(revealed.is_empty(), "may not see {revealed:?}: {about}");
    } else {
        assert_eq!(result["isError"], json!(true), "{about}");
        let refused = knock(world, who, door, position).send().await;
        assert_eq!(refused.status, status, "{}", refused.shown());
        assert_eq!(result["content"][0]["text"], refused.json()["detail"], "{about}");
    }
}

fn route(operation: &str) -> &'static Door {
    ROUTES.iter().find(|door| door.operation == operation).expect("a tool has a route")
}

/// Arguments with which the tool succeeds, for those it is for.
async fn arguments(world: &World, tool: &Tool, position: &str) -> Value {
    match tool.name {
        "commit_memory" => json!({"content": "a new violin", "scope": "LOCAL"}),
        "search_memory" | "recall_memory" => json!({"query": "violin", "limit": 50}),
        "delete_memory" | "forget_memory" => json!({"memory_id": fresh_memory(world, position).await}),
        "session_search" => json!({"q": "violin"}),
        "memory_set" => json!({"key": "new", "value": [1]}),
        "memory_get" => json!({"key": "state"}),
        "memory_list" => json!({}),
        "memory_delete_kv" => {
            let workspace = world.at(position);
            if world.oracle.is_live(workspace) {
                let path = format!("/workspaces/{workspace}/memory");
                world.app.admin().post(&path, json!({"key": "going", "value": 1})).await.expect(200);
            }
            json!({"key": "going"})
        }
        other => panic!("no arguments are known for `{other}`"),
    }
}

async fn fresh_memory(world: &World, position: &str) -> Uuid {
    let author = world.at(position);
    if !world.oracle.is_live(author) {
        return Uuid::from_u128(7);
    }
    world.app.admin().commit(author, Scope::Local.as_str(), "soon gone").await
}

/// One message of the protocol, as a client of the stateless revision sends it.
pub(super) async fn call(caller: &Caller, address: &str, method: &str, params: Value) -> Answer {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = caller.request("POST", address).json(message);
    let request = request.header("accept", "application/json, text/event-stream");
    request.header("mcp-protocol-version", "2025-06-18").send().await
}

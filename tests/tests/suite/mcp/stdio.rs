//! `orgmem mcp`: every line gets a response, and none ends the bridge.

use std::process::Stdio;

use orgmem_tests::{On, TestApp, for_each_store, program};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

for_each_store!(
    every_line_gets_a_response_and_none_ends_the_bridge,
    unreachable_server_is_reported_for_each_request,
    admin_acts_as_the_workspace_of_the_option,
    slashes_at_the_end_of_the_address_have_no_meaning,
    client_of_the_bridge_is_notified_of_changed_skills,
);

async fn every_line_gets_a_response_and_none_ends_the_bridge(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let token = app.token("agent", Some(bot)).text();
    let lines: [&[u8]; 8] = [
        b"{",
        b"\"\xff\"",
        b"",
        b"[]",
        br#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "ping"}]"#,
        br#"[{"jsonrpc": "2.0", "method": "notifications/initialized"}]"#,
        br#"{"id": 3}"#,
        br#"{"jsonrpc": "2.0", "id": 4, "method": "tools/call"}"#,
    ];
    let answers = run_bridge(app.address(), &token, &[], &lines.join(&b'\n')).await;
    let pong = |id: i64| json!({"jsonrpc": "2.0", "id": id, "result": {}});
    let codes: Vec<_> = answers.iter().map(|response| response["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [Some(-32700), Some(-32700), Some(-32600), None, Some(-32600), Some(-32602)], "{answers:#?}");
    assert_eq!(answers[3], json!([pong(1), pong(2)]));
    let ids: Vec<_> = [0, 1, 2, 4, 5].map(|at: usize| answers[at]["id"].clone()).into();
    assert_eq!(json!(ids), json!([null, null, null, 3, 4]), "{answers:#?}");
}

async fn unreachable_server_is_reported_for_each_request(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let token = app.token("agent", Some(bot)).text();
    let lines = br#"{"jsonrpc": "2.0", "method": "notifications/initialized"}
        [{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/cancelled"}]
        {"jsonrpc": "2.0", "id": "a", "method": "ping"}"#;
    // no server listens on the discard port
    let answers = run_bridge("http://127.0.0.1:9", &token, &[], lines).await;
    assert_eq!(answers.len(), 2, "{answers:#?}");
    assert_eq!((&answers[0][0]["id"], &answers[1]["id"]), (&json!(1), &json!("a")));
    for response in [&answers[0][0], &answers[1]] {
        let reason = response["error"]["message"].as_str().unwrap_or_default();
        assert!(reason.starts_with("cannot reach orgmem at http://127.0.0.1:9/mcp"), "{reason}");
    }
}

async fn admin_acts_as_the_workspace_of_the_option(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let token = app.token("admin", None).text();
    let call = br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory_set", "arguments": {"key": "a", "value": 5}}}"#;
    let workspace = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json();
    let name = workspace["name"].as_str().expect("a name");
    for (version, name) in [(1, bot.to_string().as_str()), (2, name)] {
        let answers = run_bridge(app.address(), &token, &["--workspace", name], call).await;
        assert_eq!(answers[0]["result"]["structuredContent"]["version"], version, "{answers:?}");
    }
    app.agent(bot).get(&format!("/workspaces/{bot}/memory/a")).await.expect(200);
    let answers = run_bridge(app.address(), &token, &[], call).await;
    let remedy = "an admin token is bound to no workspace; name one: `orgmem mcp --workspace <workspace>`, or over HTTP \
                  the address `/workspaces/{id}/mcp`";
    assert_eq!(answers[0]["error"], json!({"code": -32603, "message": remedy}));
}

async fn slashes_at_the_end_of_the_address_have_no_meaning(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let token = app.token("agent", Some(bot)).text();
    let ping = br#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
    for slashes in ["/", "//", "///"] {
        let answers = run_bridge(&format!("{}{slashes}", app.address()), &token, &[], ping).await;
        assert_eq!(answers, [json!({"jsonrpc": "2.0", "id": 1, "result": {}})], "{slashes}");
    }
}

/// The output of the bridge for these options and lines.
async fn run_bridge(server: &str, token: &str, options: &[&str], input: &[u8]) -> Vec<Value> {
    let mut command = Command::new(program());
    command.arg("mcp").args(options).env("ORGMEM_URL", server).env("ORGMEM_TOKEN", token).kill_on_drop(true);
    let mut bridge = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = bridge.stdin.take().expect("its input is piped");
    stdin.write_all(input).await.expect("it reads");
    drop(stdin);
    let output = bridge.wait_with_output().await.expect("it ends");
    assert!(output.status.success(), "the bridge ended with {}", output.status);
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

async fn client_of_the_bridge_is_notified_of_changed_skills(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let token = app.token("agent", Some(bot)).text();
    let mut command = Command::new(program());
    command.arg("mcp").env("ORGMEM_URL", app.address()).env("ORGMEM_TOKEN", token).kill_on_drop(true);
    let mut bridge = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = bridge.stdin.take().expect("its input is piped");
    let mut output = BufReader::new(bridge.stdout.take().expect("its output is piped")).lines();
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    input.write_all(format!("{hello}\n").as_bytes()).await.expect("it reads");
    let mut next = async || -> Value {
        let line = output.next_line().await.expect("text").expect("it runs");
        serde_json::from_str(&line).expect("JSON")
    };
    let capabilities = next().await["result"]["capabilities"].clone();
    for name in ["resources", "prompts"] {
        assert_eq!(capabilities[name]["listChanged"], true, "{capabilities}");
    }
    input.write_all(b"{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n").await.expect("it reads");
    let memory = json!({"content": "Press the button.", "title": "Deploy", "kind": "procedure", "scope": "LOCAL"});
    let procedure = app.agent(bot).commit_with(bot, memory).await;
    let skills = format!("/workspaces/{bot}/skills");
    app.agent(bot).post(&skills, json!({"memory_ids": [procedure], "name": "deploy"})).await.expect(201);
    // it begins to watch soon after the handshake, so the skill changes until it has noticed one
    let operator = app.operator(bot);
    let change = async || -> Value {
        loop {
            operator.post(&format!("{skills}/deploy/approve"), json!({})).await.expect(200);
            operator.delete(&format!("{skills}/deploy")).await.expect(200);
            operator.post(&skills, json!({"memory_ids": [procedure], "name": "deploy"})).await.expect(201);
        }
    };
    let notified = tokio::select! { notified = next() => notified, never = change() => never };
    assert_eq!(notified, json!({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"}));
    assert_eq!(next().await, json!({"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"}));
    drop(input);
}

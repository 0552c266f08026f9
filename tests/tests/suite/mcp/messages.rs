//! Invalid messages: JSON-RPC errors for messages, problems for requests that the transport refuses.

use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::{Value, json};

use super::{send_body, send_body_without_revision};

for_each_store!(
    invalid_message_has_a_json_rpc_error,
    invalid_parameters_are_named,
    transport_refusal_is_a_problem,
    server_negotiates_every_revision,
    response_is_json_for_every_accept_header,
);

async fn invalid_message_has_a_json_rpc_error(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let shape = "not a JSON-RPC 2.0 message: send an object with `jsonrpc`: \"2.0\", a `method`, and for a request an \
                 `id`, a string or a whole number";
    let deep = "[".repeat(100_000);
    let cases: [(&[u8], Value, i64, &str); 11] = [
        (b"{", json!(null), -32700, "the body is not JSON: EOF while parsing an object at line 1 column 1"),
        (b"", json!(null), -32700, "the body is not JSON: EOF while parsing a value at line 1 column 0"),
        (b"{\"jsonrpc\": \"\xff\"}", json!(null), -32700, "the body must be UTF-8; byte 13 is not"),
        (b"{\"a\": {}", json!(null), -32700, "the body is not JSON: EOF while parsing an object at line 1 column 8"),
        (
            &[&br#"{"a": "#[..], deep.as_bytes()].concat(),
            json!(null),
            -32600,
            "the body nests deeper than 127 levels; reduce the nesting",
        ),
        (b"7", json!(null), -32600, shape),
        (b"{}", json!(null), -32600, shape),
        (br#"{"id": 1, "method": "ping"}"#, json!(1), -32600, shape),
        (br#"{"jsonrpc": "1.0", "id": "a", "method": "ping"}"#, json!("a"), -32600, shape),
        (br#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, json!(null), -32600, shape),
        (br#"{"jsonrpc": "2.0", "id": 1, "method": 5}"#, json!(1), -32600, shape),
    ];
    for address in ["/mcp".to_owned(), format!("/workspaces/{bot}/mcp")] {
        for (body, id, code, message) in &cases {
            let response = send_body(&app.agent(bot), &address, body).await.expect(400).json();
            let expected = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
            assert_eq!(response, expected, "{}", String::from_utf8_lossy(&body[..body.len().min(80)]));
        }
    }
}

async fn invalid_parameters_are_named(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for (method, params, reason) in [
        ("tools/call", json!(null), "invalid `params` of `tools/call`: `name` is missing"),
        ("tools/call", json!({"arguments": {}}), "invalid `params` of `tools/call`: `name` is missing"),
        (
            "tools/call",
            json!({"name": "memory_list", "arguments": []}),
            "invalid `params` of `tools/call`: `arguments` must be an object, not an array",
        ),
        ("tools/call", json!(["memory_list"]), "`params` of `tools/call` must be an object"),
        ("initialize", json!({}), "invalid `params` of `initialize`: `protocolVersion` is missing"),
    ] {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string();
        let response = send_body(&app.agent(bot), "/mcp", &message).await.expect(200).json();
        assert_eq!(response["error"], json!({"code": -32602, "message": reason}), "{message}");
        assert_eq!(response["id"], 7);
    }
    for (name, nearest) in [
        ("comit_memory", "commit_memory"),
        ("SearchMemory", "search_memory"),
        ("recall", "recall_memory"),
        ("memory_search", "search_memory"),
        ("context.get", "get_context"),
    ] {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": name}}).to_string();
        let response = send_body(&app.agent(bot), "/mcp", &message).await.expect(200).json();
        let reason = format!("unknown tool `{name}`; the nearest is `{nearest}`");
        assert_eq!(response["error"], json!({"code": -32602, "message": reason}));
    }
    let bare = r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}"#;
    assert_eq!(send_body(&app.agent(bot), "/mcp", bare).await.json()["error"]["code"], -32602);
    let unknown = r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/guess"}"#;
    assert_eq!(send_body(&app.agent(bot), "/mcp", unknown).await.json()["error"]["code"], -32601);
}

async fn transport_refusal_is_a_problem(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let ping = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
    for address in ["/mcp".to_owned(), format!("/workspaces/{bot}/mcp")] {
        let with = |name: &str, value: &str| send_body_without_revision(&agent, &address, ping).header(name, value);
        let origin = "MCP is not available to pages of this origin; the operator of the server can add it to `mcp.allowed_origins`";
        check_problem(&with("origin", "https://evil.example").send().await, 403, "forbidden", origin);
        let host =
            "MCP is not available under this host name; the operator of the server can add it to `mcp.allowed_hosts`";
        check_problem(&with("host", "evil.example").send().await, 403, "forbidden", host);
        let revision = "the header `MCP-Protocol-Version` must be a supported revision: `2026-07-28`, \
                        `2025-11-25`, `2025-06-18`, `2025-03-26`, `2024-11-05`";
        check_problem(&with("mcp-protocol-version", "1999-12-31").send().await, 400, "invalid_field", revision);
        let kind = "the body must be `application/json`; set `Content-Type` accordingly";
        let text = agent.request("POST", &address).body("text/plain", ping);
        check_problem(&text.send().await, 415, "unsupported_media_type", kind);
    }
}

async fn server_negotiates_every_revision(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let params = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
        let agreed = send_body_without_revision(&app.agent(bot), "/mcp", &hello).send().await.expect(200).json();
        assert_eq!(agreed["result"]["protocolVersion"], revision);
        let ready = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
        let ready = send_body_without_revision(&app.agent(bot), "/mcp", ready).header("mcp-protocol-version", revision);
        assert!(ready.send().await.expect(202).body.is_empty());
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string();
    let list = send_body_without_revision(&app.agent(bot), "/mcp", &list).header("mcp-protocol-version", "2026-07-28");
    let list = list.header("mcp-method", "tools/list").send().await.expect(200).json();
    assert!(list["result"]["tools"].is_array(), "{list}");
}

async fn response_is_json_for_every_accept_header(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for accepted in ["*/*", "application/json", "text/html"] {
        let ping = app.agent(bot).request("POST", "/mcp").header("accept", accepted);
        let ping = ping.json(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).send().await.expect(200);
        assert_eq!(ping.header("content-type"), Some("application/json"));
    }
}

/// Checks a problem, with `error` for clients that read it.
#[track_caller]
fn check_problem(response: &Response, status: u16, code: &str, detail: &str) {
    let problem = response.refused(status, code);
    assert_eq!((&problem["detail"], &problem["error"]), (&json!(detail), &json!(detail)));
}

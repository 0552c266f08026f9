//! What is no message of the protocol is answered in the protocol's words; what has nothing to do with it is a problem.

use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::{Value, json};

use super::{say, saying};

for_each_store!(
    what_is_no_message_is_answered_as_json_rpc_answers_it,
    parameters_that_cannot_be_taken_are_named,
    what_the_transport_refuses_is_a_problem,
    clients_of_every_revision_agree_on_theirs,
    whatever_a_client_would_accept_it_gets_json,
);

async fn what_is_no_message_is_answered_as_json_rpc_answers_it(on: On) {
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
            let response = say(&app.agent(bot), &address, body).await.expect(400).json();
            let expected = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
            assert_eq!(response, expected, "{}", String::from_utf8_lossy(&body[..body.len().min(80)]));
        }
    }
}

async fn parameters_that_cannot_be_taken_are_named(on: On) {
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
        let response = say(&app.agent(bot), "/mcp", &message).await.expect(200).json();
        assert_eq!(response["error"], json!({"code": -32602, "message": reason}), "{message}");
        assert_eq!(response["id"], 7);
    }
    let bare = r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}"#;
    assert_eq!(say(&app.agent(bot), "/mcp", bare).await.json()["error"]["code"], -32602);
    let unknown = r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/guess"}"#;
    assert_eq!(say(&app.agent(bot), "/mcp", unknown).await.json()["error"]["code"], -32601);
}

async fn what_the_transport_refuses_is_a_problem(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let ping = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
    for address in ["/mcp".to_owned(), format!("/workspaces/{bot}/mcp")] {
        let with = |name: &str, value: &str| saying(&agent, &address, ping).header(name, value);
        let origin =
            "MCP does not response pages of this origin; whoever runs the server adds it to `mcp.allowed_origins`";
        told(&with("origin", "https://evil.example").send().await, 403, "forbidden", origin);
        let host =
            "MCP is not available under this host name; the operator of the server can add it to `mcp.allowed_hosts`";
        told(&with("host", "evil.example").send().await, 403, "forbidden", host);
        let revision = "the header `MCP-Protocol-Version` must be a supported revision: `2026-07-28`, \
                        `2025-11-25`, `2025-06-18`, `2025-03-26`, `2024-11-05`";
        told(&with("mcp-protocol-version", "1999-12-31").send().await, 400, "invalid_field", revision);
        let kind = "the body must be `application/json`; set `Content-Type` accordingly";
        let text = agent.request("POST", &address).body("text/plain", ping);
        told(&text.send().await, 415, "unsupported_media_type", kind);
    }
}

async fn clients_of_every_revision_agree_on_theirs(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let params = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
        let agreed = saying(&app.agent(bot), "/mcp", &hello).send().await.expect(200).json();
        assert_eq!(agreed["result"]["protocolVersion"], revision);
        let ready = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
        let ready = saying(&app.agent(bot), "/mcp", ready).header("mcp-protocol-version", revision);
        assert!(ready.send().await.expect(202).body.is_empty());
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string();
    let list = saying(&app.agent(bot), "/mcp", &list).header("mcp-protocol-version", "2026-07-28");
    let list = list.header("mcp-method", "tools/list").send().await.expect(200).json();
    assert!(list["result"]["tools"].is_array(), "{list}");
}

async fn whatever_a_client_would_accept_it_gets_json(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for accepted in ["*/*", "application/json", "text/html"] {
        let ping = app.agent(bot).request("POST", "/mcp").header("accept", accepted);
        let ping = ping.json(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).send().await.expect(200);
        assert_eq!(ping.header("content-type"), Some("application/json"));
    }
}

/// A problem like every other one: `error` is there for clients that read it.
#[track_caller]
fn told(response: &Response, status: u16, code: &str, detail: &str) {
    let problem = response.refused(status, code);
    assert_eq!((&problem["detail"], &problem["error"]), (&json!(detail), &json!(detail)));
}

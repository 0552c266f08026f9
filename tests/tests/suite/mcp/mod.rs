//! MCP: the descriptions of tools, and responses to invalid messages.

mod arguments;
mod batches;
mod browsers;
mod messages;
mod namespaces;
mod resources;
mod stdio;
mod tools;

use orgmem_tests::{Caller, Request, Response};
use serde_json::{Value, json};

/// The revision for tests that do not depend on it.
const REVISION: &str = "2025-06-18";

/// Calls a tool as the workspace of the token and returns its result.
pub(crate) async fn use_tool(caller: &Caller, name: &str, arguments: Value) -> Value {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments},
    });
    send_body(caller, "/mcp", &message.to_string()).await.expect(200).json()["result"].clone()
}

/// Sends any body.
async fn send_body(caller: &Caller, address: &str, body: impl AsRef<[u8]>) -> Response {
    send_body_without_revision(caller, address, body).header("mcp-protocol-version", REVISION).send().await
}

/// The same without a negotiated revision.
fn send_body_without_revision(caller: &Caller, address: &str, body: impl AsRef<[u8]>) -> Request {
    let request = caller.request("POST", address).body("application/json", body.as_ref());
    request.header("accept", "application/json, text/event-stream")
}

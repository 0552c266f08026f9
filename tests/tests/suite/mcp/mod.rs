//! MCP as its clients meet it: what tools say of themselves, and what is answered to what is no message of the protocol.

mod arguments;
mod batches;
mod messages;
mod stdio;
mod tools;

use orgmem_tests::{Caller, Request, Response};
use serde_json::{Value, json};

/// The revision that these tests speak where it does not matter.
const REVISION: &str = "2025-06-18";

/// Calls a tool as the workspace of the token: its result.
async fn use_tool(caller: &Caller, name: &str, arguments: Value) -> Value {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments},
    });
    say(caller, "/mcp", &message.to_string()).await.expect(200).json()["result"].clone()
}

/// Sends this body, whatever it is.
async fn say(caller: &Caller, address: &str, body: impl AsRef<[u8]>) -> Response {
    saying(caller, address, body).header("mcp-protocol-version", REVISION).send().await
}

/// The same before any revision was agreed on.
fn saying(caller: &Caller, address: &str, body: impl AsRef<[u8]>) -> Request {
    let request = caller.request("POST", address).body("application/json", body.as_ref());
    request.header("accept", "application/json, text/event-stream")
}

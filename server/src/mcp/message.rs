//! Validates messages before the SDK sees them, and answers invalid ones with JSON-RPC errors. The SDK would answer with
//! plain text, which clients do not expect.

use bytes::Bytes;
use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, InitializeRequestParams, JsonRpcMessage,
};
use serde_json::{Value, json};

use crate::decode::{self, ReadFault};

/// The only revision of the protocol with batches.
const BATCHES_IN: &str = "2025-03-26";

/// Limits the work of one request: each message is a separate call.
const MAX_BATCH: usize = 50;

/// Nesting limit, which bounds the recursion of the parser.
const MAX_DEPTH: usize = 127;

pub(super) const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

#[derive(Debug)]
pub(super) enum Body {
    One(Bytes),
    Batch(Vec<Value>),
}

/// A JSON-RPC error for an invalid message.
#[derive(Debug, PartialEq)]
pub(super) struct MessageFault {
    id: Value,
    code: i64,
    message: String,
}

impl MessageFault {
    fn invalid_request(id: Value, message: impl Into<String>) -> Self {
        Self { id, code: INVALID_REQUEST, message: message.into() }
    }

    pub(super) fn response(&self) -> Value {
        failure(&self.id, self.code, &self.message)
    }

    /// A valid request with invalid parameters. Its response has the HTTP status 200.
    pub(super) fn is_invalid_params(&self) -> bool {
        self.code == INVALID_PARAMS
    }
}

/// The JSON-RPC error response to the request with this id.
pub(super) fn failure(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Reads a body.
///
/// # Arguments
/// `revision`: the value of the client's `MCP-Protocol-Version`, if any.
///
/// # Errors
/// [`MessageFault`] when the body is neither a message nor an allowed batch. [`of_batch`] checks the messages of a batch.
pub(super) fn read(body: Bytes, revision: Option<&str>) -> Result<Body, MessageFault> {
    if !body.trim_ascii_start().starts_with(b"[") {
        return check(&body).map(|()| Body::One(body));
    }
    // clients send the header since the revision that abolished batches; without it the revision may have batches
    if revision.is_some_and(|revision| revision != BATCHES_IN) {
        return Err(MessageFault::invalid_request(
            Value::Null,
            "this revision of the protocol has no batches; send one message per request",
        ));
    }
    match value(&body)? {
        Value::Array(messages) if messages.is_empty() => {
            Err(MessageFault::invalid_request(Value::Null, "the batch is empty; send at least one message"))
        }
        Value::Array(messages) if messages.len() > MAX_BATCH => {
            let reason = format!("the batch has more than {MAX_BATCH} messages; split it");
            Err(MessageFault::invalid_request(Value::Null, reason))
        }
        Value::Array(messages) => Ok(Body::Batch(messages)),
        _ => Ok(Body::One(body)),
    }
}

/// Checks one message of a batch.
///
/// # Errors
/// [`MessageFault`], as for a body.
pub(super) fn of_batch(message: &Value) -> Result<Bytes, MessageFault> {
    if message["method"] == "initialize" {
        return Err(MessageFault::invalid_request(
            id(message),
            "`initialize` is not allowed in a batch; send it as the first request",
        ));
    }
    let bytes = Bytes::from(message.to_string());
    check(&bytes).map(|()| bytes)
}

/// Checks that the bytes are a message. Valid messages are parsed only once.
fn check(bytes: &[u8]) -> Result<(), MessageFault> {
    let read = serde_json::from_slice::<ClientJsonRpcMessage>(bytes);
    if read.as_ref().is_ok_and(|message| !is_unknown(message)) {
        return Ok(());
    }
    let message = value(bytes)?;
    let id = id(&message);
    if let (false, "2.0", Some(method)) =
        (id.is_null(), message["jsonrpc"].as_str().unwrap_or_default(), message["method"].as_str())
        && let Some(reason) = params_fault(method, &message["params"])
    {
        return Err(MessageFault { id, code: INVALID_PARAMS, message: reason });
    }
    let expected = "not a JSON-RPC 2.0 message: send an object with `jsonrpc`: \"2.0\", a `method`, and for a request an \
                    `id`, a string or a whole number";
    read.map(drop).map_err(|_| MessageFault::invalid_request(id, expected))
}

/// The SDK parses a known method with invalid parameters as a custom request.
fn is_unknown(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(call) if matches!(call.request, ClientRequest::CustomRequest(_)))
}

fn value(bytes: &[u8]) -> Result<Value, MessageFault> {
    decode::any_json(bytes, MAX_DEPTH).map_err(|fault| {
        let is_valid = matches!(fault, ReadFault::TooDeep { .. } | ReadFault::TooManyValues { .. });
        let code = if is_valid { INVALID_REQUEST } else { PARSE_ERROR };
        MessageFault { id: Value::Null, code, message: fault.to_string() }
    })
}

/// The id for the response; null without a valid id.
fn id(message: &Value) -> Value {
    let id = &message["id"];
    if id.is_string() || id.is_i64() { id.clone() } else { Value::Null }
}

/// The fault in the parameters of a known method. `None` for valid parameters and unknown methods.
fn params_fault(method: &str, params: &Value) -> Option<String> {
    let empty = json!({});
    let params = if params.is_null() { &empty } else { params };
    let read: fn(&Value) -> Option<ReadFault> = match method {
        "initialize" => |params| decode::json_value::<InitializeRequestParams>(params).err(),
        "tools/call" => |params| decode::json_value::<CallToolRequestParams>(params).err(),
        "ping" | "server/discover" | "tools/list" => |_| None,
        _ => return None,
    };
    if !params.is_object() {
        return Some(format!("`params` of `{method}` must be an object"));
    }
    read(params).map(|fault| format!("invalid `params` of `{method}`: {fault}"))
}

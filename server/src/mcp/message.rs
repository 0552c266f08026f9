//! What was sent, before the SDK sees it: what is no message of the protocol is answered here, in the protocol's own
//! words. The SDK would answer with a sentence that no client looks for there.

use bytes::Bytes;
use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, InitializeRequestParams, JsonRpcMessage,
};
use serde_json::{Value, json};

use crate::decode::{self, ReadFault};

/// The revision of the protocol that has batches; those before and after it have none.
const BATCHES_IN: &str = "2025-03-26";

/// Each message of a batch is a call of its own, and they are carried out one after the other.
const MAX_BATCH: usize = 50;

/// The deepest that recursion may go while reading.
const MAX_DEPTH: usize = 127;

/// What is no JSON.
pub(super) const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

/// What a body holds.
#[derive(Debug)]
pub(super) enum Sent {
    /// One message, as it came.
    One(Bytes),
    /// Several, in their order.
    Batch(Vec<Value>),
}

/// Why something is no message, as JSON-RPC answers it.
#[derive(Debug, PartialEq)]
pub(super) struct MessageFault {
    id: Value,
    code: i64,
    message: String,
}

impl MessageFault {
    /// What is sent is no request.
    fn invalid(id: Value, message: impl Into<String>) -> Self {
        Self { id, code: INVALID_REQUEST, message: message.into() }
    }

    /// The message that says so.
    pub(super) fn answer(&self) -> Value {
        failure(&self.id, self.code, &self.message)
    }

    /// Whether this answers a request, which HTTP then has nothing to say against.
    pub(super) fn is_answer(&self) -> bool {
        self.code == INVALID_PARAMS
    }
}

/// The message that answers the request of this id with an error.
pub(super) fn failure(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Reads a body.
///
/// # Arguments
/// `revision`: the one that the client says it speaks, if it does.
///
/// # Errors
/// [`MessageFault`] when it is no message, and no batch of a revision that has batches. What is wrong with one message of a
/// batch is answered in its place.
pub(super) fn read(body: Bytes, revision: Option<&str>) -> Result<Sent, MessageFault> {
    if !body.trim_ascii_start().starts_with(b"[") {
        return check(&body).map(|()| Sent::One(body));
    }
    // the first revision that asks clients to name it is the one that ended batches
    if revision.is_some_and(|revision| revision != BATCHES_IN) {
        return Err(MessageFault::invalid(
            Value::Null,
            "this revision of the protocol has no batches; send each message alone",
        ));
    }
    match value(&body)? {
        Value::Array(messages) if messages.is_empty() => {
            Err(MessageFault::invalid(Value::Null, "the batch is empty; put messages into it"))
        }
        Value::Array(messages) if messages.len() > MAX_BATCH => {
            let reason = format!("the batch has more than {MAX_BATCH} messages; send them in several");
            Err(MessageFault::invalid(Value::Null, reason))
        }
        Value::Array(messages) => Ok(Sent::Batch(messages)),
        _ => Ok(Sent::One(body)),
    }
}

/// One message of a batch, to be sent on alone.
///
/// # Errors
/// [`MessageFault`], as for a body.
pub(super) fn of_batch(message: &Value) -> Result<Bytes, MessageFault> {
    if message["method"] == "initialize" {
        return Err(MessageFault::invalid(id(message), "`initialize` comes before all others; send it alone"));
    }
    let bytes = Bytes::from(message.to_string());
    check(&bytes).map(|()| bytes)
}

/// Whether these bytes are a message. Most are, and are looked at once.
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
    let expected = "a message of JSON-RPC 2.0 is an object with `jsonrpc`: \"2.0\", a `method`, and where an answer is \
                    wanted an `id`, a string or a whole number";
    read.map(drop).map_err(|_| MessageFault::invalid(id, expected))
}

/// The SDK takes a request that it knows for one that it does not when the parameters are others.
fn is_unknown(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(sent) if matches!(sent.request, ClientRequest::CustomRequest(_)))
}

fn value(bytes: &[u8]) -> Result<Value, MessageFault> {
    decode::any_json(bytes, MAX_DEPTH).map_err(|fault| {
        let code = if matches!(fault, ReadFault::TooDeep { .. }) { INVALID_REQUEST } else { PARSE_ERROR };
        MessageFault { id: Value::Null, code, message: fault.to_string() }
    })
}

/// The id by which the sender will know the answer; null where there is none that may be.
fn id(message: &Value) -> Value {
    let id = &message["id"];
    if id.is_string() || id.is_i64() { id.clone() } else { Value::Null }
}

/// What is wrong with the parameters of a method that is served here; nothing where they are as they should be, or the
/// method is none.
fn params_fault(method: &str, params: &Value) -> Option<String> {
    let none = json!({});
    let params = if params.is_null() { &none } else { params };
    let read: fn(&Value) -> Option<ReadFault> = match method {
        "initialize" => |params| decode::json_value::<InitializeRequestParams>(params).err(),
        "tools/call" => |params| decode::json_value::<CallToolRequestParams>(params).err(),
        "ping" | "server/discover" | "tools/list" => |_| None,
        _ => return None,
    };
    if !params.is_object() {
        return Some(format!("`params` of `{method}` must be an object"));
    }
    read(params).map(|fault| format!("`params` of `{method}` cannot be taken: {fault}"))
}

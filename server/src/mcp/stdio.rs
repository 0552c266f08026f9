//! The bridge from stdio, for clients that start a program. It forwards every message or batch unchanged to `/mcp` of the
//! server and writes the responses.
//!
//! The bridge does not know the tools. It adds the HTTP headers that the protocol requires: the revision, and for newer
//! revisions the method and the name, all from the message itself. Clients of the revisions with `initialize` are notified
//! when the skills change, which a server without sessions cannot do.

use std::sync::Arc;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, watch};

use super::message::{PARSE_ERROR, failure};

const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");
const CONTEXT_HEADER: HeaderName = HeaderName::from_static("x-audit-context");
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// JSON-RPC code for failures between the client and the server.
const INTERNAL_ERROR: i64 = -32603;

/// The changes of the skills that the caller can use.
#[derive(Clone, Debug)]
pub struct SkillChanges {
    /// Notified when a client wants to know them.
    pub wanted: Arc<Notify>,
    /// Changes when the skills change.
    pub count: watch::Receiver<u64>,
}

/// A bridge from stdio to one server.
pub struct Bridge {
    client: reqwest::Client,
    endpoint: String,
    token: String,
    /// The revision negotiated by `initialize`, for clients of earlier revisions.
    revision: Option<String>,
    /// For the audit rows of all calls.
    audit_context: Option<HeaderValue>,
    /// Absent if nobody watches the skills.
    skills: Option<SkillChanges>,
    /// Whether the client has completed the handshake.
    is_initialized: bool,
}

impl Bridge {
    /// A bridge to `endpoint`, such as `http://127.0.0.1:7070/mcp`, with the bearer token `token`.
    #[must_use]
    pub fn new(client: reqwest::Client, endpoint: String, token: String) -> Self {
        Self { client, endpoint, token, revision: None, audit_context: None, skills: None, is_initialized: false }
    }

    /// The same bridge, whose requests have this `X-Audit-Context`.
    pub(crate) fn with_audit_context(self, audit_context: Option<HeaderValue>) -> Self {
        Self { audit_context, ..self }
    }

    /// The same bridge, which notifies its client of these changes.
    #[must_use]
    pub fn with_skills(self, skills: SkillChanges) -> Self {
        Self { skills: Some(skills), ..self }
    }

    /// Forwards messages, one per line, until the input ends. Responses are in the order of the requests.
    ///
    /// # Errors
    /// When reading or writing the streams fails. An unreachable server is an error response to the client instead.
    pub async fn run(
        &mut self,
        mut input: impl AsyncBufRead + Unpin,
        mut output: impl AsyncWrite + Unpin,
    ) -> std::io::Result<()> {
        let mut line = Vec::new();
        // bytes instead of text: a line that is not UTF-8 gets an error response like any other invalid message
        let mut skills = self.skills.clone();
        loop {
            // a read that is interrupted leaves what it has read in `line`
            let is_end = tokio::select! {
                read = input.read_until(b'\n', &mut line) => read? == 0,
                () = changed(&mut skills), if self.is_initialized => {
                    for method in ["notifications/resources/list_changed", "notifications/prompts/list_changed"] {
                        write(&mut output, &json!({"jsonrpc": "2.0", "method": method})).await?;
                    }
                    continue;
                }
            };
            let message = line.trim_ascii();
            if !message.is_empty() {
                for response in self.forward(message).await {
                    write(&mut output, &response).await?;
                }
            }
            if is_end {
                return Ok(());
            }
            line.clear();
        }
    }

    async fn forward(&mut self, line: &[u8]) -> Vec<Value> {
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) => return vec![failure(&Value::Null, PARSE_ERROR, &format!("the line is not JSON: {error}"))],
        };
        match self.call(&message, line).await {
            Ok(responses) => {
                self.remember_revision(&message, &responses);
                if message["method"] == "notifications/initialized" {
                    self.is_initialized = true;
                    self.skills.iter().for_each(|skills| skills.wanted.notify_one());
                }
                match self.skills.is_some() && message["method"] == "initialize" {
                    true => responses.into_iter().map(with_notifications).collect(),
                    false => responses,
                }
            }
            Err(error) => Vec::from_iter(failures(&message, &error)),
        }
    }

    async fn call(&self, message: &Value, line: &[u8]) -> Result<Vec<Value>, String> {
        let request = self.client.post(&self.endpoint).bearer_auth(&self.token).headers(self.headers(message));
        let response = request.body(line.to_owned()).send().await;
        let response = response.map_err(|error| format!("cannot reach orgmem at {}: {error}", self.endpoint))?;
        let status = response.status();
        let is_stream =
            response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let body = response.text().await.map_err(|error| format!("the response is incomplete: {error}"))?;
        let texts: Vec<&str> = match is_stream {
            true => body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).collect(),
            false => vec![body.trim()],
        };
        let messages: Vec<Value> = texts
            .into_iter()
            .filter(|text| !text.is_empty())
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect();
        match messages.first() {
            Some(message) if message.is_array() || message.get("jsonrpc").is_some() => Ok(messages),
            None if status.is_success() => Ok(messages),
            problem => Err(refusal(status.as_u16(), problem)),
        }
    }

    fn headers(&self, message: &Value) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if let Some(context) = &self.audit_context {
            headers.insert(CONTEXT_HEADER, context.clone());
        }
        let params = &message["params"];
        let revision = params["_meta"][VERSION_KEY].as_str().or(self.revision.as_deref());
        let name = params["name"].as_str().or_else(|| params["uri"].as_str());
        let values = [(VERSION_HEADER, revision), (METHOD_HEADER, message["method"].as_str()), (NAME_HEADER, name)];
        for (header, text) in values {
            if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
                headers.insert(header, value);
            }
        }
        headers
    }

    fn remember_revision(&mut self, message: &Value, responses: &[Value]) {
        if message["method"] == "initialize" {
            let revision = responses.iter().find_map(|response| response["result"]["protocolVersion"].as_str());
            self.revision = revision.map(str::to_owned);
        }
    }
}

/// Completes at the next change; never without a watcher.
async fn changed(skills: &mut Option<SkillChanges>) {
    if let Some(skills) = skills
        && skills.count.changed().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

async fn write(output: &mut (impl AsyncWrite + Unpin), message: &Value) -> std::io::Result<()> {
    output.write_all(format!("{message}\n").as_bytes()).await?;
    output.flush().await
}

/// The response to `initialize` with the notifications that the bridge adds.
fn with_notifications(mut response: Value) -> Value {
    if let Some(capabilities) = response.pointer_mut("/result/capabilities").and_then(Value::as_object_mut) {
        for name in ["resources", "prompts"] {
            if let Some(capability) = capabilities.get_mut(name).and_then(Value::as_object_mut) {
                capability.insert("listChanged".to_owned(), true.into());
            }
        }
    }
    response
}

/// The message for a response that is not JSON-RPC, usually a problem.
fn refusal(status: u16, problem: Option<&Value>) -> String {
    match problem.and_then(|problem| problem["detail"].as_str()) {
        Some(detail) => detail.to_owned(),
        None => format!("the server returned status {status}"),
    }
}

/// The error responses to a message or to each request of a batch. Notifications get none.
fn failures(message: &Value, error: &str) -> Option<Value> {
    let failed = |id: &Value| failure(id, INTERNAL_ERROR, error);
    let response = match message {
        Value::Array(batch) => {
            let failures: Vec<Value> = batch.iter().filter_map(|message| message.get("id")).map(failed).collect();
            (!failures.is_empty()).then_some(Value::Array(failures))
        }
        single => single.get("id").map(failed),
    };
    if response.is_none() {
        tracing::warn!(%error, "a notification was not forwarded");
    }
    response
}

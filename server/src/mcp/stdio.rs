//! stdio for clients that start a program: every message goes to the server's `/mcp` as it is, a batch as well, and every
//! answer comes back.
//!
//! The bridge knows nothing of tools. It adds what HTTP wants beside the message: the protocol version, and for the
//! revisions that ask for it the method and the name, all read from the message itself.

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::message::{PARSE_ERROR, failure};

const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// JSON-RPC's code for a fault on the way.
const INTERNAL_ERROR: i64 = -32603;

/// The bridge from stdio to one server.
pub struct Bridge {
    client: reqwest::Client,
    endpoint: String,
    token: String,
    /// What `initialize` agreed on, for clients of the earlier revisions.
    agreed: Option<String>,
}

impl Bridge {
    /// A bridge to `endpoint`, such as `http://127.0.0.1:7070/mcp`, as the bearer of `token`.
    #[must_use]
    pub fn new(client: reqwest::Client, endpoint: String, token: String) -> Self {
        Self { client, endpoint, token, agreed: None }
    }

    /// Passes messages on, one a line, until the input ends. Requests are answered in the order in which they came.
    ///
    /// # Errors
    /// What reading or writing the streams fails with. A server that cannot be reached is told to the client as the
    /// answer to its request.
    pub async fn run(
        &mut self,
        mut input: impl AsyncBufRead + Unpin,
        mut output: impl AsyncWrite + Unpin,
    ) -> std::io::Result<()> {
        let mut line = Vec::new();
        // bytes, as a line that is no text is answered like any other that is no message
        while input.read_until(b'\n', &mut line).await? > 0 {
            let message = line.trim_ascii();
            if !message.is_empty() {
                for answer in self.pass_on(message).await {
                    output.write_all(format!("{answer}\n").as_bytes()).await?;
                }
                output.flush().await?;
            }
            line.clear();
        }
        Ok(())
    }

    async fn pass_on(&mut self, line: &[u8]) -> Vec<Value> {
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) => return vec![failure(&Value::Null, PARSE_ERROR, &format!("the line is not JSON: {error}"))],
        };
        match self.ask(&message, line).await {
            Ok(answers) => {
                self.remember_version(&message, &answers);
                answers
            }
            Err(error) => Vec::from_iter(unanswered(&message, &error)),
        }
    }

    async fn ask(&self, message: &Value, line: &[u8]) -> Result<Vec<Value>, String> {
        let request = self.client.post(&self.endpoint).bearer_auth(&self.token).headers(self.headers(message));
        let answer = request.body(line.to_owned()).send().await;
        let answer = answer.map_err(|error| format!("orgmem cannot be reached at {}: {error}", self.endpoint))?;
        let status = answer.status();
        let is_stream =
            answer.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let body = answer.text().await.map_err(|error| format!("the answer broke off: {error}"))?;
        let texts: Vec<&str> = match is_stream {
            true => body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).collect(),
            false => vec![body.trim()],
        };
        let answers: Vec<Value> = texts
            .into_iter()
            .filter(|text| !text.is_empty())
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect();
        match answers.first() {
            Some(answer) if answer.is_array() || answer.get("jsonrpc").is_some() => Ok(answers),
            None if status.is_success() => Ok(answers),
            problem => Err(refusal(status.as_u16(), problem)),
        }
    }

    fn headers(&self, message: &Value) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let params = &message["params"];
        let version = params["_meta"][VERSION_KEY].as_str().or(self.agreed.as_deref());
        let name = params["name"].as_str().or_else(|| params["uri"].as_str());
        let named = [(VERSION_HEADER, version), (METHOD_HEADER, message["method"].as_str()), (NAME_HEADER, name)];
        for (header, text) in named {
            if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
                headers.insert(header, value);
            }
        }
        headers
    }

    fn remember_version(&mut self, message: &Value, answers: &[Value]) {
        if message["method"] == "initialize" {
            let agreed = answers.iter().find_map(|answer| answer["result"]["protocolVersion"].as_str());
            self.agreed = agreed.map(str::to_owned);
        }
    }
}

/// What a problem of the server says, for an answer that is no JSON-RPC.
fn refusal(status: u16, problem: Option<&Value>) -> String {
    match problem.and_then(|problem| problem["detail"].as_str()) {
        Some(detail) => detail.to_owned(),
        None => format!("the server answered with status {status}"),
    }
}

/// What a client is told of a message, or of each request of a batch, that found no answer. Notifications get none.
fn unanswered(message: &Value, error: &str) -> Option<Value> {
    let failed = |id: &Value| failure(id, INTERNAL_ERROR, error);
    let headers = match message {
        Value::Array(batch) => {
            let failures: Vec<Value> = batch.iter().filter_map(|message| message.get("id")).map(failed).collect();
            (!failures.is_empty()).then_some(Value::Array(failures))
        }
        one => one.get("id").map(failed),
    };
    if headers.is_none() {
        tracing::warn!(%error, "a notification was not passed on");
    }
    headers
}

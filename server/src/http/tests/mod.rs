//! Tests of the interface over HTTP. Each test starts a server on a free port.

mod answers;
mod bodies;
mod boundary;
mod description;
mod rows;
mod schema;
mod shutdown;
mod streams;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_store::ManualClock;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use tempfile::TempDir;

use crate::config::{Config, Settings, Sources};
use crate::serve::{Running, start};

/// A server, and a client with its admin token.
struct Api {
    running: Running,
    client: reqwest::Client,
    token: String,
    _dir: TempDir,
}

struct Reply {
    status: u16,
    headers: reqwest::header::HeaderMap,
    text: String,
}

impl Api {
    async fn start() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let mut sources = Sources::empty(dir.path());
        sources.variables.push(("ORGMEM_DATA_DIR".into(), dir.path().join("data").into()));
        sources.variables.push(("ORGMEM_LISTEN".into(), "127.0.0.1:0".into()));
        sources.variables.push(("ORGMEM_WORKERS".into(), "1".into()));
        let mut settings = Config::load(&sources).expect("settings").settings;
        change(&mut settings);
        let now = DateTime::parse_from_rfc3339("2026-11-21T12:00:00Z").expect("a time").with_timezone(&Utc);
        let running = start(settings, Arc::new(ManualClock::at(now))).await.expect("a server");
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        let path = &running.admin_token().expect("an admin token").path;
        let token = std::fs::read_to_string(path).expect("the token").trim().to_owned();
        Self { running, client, token, _dir: dir }
    }

    fn address(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address())
    }

    /// A request without a token.
    fn open(&self, method: &str, path: &str) -> RequestBuilder {
        self.client.request(Method::from_bytes(method.as_bytes()).expect("a method"), self.address(path))
    }

    /// A request with the admin token.
    fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.open(method, path).bearer_auth(&self.token)
    }

    async fn get(&self, path: &str) -> Reply {
        send(self.request("GET", path)).await
    }

    async fn post(&self, path: &str, body: &str) -> Reply {
        let request = self.request("POST", path).header("content-type", "application/json");
        send(request.body(body.to_owned())).await
    }
}

async fn send(request: RequestBuilder) -> Reply {
    let response: Response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Reply { status, headers, text: response.text().await.expect("a body") }
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Checks that this is a complete problem, with the members for all kinds of clients.
    #[track_caller]
    fn is_problem(&self, status: u16, code: &str, detail: &str) {
        assert_eq!(self.status, status, "{}", self.text);
        let body = self.json();
        let field = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        assert_eq!((field("code").as_str(), field("detail").as_str()), (code, detail), "{}", self.text);
        assert_eq!(field("error"), field("detail"));
        assert_eq!(field("type"), format!("urn:orgmem:problem:{code}"));
        assert_eq!(field("request_id"), self.header("x-request-id"));
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(body["status"], status);
        assert!(!field("title").is_empty());
    }
}

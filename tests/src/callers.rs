//! Callers: HTTP clients with or without a token.

use std::sync::Arc;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Method, Url};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::contract::Contract;
use crate::response::Response;
use crate::tokens::Token;

/// The address of a server and its API description.
#[derive(Debug)]
pub(crate) struct Context {
    /// =
    pub(crate) address: String,
    pub(crate) client: Client,
    pub(crate) contract: Arc<Contract>,
}

#[derive(Clone, Debug)]
pub struct Caller {
    context: Arc<Context>,
    token: Option<String>,
}

#[derive(Debug)]
pub struct Request {
    context: Arc<Context>,
    method: Method,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

impl Caller {
    pub(crate) fn new(context: Arc<Context>, token: Option<String>) -> Self {
        Self { context, token }
    }

    /// The same caller on another server.
    #[must_use]
    pub fn at(&self, other: &crate::TestApp) -> Self {
        Self { context: other.context(), token: self.token.clone() }
    }

    /// The same caller with its own connections, for a thread with its own runtime.
    #[must_use]
    pub fn on_own_connections(&self) -> Self {
        let Context { address, contract, .. } = &*self.context;
        let context = Context { address: address.clone(), client: client(), contract: contract.clone() };
        Self { context: Arc::new(context), token: self.token.clone() }
    }

    #[must_use]
    pub fn with_token(&self, token: &Token) -> Self {
        Self { context: self.context.clone(), token: Some(token.text()) }
    }

    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// `path` begins with `/` and may contain a query.
    #[must_use]
    pub fn request(&self, method: &str, path: &str) -> Request {
        let method = method.parse().expect("a method");
        let headers =
            self.token.iter().map(|token| ("authorization".to_owned(), format!("Bearer {token}").into_bytes()));
        let headers = headers.collect();
        Request { context: self.context.clone(), method, path: path.to_owned(), headers, body: None }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request("GET", path).send().await
    }

    /// GET with parameters, percent-encoded.
    pub async fn get_with(&self, path: &str, query: &[(&str, &str)]) -> Response {
        self.get(&with_query(path, query)).await
    }

    pub async fn post(&self, path: &str, body: impl Serialize) -> Response {
        self.request("POST", path).json(body).send().await
    }

    pub async fn put(&self, path: &str, body: impl Serialize) -> Response {
        self.request("PUT", path).json(body).send().await
    }

    pub async fn patch(&self, path: &str, body: impl Serialize) -> Response {
        self.request("PATCH", path).json(body).send().await
    }

    pub async fn delete(&self, path: &str) -> Response {
        self.request("DELETE", path).send().await
    }

    /// Creates a workspace and returns its id.
    pub async fn create(&self, name: &str, parent: Option<Uuid>) -> Uuid {
        let body = json!({"name": name, "parent_id": parent});
        self.post("/workspaces", drop_nulls(body)).await.expect(201).id("id")
    }

    pub async fn move_workspace(&self, workspace: Uuid, to: Uuid) {
        self.patch(&format!("/workspaces/{workspace}"), json!({"parent_id": to})).await.expect(200);
    }

    /// Commits a memory and returns its id.
    pub async fn commit(&self, workspace: Uuid, scope: &str, content: &str) -> Uuid {
        self.commit_with(workspace, json!({"scope": scope, "content": content})).await
    }

    /// Commits a memory, given as its JSON body, and returns its id.
    pub async fn commit_with(&self, workspace: Uuid, memory: Value) -> Uuid {
        self.post(&format!("/workspaces/{workspace}/memories"), memory).await.expect(201).id("id")
    }

    /// A search, or a list if the parameters have no `q`.
    pub async fn search(&self, workspace: Uuid, query: &[(&str, &str)]) -> Response {
        self.get_with(&format!("/workspaces/{workspace}/memories"), query).await.expect(200)
    }

    /// All items of a list that begins next this address, and the number of pages.
    pub async fn all_pages(&self, path: &str) -> (Vec<Value>, usize) {
        let (mut items, mut pages) = (Vec::new(), 0);
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let page = self.get(&path).await.expect(200);
            items.extend(page.items());
            pages += 1;
            next = page.next();
            assert!(pages < 10_000, "{path} has too many pages");
        }
        (items, pages)
    }
}

impl Request {
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    #[must_use]
    pub fn json(self, body: impl Serialize) -> Self {
        self.body("application/json", serde_json::to_vec(&body).expect("the body serializes"))
    }

    #[must_use]
    pub fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("content-type", media_type)
    }

    /// The path and the body.
    #[must_use]
    pub fn text(&self) -> String {
        let body = self.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        format!("{} {body}", self.path)
    }

    /// Sends the request and validates the response against `/openapi.json`.
    pub async fn send(self) -> Response {
        let contract = self.context.contract.clone();
        let (method, path) = (self.method.clone(), self.path.clone());
        let response = self.send_unchecked().await;
        contract.check(method.as_str(), &path, &response);
        response
    }

    /// Sends the request without a validation of the response.
    pub async fn send_unchecked(self) -> Response {
        self.try_send().await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// For a server that may be unavailable or disappear before it responds.
    pub async fn try_send(self) -> Result<Response, String> {
        let to = format!("{} {}", self.method, self.path);
        let failed = |error: reqwest::Error| format!("{to}: {error:?}");
        let response = self.open().await.map_err(failed)?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.bytes().await.map_err(failed)?.to_vec();
        Ok(Response { to, status, headers, body })
    }

    /// Sends the request and leaves the body of the response unread.
    pub(crate) async fn open(self) -> reqwest::Result<reqwest::Response> {
        let Self { context, method, path, headers, body } = self;
        let mut request = context.client.request(method.clone(), format!("{}{path}", context.address));
        for (name, value) in headers {
            let name: HeaderName = name.parse().expect("a header's name");
            request = request.header(name, HeaderValue::from_bytes(&value).expect("a header's value"));
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        request.send().await
    }
}

pub(crate) fn client() -> Client {
    let client = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    client.build().expect("the client builds")
}

#[must_use]
pub fn with_query(path: &str, query: &[(&str, &str)]) -> String {
    if query.is_empty() {
        return path.to_owned();
    }
    let url = Url::parse_with_params(&format!("http://any{path}"), query).expect("a path");
    format!("{}?{}", url.path(), url.query().unwrap_or_default())
}

fn drop_nulls(value: Value) -> Value {
    match value {
        Value::Object(object) => object.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

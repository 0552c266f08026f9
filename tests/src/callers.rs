//! Callers: whoever talks to a server of the tests, with a token or without.

use std::sync::Arc;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Method, Url};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer::Answer;
use crate::contract::Contract;
use crate::tokens::Token;

/// Where a server is, and what it says of itself.
#[derive(Debug)]
pub(crate) struct Place {
    /// `http://127.0.0.1:<port>`.
    pub(crate) address: String,
    pub(crate) client: Client,
    /// Every answer is held to it.
    pub(crate) contract: Arc<Contract>,
}

/// Somebody who calls.
#[derive(Clone, Debug)]
pub struct Caller {
    place: Arc<Place>,
    token: Option<String>,
}

/// A request that is being put together.
#[derive(Debug)]
pub struct Request {
    place: Arc<Place>,
    method: Method,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

impl Caller {
    pub(crate) fn new(place: Arc<Place>, token: Option<String>) -> Self {
        Self { place, token }
    }

    /// The same caller, to another server.
    #[must_use]
    pub fn at(&self, other: &crate::TestApp) -> Self {
        Self { place: other.place(), token: self.token.clone() }
    }

    /// The same caller with connections of its own, for a thread that has a runtime of its own.
    #[must_use]
    pub fn on_own_connections(&self) -> Self {
        let Place { address, contract, .. } = &*self.place;
        let place = Place { address: address.clone(), client: client(), contract: contract.clone() };
        Self { place: Arc::new(place), token: self.token.clone() }
    }

    /// Somebody else, on the same connections.
    #[must_use]
    pub fn bearing(&self, token: &Token) -> Self {
        Self { place: self.place.clone(), token: Some(token.text()) }
    }

    /// The token, if there is one.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// A request to `path`, query and all, which begins with `/`.
    #[must_use]
    pub fn request(&self, method: &str, path: &str) -> Request {
        let method = method.parse().expect("a method");
        let headers =
            self.token.iter().map(|token| ("authorization".to_owned(), format!("Bearer {token}").into_bytes()));
        let headers = headers.collect();
        Request { place: self.place.clone(), method, path: path.to_owned(), headers, body: None }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send().await
    }

    /// GET with parameters, which are encoded.
    pub async fn get_with(&self, path: &str, query: &[(&str, &str)]) -> Answer {
        self.get(&with_query(path, query)).await
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: impl Serialize) -> Answer {
        self.request("POST", path).json(body).send().await
    }

    /// PATCH of JSON.
    pub async fn patch(&self, path: &str, body: impl Serialize) -> Answer {
        self.request("PATCH", path).json(body).send().await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path).send().await
    }

    /// Creates a workspace: its id.
    ///
    /// # Panics
    /// When it is refused, as with all the verbs below.
    pub async fn create(&self, name: &str, parent: Option<Uuid>) -> Uuid {
        let body = json!({"name": name, "parent_id": parent});
        self.post("/workspaces", drop_nulls(body)).await.expect(201).id("id")
    }

    /// Moves a workspace.
    pub async fn relocate(&self, workspace: Uuid, to: Uuid) {
        self.patch(&format!("/workspaces/{workspace}"), json!({"parent_id": to})).await.expect(200);
    }

    /// Commits a memory: its id.
    pub async fn commit(&self, workspace: Uuid, scope: &str, content: &str) -> Uuid {
        self.commit_with(workspace, json!({"scope": scope, "content": content})).await
    }

    /// Commits a memory with all its fields: its id.
    pub async fn commit_with(&self, workspace: Uuid, memory: Value) -> Uuid {
        self.post(&format!("/workspaces/{workspace}/memories"), memory).await.expect(201).id("id")
    }

    /// Searches, or lists when there is no `q` among the parameters.
    pub async fn search(&self, workspace: Uuid, query: &[(&str, &str)]) -> Answer {
        self.get_with(&format!("/workspaces/{workspace}/memories"), query).await.expect(200)
    }

    /// Every item of a list, page by page, beginning with this address; and how many pages there were.
    pub async fn every(&self, path: &str) -> (Vec<Value>, usize) {
        let (mut items, mut pages) = (Vec::new(), 0);
        let mut at = Some(path.to_owned());
        while let Some(path) = at {
            let page = self.get(&path).await.expect(200);
            items.extend(page.items());
            pages += 1;
            at = page.next();
            assert!(pages < 10_000, "{path} goes on forever");
        }
        (items, pages)
    }
}

impl Request {
    /// With a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// With a body of JSON.
    ///
    /// # Panics
    /// When it has no JSON form.
    #[must_use]
    pub fn json(self, body: impl Serialize) -> Self {
        self.body("application/json", serde_json::to_vec(&body).expect("it has a JSON form"))
    }

    /// With a body of any bytes.
    #[must_use]
    pub fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("content-type", media_type)
    }

    /// What it says: its address and its body.
    #[must_use]
    pub fn text(&self) -> String {
        let body = self.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        format!("{} {body}", self.path)
    }

    /// Sends it, and holds the answer to what the server says of itself.
    ///
    /// # Panics
    /// When there is no answer, or one that `/openapi.json` does not promise.
    pub async fn send(self) -> Answer {
        let contract = self.place.contract.clone();
        let (method, path) = (self.method.clone(), self.path.clone());
        let answer = self.send_unheld().await;
        contract.hold(method.as_str(), &path, &answer);
        answer
    }

    /// Sends it, whatever is answered.
    ///
    /// # Panics
    /// When there is no answer.
    pub async fn send_unheld(self) -> Answer {
        self.try_send().await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Sends it to a server that may be gone, or may go away before it has answered.
    ///
    /// # Errors
    /// Why there is no answer. What was asked for may have been done.
    pub async fn try_send(self) -> Result<Answer, String> {
        let to = format!("{} {}", self.method, self.path);
        let failed = |error: reqwest::Error| format!("{to}: {error:?}");
        let response = self.open().await.map_err(failed)?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.bytes().await.map_err(failed)?.to_vec();
        Ok(Answer { to, status, headers, body })
    }

    /// Sends it; the answer's body is yet to be read.
    ///
    /// # Errors
    /// Why there is no answer.
    pub(crate) async fn open(self) -> reqwest::Result<reqwest::Response> {
        let Self { place, method, path, headers, body } = self;
        let mut request = place.client.request(method.clone(), format!("{}{path}", place.address));
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

/// What talks to servers.
///
/// # Panics
/// Never: nothing is asked for that could fail.
pub(crate) fn client() -> Client {
    let client = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    client.build().expect("a client can be made")
}

/// An address with parameters, encoded.
///
/// # Panics
/// When `path` is none.
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

use std::time::Duration;

use orgmem_types::{Object, Problem};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::page::next_cursor;
use super::{Address, ClientError, Page};
use crate::mcp::Bridge;

/// Source: `docs/spec/access-log.md`, "Context of the caller".
const AUDIT_CONTEXT: &str = "x-audit-context";

/// Source: `docs/spec/tiers.md`, "End users apart".
const END_USER: &str = "x-end-user";
const SESSION_ID: &str = "x-session-id";

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longer than the server's own timeout; the import of a large org takes longest.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

/// A live server responds to health checks at once.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(3);

/// The client of one server, with one token.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    address: Address,
    token: Option<SecretString>,
    /// The value of `X-Audit-Context`.
    audit_context: Option<HeaderValue>,
    /// The value of `X-End-User`.
    end_user: Option<HeaderValue>,
    /// The value of `X-Session-Id`.
    session_id: Option<HeaderValue>,
    timeout: Duration,
}

impl Client {
    /// A client of the server at `address`. No request is sent.
    ///
    /// # Errors
    /// [`ClientError::Token`], [`ClientError::Setup`].
    pub fn new(address: Address, token: Option<SecretString>) -> Result<Self, ClientError> {
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("orgmem/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(RESPONSE_TIMEOUT);
        if address.is_loopback() {
            http = http.no_proxy();
        }
        if !address.is_encrypted() {
            // plain HTTP works on a machine without certificates
            http = http.tls_certs_only([]);
        }
        let http = http.build().map_err(|error| ClientError::Setup(root_cause(&error)))?;
        token.as_ref().map(bearer).transpose()?;
        Ok(Self {
            http,
            address,
            token,
            audit_context: None,
            end_user: None,
            session_id: None,
            timeout: RESPONSE_TIMEOUT,
        })
    }

    /// The same client, whose requests add an object to their audit rows.
    ///
    /// # Errors
    /// [`ClientError::Setup`] if the object is not valid in a header.
    pub fn with_audit_context(self, context: &Object) -> Result<Self, ClientError> {
        // a header is ASCII
        let json = serde_json::Value::Object(context.clone()).to_string();
        let escaped: String = json.chars().map(|c| if c.is_ascii() { c.to_string() } else { escape(c) }).collect();
        let value = HeaderValue::try_from(escaped).map_err(|error| ClientError::Setup(error.to_string()))?;
        Ok(Self { audit_context: Some(value), ..self })
    }

    /// The same client, whose requests are for an end user, a session or both.
    ///
    /// # Errors
    /// [`ClientError::Setup`] if one of them is not valid in a header.
    pub fn for_end_user(&self, subject: Option<&str>, session_id: Option<&str>) -> Result<Self, ClientError> {
        let value = |text: &str| {
            HeaderValue::from_bytes(text.as_bytes()).map_err(|error| ClientError::Setup(format!("`{text}`: {error}")))
        };
        let end_user = subject.map(value).transpose()?;
        Ok(Self { end_user, session_id: session_id.map(value).transpose()?, ..self.clone() })
    }

    /// The same client with a short timeout, for health checks.
    #[must_use]
    pub fn for_health_checks(&self) -> Self {
        Self { timeout: HEALTH_TIMEOUT, ..self.clone() }
    }

    /// The address of the server.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// A bridge from stdio to the MCP tools of the server, with the same token. The tools act as `workspace`, or as the
    /// workspace of the token.
    ///
    /// # Errors
    /// [`ClientError::NoToken`], because MCP requires a token.
    pub fn bridge(&self, workspace: Option<Uuid>) -> Result<Bridge, ClientError> {
        let token = self.token.as_ref().ok_or(ClientError::NoToken)?.expose_secret().trim();
        let endpoint = match workspace {
            Some(workspace) => self.address.join(&["workspaces", &workspace.to_string(), "mcp"])?,
            None => self.address.join(&["mcp"])?,
        };
        let bridge = Bridge::new(self.http.clone(), endpoint.into(), token.to_owned());
        Ok(bridge.with_audit_context(self.audit_context.clone()))
    }

    pub(super) fn request(&self, method: Method, path: &[&str]) -> Result<RequestBuilder, ClientError> {
        let mut request = self.http.request(method, self.address.join(path)?).timeout(self.timeout);
        if let Some(context) = &self.audit_context {
            request = request.header(AUDIT_CONTEXT, context);
        }
        for (name, value) in [(END_USER, &self.end_user), (SESSION_ID, &self.session_id)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        Ok(match &self.token {
            Some(token) => request.header(AUTHORIZATION, bearer(token)?),
            None => request,
        })
    }

    /// Sends `request` and parses the JSON of the response.
    pub(super) async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ClientError> {
        let response = self.send(request).await?;
        self.read(response).await
    }

    /// Sends `request` and parses a page of a list.
    pub(super) async fn page<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<Page<T>, ClientError> {
        let response = self.send(request).await?;
        let next = next_cursor(response.headers(), response.url());
        Ok(Page { items: self.read(response).await?, next })
    }

    /// Sends `request`. Only a success is a response, everything else an error.
    pub(super) async fn send(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        match response.status() {
            status if status.is_success() => Ok(response),
            status => Err(self.refusal(status, response).await),
        }
    }

    /// As [`send`](Self::send); `None` for 304.
    pub(super) async fn send_conditional(&self, request: RequestBuilder) -> Result<Option<Response>, ClientError> {
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        match response.status() {
            StatusCode::NOT_MODIFIED => Ok(None),
            status if status.is_success() => Ok(Some(response)),
            status => Err(self.refusal(status, response).await),
        }
    }

    async fn refusal(&self, status: StatusCode, response: Response) -> ClientError {
        let body = match response.bytes().await {
            Ok(body) => body,
            Err(error) => return self.unreachable(&error),
        };
        match problem(status, &body) {
            Some(problem) => ClientError::Problem(Box::new(problem)),
            None => self.foreign(status, "the body is not a problem document".to_owned()),
        }
    }

    pub(super) async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T, ClientError> {
        let status = response.status();
        let body = response.bytes().await.map_err(|error| self.unreachable(&error))?;
        serde_json::from_slice(&body).map_err(|error| self.foreign(status, error.to_string()))
    }

    pub(super) fn unreachable(&self, error: &reqwest::Error) -> ClientError {
        let cause = root_cause(error);
        let reason = match error.is_timeout() && !error.is_connect() {
            true => format!("no response within {} seconds", self.timeout.as_secs()),
            // the error of rustls for a plain HTTP response
            false if cause.contains("InvalidContentType") => {
                "the server does not use TLS; try http:// instead of https://".to_owned()
            }
            false => cause,
        };
        ClientError::Unreachable { address: self.address.to_string(), reason }
    }

    fn foreign(&self, status: StatusCode, reason: String) -> ClientError {
        ClientError::Foreign { address: self.address.to_string(), status: status.as_u16(), reason }
    }
}

/// The JSON escape of a character.
fn escape(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

fn bearer(token: &SecretString) -> Result<HeaderValue, ClientError> {
    let text = format!("Bearer {}", token.expose_secret().trim());
    let mut value = HeaderValue::try_from(text).map_err(|_| ClientError::Token)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Parses a problem. `confirmation_required` has a word as its `status`, so the HTTP status replaces it.
fn problem(status: StatusCode, body: &[u8]) -> Option<Problem> {
    let mut members: Object = serde_json::from_slice(body).ok()?;
    members.insert("status".to_owned(), status.as_u16().into());
    serde_json::from_value(members.into()).ok()
}

/// The message of the innermost error, usually of the operating system.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

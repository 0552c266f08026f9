//! Streamable HTTP: `/mcp` and `/workspaces/{id}/mcp`.
//!
//! actix and the SDK speak different major versions of the `http` crate, so method, address, headers and status cross
//! over as bytes. The token is verified here and does not go further; the tools find out whom they act for in the
//! request's extensions. The SDK sees messages alone: what is none is answered before, and batches are taken apart.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::message::{self, Sent};
use super::tools::{ActsAs, Tools};
use crate::app::App;
use crate::config::Settings;

const JSON: &str = "application/json";
/// The header in which clients name the revision of the protocol that was agreed on.
const REVISION: &str = "mcp-protocol-version";

/// The MCP endpoint.
#[derive(Clone)]
pub struct McpEndpoint {
    service: Arc<StreamableHttpService<Tools, NeverSessionManager>>,
}

impl McpEndpoint {
    /// The endpoint over the services. It answers to loopback hosts and to those of the settings alone, and ends what
    /// it has open when `stop` is cancelled.
    #[must_use]
    pub fn new(app: Arc<App>, settings: &Settings, stop: CancellationToken) -> Self {
        let tools = Tools::new(app, settings.limits.json_depth);
        let settings = &settings.mcp;
        let mut config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_cancellation_token(stop);
        config.allowed_hosts.extend(settings.allowed_hosts.iter().cloned());
        config.allowed_origins.extend(settings.allowed_origins.iter().cloned());
        let config = config.enforce_origin_validation();
        let service = StreamableHttpService::new(move || Ok(tools.clone()), Arc::default(), config);
        Self { service: Arc::new(service) }
    }

    /// Answers what was sent, with whom it acts for.
    ///
    /// # Errors
    /// [`Refused`] when the transport does not take the request. What is no message is answered as the protocol does.
    pub async fn answer(&self, request: &HttpRequest, body: Bytes, acts_as: ActsAs) -> Result<HttpResponse, Refused> {
        let revision = request.headers().get(REVISION).and_then(|revision| revision.to_str().ok());
        match message::read(body, revision) {
            Ok(Sent::One(message)) => Ok(own_response(self.pass_on(request, message, acts_as).await?)),
            Ok(Sent::Batch(messages)) => self.answer_batch(request, messages, acts_as).await,
            Err(fault) if fault.is_answer() => Ok(HttpResponse::Ok().json(fault.answer())),
            Err(fault) => Ok(HttpResponse::BadRequest().json(fault.answer())),
        }
    }

    /// Answers each request of a batch, one after the other; what is no request has no answer.
    async fn answer_batch(
        &self,
        request: &HttpRequest,
        messages: Vec<Value>,
        acts_as: ActsAs,
    ) -> Result<HttpResponse, Refused> {
        let mut answers = Vec::new();
        for message in &messages {
            match message::of_batch(message) {
                Ok(message) => answers.push(self.pass_on(request, message, acts_as.clone()).await?.into_body()),
                Err(fault) => answers.push(fault.answer().to_string().into()),
            }
        }
        answers.retain(|answer| !answer.is_empty());
        if answers.is_empty() {
            return Ok(HttpResponse::Accepted().finish());
        }
        let list = [&b"["[..], &answers.join(&b","[..]), b"]"].concat();
        Ok(HttpResponse::Ok().content_type(JSON).body(list))
    }

    /// Hands one message over to the SDK.
    async fn pass_on(
        &self,
        request: &HttpRequest,
        message: Bytes,
        acts_as: ActsAs,
    ) -> Result<http::Response<Bytes>, Refused> {
        let foreign = foreign_request(request, message, acts_as).map_err(|error| Refused::Other(error.to_string()))?;
        let (parts, body) = self.service.handle(foreign).await.into_parts();
        let Ok(body) = body.collect().await;
        let (status, body) = (parts.status, body.to_bytes());
        let is_json = parts.headers.get(http::header::CONTENT_TYPE).is_some_and(|kind| kind == JSON);
        if status.is_success() || is_json {
            return Ok(http::Response::from_parts(parts, body));
        }
        Err(Refused::of(status, &String::from_utf8_lossy(&body)))
    }
}

/// Why the transport does not take a request. Its own sentences are for whoever builds servers.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The `Host` header names another host.
    #[error("MCP is not answered under this name; whoever runs the server adds it to `mcp.allowed_hosts`")]
    Host,
    /// The `Origin` header names a page that may not ask.
    #[error("MCP does not answer pages of this origin; whoever runs the server adds it to `mcp.allowed_origins`")]
    Origin,
    /// The `MCP-Protocol-Version` header names no revision.
    #[error("the header `MCP-Protocol-Version` must be a revision that is spoken here: {}", revisions())]
    Revision,
    /// Something else of the head cannot be taken.
    #[error("{0}")]
    Other(String),
    /// The SDK failed; for the log.
    #[error("{0}")]
    Failed(String),
}

impl Refused {
    fn of(status: http::StatusCode, said: &str) -> Self {
        match status {
            http::StatusCode::FORBIDDEN if said.contains("Origin") => Self::Origin,
            http::StatusCode::FORBIDDEN => Self::Host,
            _ if said.contains("MCP-Protocol-Version") => Self::Revision,
            _ if status.is_server_error() => Self::Failed(said.to_owned()),
            _ => Self::Other(said.to_owned()),
        }
    }
}

fn revisions() -> String {
    let all = ProtocolVersion::KNOWN_VERSIONS.iter().rev();
    all.map(|revision| format!("`{revision}`")).collect::<Vec<_>>().join(", ")
}

/// The message as the SDK's transport takes it. Every answer is one of JSON, whatever the client would accept besides, as
/// everywhere else; so what it would accept is said here.
fn foreign_request(
    request: &HttpRequest,
    message: Bytes,
    acts_as: ActsAs,
) -> Result<http::Request<Full<Bytes>>, http::Error> {
    let mut foreign = http::Request::builder().method(request.method().as_str()).uri(request.uri().to_string());
    foreign = foreign.header("accept", "application/json, text/event-stream").header("content-type", JSON);
    let own = ["accept", "content-type", "content-length", "authorization"];
    for (name, value) in request.headers().iter().filter(|(name, _)| !own.contains(&name.as_str())) {
        foreign = foreign.header(name.as_str(), value.as_bytes());
    }
    foreign.extension(acts_as).body(Full::new(message))
}

fn own_response(foreign: http::Response<Bytes>) -> HttpResponse {
    let (parts, body) = foreign.into_parts();
    let status = actix_web::http::StatusCode::from_u16(parts.status.as_u16());
    let mut own = HttpResponse::build(status.unwrap_or(actix_web::http::StatusCode::INTERNAL_SERVER_ERROR));
    for (name, value) in &parts.headers {
        own.append_header((name.as_str(), value.as_bytes()));
    }
    own.body(body)
}

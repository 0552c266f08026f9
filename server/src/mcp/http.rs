//! Streamable HTTP: `/mcp` and `/workspaces/{id}/mcp`.
//!
//! actix and the SDK use different major versions of the `http` crate, so method, address, headers and status are
//! converted through bytes. The token is verified before and not passed on; tools find the caller in the extensions of
//! the request. The SDK receives only valid single messages: batches are split, and invalid messages refused, here.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::message::{self, Body};
use super::tools::{ActsAs, Tools};
use crate::app::App;
use crate::config::Settings;
use crate::limits::LimitExceeded;

const JSON: &str = "application/json";
/// The header with the negotiated revision of the protocol.
const REVISION: &str = "mcp-protocol-version";

/// The MCP endpoint.
#[derive(Clone)]
pub struct McpEndpoint {
    service: Arc<StreamableHttpService<Tools, NeverSessionManager>>,
}

impl McpEndpoint {
    /// Ends open requests when `stop` is cancelled.
    #[must_use]
    pub fn new(app: Arc<App>, settings: &Settings, stop: CancellationToken) -> Self {
        let tools = Tools::new(app, settings.limits.json_depth);
        // the boundary checks `Host` and `Origin` (`BrowserAccess`), before the token
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_cancellation_token(stop)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let service = StreamableHttpService::new(move || Ok(tools.clone()), Arc::default(), config);
        Self { service: Arc::new(service) }
    }

    /// Handles a message or a batch as `acts_as`. Invalid messages get a JSON-RPC error.
    ///
    /// # Arguments
    /// `count`: counts the messages of a batch after the first for the limits; the request itself is counted already.
    ///
    /// # Errors
    /// [`TransportRefusal`] when the transport refuses the request.
    pub(crate) async fn answer(
        &self,
        request: &HttpRequest,
        body: Bytes,
        acts_as: ActsAs,
        count: impl FnOnce(u32) -> Result<(), LimitExceeded>,
    ) -> Result<HttpResponse, TransportRefusal> {
        let revision = request.headers().get(REVISION).and_then(|revision| revision.to_str().ok());
        match message::read(body, revision) {
            Ok(Body::One(message)) => Ok(own_response(self.forward(request, message, acts_as).await?)),
            Ok(Body::Batch(messages)) => {
                count(u32::try_from(messages.len()).unwrap_or(u32::MAX).saturating_sub(1))?;
                self.answer_batch(request, messages, acts_as).await
            }
            Err(fault) if fault.is_invalid_params() => Ok(HttpResponse::Ok().json(fault.response())),
            Err(fault) => Ok(HttpResponse::BadRequest().json(fault.response())),
        }
    }

    /// Handles the messages of a batch in order. Only requests have responses.
    async fn answer_batch(
        &self,
        request: &HttpRequest,
        messages: Vec<Value>,
        acts_as: ActsAs,
    ) -> Result<HttpResponse, TransportRefusal> {
        let mut responses = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            match message::of_batch(message) {
                Ok(message) => {
                    responses.push(self.forward(request, message, acts_as.of_batch(index)).await?.into_body());
                }
                Err(fault) => responses.push(fault.response().to_string().into()),
            }
        }
        responses.retain(|response| !response.is_empty());
        if responses.is_empty() {
            return Ok(HttpResponse::Accepted().finish());
        }
        let list = [&b"["[..], &responses.join(&b","[..]), b"]"].concat();
        Ok(HttpResponse::Ok().content_type(JSON).body(list))
    }

    /// Forwards one message to the SDK.
    async fn forward(
        &self,
        request: &HttpRequest,
        message: Bytes,
        acts_as: ActsAs,
    ) -> Result<http::Response<Bytes>, TransportRefusal> {
        let foreign =
            foreign_request(request, message, acts_as).map_err(|error| TransportRefusal::Other(error.to_string()))?;
        let (parts, body) = self.service.handle(foreign).await.into_parts();
        let Ok(body) = body.collect().await;
        let (status, body) = (parts.status, body.to_bytes());
        let is_json = parts.headers.get(http::header::CONTENT_TYPE).is_some_and(|kind| kind == JSON);
        if status.is_success() || is_json {
            return Ok(http::Response::from_parts(parts, body));
        }
        Err(TransportRefusal::from_response(status, &String::from_utf8_lossy(&body)))
    }
}

/// The reason why the transport refuses a request, in words for operators instead of the SDK's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransportRefusal {
    /// The `Host` header names another host.
    #[error("MCP is not available under this host name; the operator of the server can add it to `mcp.allowed_hosts`")]
    Host,
    /// The `Origin` header names another origin.
    #[error(
        "MCP is not available to pages of this origin; the operator of the server can add it to `mcp.allowed_origins`"
    )]
    Origin,
    /// The `MCP-Protocol-Version` header names an unknown revision.
    #[error("the header `MCP-Protocol-Version` must be a supported revision: {}", revisions())]
    Revision,
    /// Another part of the head is invalid.
    #[error("{0}")]
    Other(String),
    /// The messages of a batch exceed a limit.
    #[error(transparent)]
    Limit(#[from] LimitExceeded),
    /// The SDK failed. Only for the log.
    #[error("{0}")]
    Failed(String),
}

impl TransportRefusal {
    fn from_response(status: http::StatusCode, body: &str) -> Self {
        match status {
            _ if body.contains("MCP-Protocol-Version") => Self::Revision,
            _ if status.is_server_error() => Self::Failed(body.to_owned()),
            _ => Self::Other(body.to_owned()),
        }
    }
}

fn revisions() -> String {
    let all = ProtocolVersion::KNOWN_VERSIONS.iter().rev();
    all.map(|revision| format!("`{revision}`")).collect::<Vec<_>>().join(", ")
}

/// The request for the SDK's transport. Responses are always JSON, so the client's `Accept` is replaced by the value that
/// the SDK requires.
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

//! Streamable HTTP: `/mcp` and `/workspaces/{id}/mcp`.
//!
//! actix and the SDK speak different major versions of the `http` crate, so method, address, headers and status cross
//! over as bytes. The token is verified here and does not go further; the tools find out whom they act for in the
//! request's extensions.

use std::sync::Arc;

use actix_web::body::{BodyStream, BoxBody};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http_body_util::{BodyExt as _, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use super::tools::{ActsAs, Tools};
use crate::app::App;
use crate::config::Settings;

/// The MCP endpoint.
#[derive(Clone)]
pub struct Endpoint {
    service: Arc<StreamableHttpService<Tools, NeverSessionManager>>,
}

impl Endpoint {
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

    /// Hands one request over, with whom it acts for.
    pub async fn answer(&self, request: &HttpRequest, body: Bytes, acts_as: ActsAs) -> HttpResponse {
        match foreign_request(request, body, acts_as) {
            Ok(foreign) => own_response(self.service.handle(foreign).await),
            Err(error) => HttpResponse::BadRequest().body(error.to_string()),
        }
    }
}

fn foreign_request(
    request: &HttpRequest,
    body: Bytes,
    acts_as: ActsAs,
) -> Result<http::Request<Full<Bytes>>, http::Error> {
    let mut foreign = http::Request::builder().method(request.method().as_str()).uri(request.uri().to_string());
    for (name, value) in request.headers().iter().filter(|(name, _)| *name != actix_web::http::header::AUTHORIZATION) {
        foreign = foreign.header(name.as_str(), value.as_bytes());
    }
    foreign.extension(acts_as).body(Full::new(body))
}

fn own_response<B>(foreign: http::Response<B>) -> HttpResponse
where
    B: http_body::Body<Data = Bytes, Error = std::convert::Infallible> + Send + Sync + 'static,
{
    let (parts, body) = foreign.into_parts();
    let status = actix_web::http::StatusCode::from_u16(parts.status.as_u16());
    let mut own = HttpResponse::build(status.unwrap_or(actix_web::http::StatusCode::INTERNAL_SERVER_ERROR));
    for (name, value) in &parts.headers {
        own.append_header((name.as_str(), value.as_bytes()));
    }
    let frames = body.into_data_stream().map(|frame| frame);
    own.body(BoxBody::new(BodyStream::new(Box::pin(frames))))
}
